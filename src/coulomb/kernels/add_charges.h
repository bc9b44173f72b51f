/* Code that adds a chunk of charges to the sums of a work-item's points, to be included in the body of kernels. It
 * takes atoms (x, y, z of each at ATOM(a, 0 to 2), its charge in set s at ATOM(a, CHARGE_AT + s); `count` of them,
 * of which this work-item adds every CHARGE_STEP-th from CHARGE_FIRST on), the points p (POINTS x, then y, then
 * z), soft, kappa, and adds to phi and, with FIELD, ex, ey, ez: VECTORS of each set, set by set. SINGLE stores the
 * square of the smallest distance in `nearest`; float64 omits charges within the square root of `limit` and counts
 * them in `zeros`.  SCREENED: 1 screened, 2 Gaussian charges, 3 the near part of Ewald's sum.  ONE_ROW: all points
 * have the y and z of the first one.  NEAR: minus the smooth part of a mesh sum, a polynomial of `terms`
 * coefficients `even` in scale r^2/2 - 1, and 0 where r^2 is not below `cutoff2`; UNROLL_TERMS is UNROLL if
 * `terms` is a constant. */
for (u32 a = CHARGE_FIRST; a < count; a += CHARGE_STEP) {
	const number ax = atoms[ATOM(a, 0u)], ay = atoms[ATOM(a, 1u)], az = atoms[ATOM(a, 2u)];
#if ONE_ROW
	const number row_dy = p[POINTS] - ay, row_dz = p[2u * POINTS] - az;
	const vector dy = VECTOR_SPLAT(row_dy), dz = VECTOR_SPLAT(row_dz);
	const vector rest = VECTOR_MULADD(dy, dy, VECTOR_MULADD(dz, dz, soft));
#endif
	UNROLL
	for (u32 v = 0; v < VECTORS; ++v) {
		const vector dx = VECTOR_LOAD(p + v * WIDE) - ax;
#if !ONE_ROW
		const vector dy = VECTOR_LOAD(p + POINTS + v * WIDE) - ay,
			     dz = VECTOR_LOAD(p + 2u * POINTS + v * WIDE) - az;
		const vector rest = VECTOR_MULADD(dy, dy, VECTOR_MULADD(dz, dz, soft));
#endif
		const vector r2 = VECTOR_MULADD(dx, dx, rest);
#if NEAR && LOCAL_SIZE > 1
		/* most charges are out of reach for all points of a warp */
		if (!(r2 < cutoff2))
			continue;
#endif
#if SINGLE
		const vector w = LANES_RSQRT_F32(r2);
		nearest[v] = LANES_MIN_F32(nearest[v], r2);
#else
		const lanes_u64 here = LANES_LESS_MASK(r2, limit);
		const vector w = LANES_AS_F64(LANES_AS_U64(LANES_RSQRT(r2)) & ~here);
#if SCREENED != 2
		zeros[v] = zeros[v] + (here & 1u);
#endif
#endif
		/* for a unit charge: its potential, and its field divided by the distance */
#if SCREENED == 2
		/* erf(x)/x by its series near 0, including charges at the point */
		const vector reach = r2 * w * kappa, square = reach * reach;
		const lanes_u64 near = LANES_LESS_MASK(square, VECTOR_SPLAT(GAUSSIAN_SERIES * GAUSSIAN_SERIES));
		const vector series =
		    VECTOR_SPLAT(TWO_OVER_SQRT_PI * kappa) *
		    (1.0 + square * (-1.0 / 3.0 + square * (0.1 + square * (-1.0 / 42.0 + square * (1.0 / 216.0)))));
		const vector outer = w * (1.0 - lanes_erfc(reach, 1));
		vector potential = LANES_AS_F64((LANES_AS_U64(series) & near) | (LANES_AS_U64(outer) & ~near));
#elif SCREENED == 1
		/* omitted charges have w = 0: exp(0) = 1 is harmless */
		const vector reach = r2 * w * kappa;
		vector potential = w * lanes_exp(-reach, 1);
#elif SCREENED == 3
		const vector reach = r2 * w * kappa;
		const vector bare = w * lanes_erfc(reach, 1);
		const vector own = VECTOR_SPLAT(-TWO_OVER_SQRT_PI * kappa);
		vector potential = bare + LANES_AS_F64(LANES_AS_U64(own) & here);
#else
		vector potential = w;
#endif
#if FIELD
#if SCREENED == 2
		const vector flat =
		    VECTOR_SPLAT(TWO_OVER_SQRT_PI * kappa * kappa * kappa * (2.0 / 3.0)) *
		    (1.0 + square * (-0.6 + square * (3.0 / 14.0 + square * (-1.0 / 18.0 + square * (1.0 / 88.0)))));
		const vector steep = (potential - lanes_exp(-square, 1) * (TWO_OVER_SQRT_PI * kappa)) * (w * w);
		vector factor = LANES_AS_F64((LANES_AS_U64(flat) & near) | (LANES_AS_U64(steep) & ~near));
#elif SCREENED == 1
		vector factor = potential * (1.0 + reach) * (w * w);
#elif SCREENED == 3
		/* erfc'(x) = -2/sqrt(pi) exp(-x^2) */
		const vector tail = lanes_exp(-(reach * reach), 1) * (TWO_OVER_SQRT_PI * kappa);
		vector factor = (bare + LANES_AS_F64(LANES_AS_U64(tail) & ~here)) * (w * w);
#else
		vector factor = w * (w * w);
#endif
#endif
#if NEAR
		const vector argument = VECTOR_MULADD(r2, half_scale, VECTOR_SPLAT((number)-1));
		vector smooth = VECTOR_SPLAT(even[0]);
#if FIELD
		vector slope = VECTOR_SPLAT((number)0);
#endif
		UNROLL_TERMS
		for (u32 k = 1; k < terms; ++k) {
#if FIELD
			slope = VECTOR_MULADD(slope, argument, smooth);
#endif
			smooth = VECTOR_MULADD(smooth, argument, VECTOR_SPLAT(even[k]));
		}
		potential = VECTOR_WHERE_LESS(r2, cutoff2, potential - smooth);
#if FIELD
		factor = VECTOR_WHERE_LESS(r2, cutoff2, VECTOR_MULADD(slope, scale, factor));
#endif
#endif
		UNROLL
		for (u32 s = 0; s < SETS; ++s) {
			const number charge = atoms[ATOM(a, CHARGE_AT + s)];
			const u32 n = s * VECTORS + v;
			phi[n] = VECTOR_MULADD(potential, VECTOR_SPLAT(charge), phi[n]);
#if FIELD
			const vector force = factor * charge;
			ex[n] = VECTOR_MULADD(force, dx, ex[n]);
			ey[n] = VECTOR_MULADD(force, dy, ey[n]);
			ez[n] = VECTOR_MULADD(force, dz, ez[n]);
#endif
		}
	}
}
