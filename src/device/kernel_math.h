/* Mathematics that kernels share on every device. */
#ifndef SONDE_DEVICE_KERNEL_MATH_H
#define SONDE_DEVICE_KERNEL_MATH_H

/* a b + c, rounded once if `fused` (a constant) is not 0 and the hardware supports it, else twice */
#define MULADD(fused, a, b, c) ((fused) ? LANES_MULADD((a), (b), (c)) : (a) * (b) + (c))

/* Of a b = product + lost and a + b = sum + lost, what rounding loses: exact, and the same bits on every device, for products between
 * 1e-290 and 1e290 (T. J. Dekker, Numer. Math. 18 (1971) 224; D. E. Knuth, The Art of Computer Programming 2, section 4.2.2). */
DEVICE_INLINE lanes_f64 lanes_lost_by_product(lanes_f64 a, lanes_f64 b, lanes_f64 product)
{
#if LANES_MULADD_ROUNDS_ONCE
	return LANES_MULADD(a, b, -product);
#else
	const lanes_f64 high_a = a * 134217729.0 - (a * 134217729.0 - a), low_a = a - high_a, /* 2^27 + 1 */
	    high_b = b * 134217729.0 - (b * 134217729.0 - b), low_b = b - high_b;

	return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
#endif
}

DEVICE_INLINE lanes_f64 lanes_lost_by_sum(lanes_f64 a, lanes_f64 b, lanes_f64 sum)
{
	const lanes_f64 added = sum - a;

	return (a - (sum - added)) + (b - added);
}

/* Sine and cosine.
 *
 * Reduction by Cody and Waite: pi/2 in three parts, the first two of 25 and 24 bits, so that their
 * products with a quadrant number below 2^28 are exact.  Polynomials on [-pi/4, pi/4]: the
 * minimax coefficients published with fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c). */
#define HALF_PI_FIRST 0x1.921fb5p+0
#define HALF_PI_SECOND 0x1.110b46p-26
#define HALF_PI_THIRD 0x1.1a62633145c07p-54

/* The quadrant of x, in the low bits of *quadrant, as a number. */
DEVICE_INLINE lanes_f64 lanes_quadrant(lanes_f64 x, lanes_u64 *quadrant)
{
	const f64 round_to_integer = 6755399441055744.0; /* 1.5 * 2^52 */
	const lanes_f64 shifted = x * 0.63661977236758134308 + round_to_integer;

	*quadrant = LANES_AS_U64(shifted);
	return shifted - round_to_integer;
}

/* (sin(y) - y)/y^3 and (cos(y) - 1 + y^2/2)/y^4 of z = y^2 */
DEVICE_INLINE lanes_f64 lanes_sine_series(lanes_f64 z, const int fused)
{
	lanes_f64 s =
	    MULADD(fused, z, LANES_SPLAT(1.58969099521155010221e-10), LANES_SPLAT(-2.50507602534068634195e-08));
	s = MULADD(fused, s, z, LANES_SPLAT(2.75573137070700676789e-06));
	s = MULADD(fused, s, z, LANES_SPLAT(-1.98412698298579493134e-04));
	s = MULADD(fused, s, z, LANES_SPLAT(8.33333333332248946124e-03));
	return MULADD(fused, s, z, LANES_SPLAT(-1.66666666666666324348e-01));
}

DEVICE_INLINE lanes_f64 lanes_cosine_series(lanes_f64 z, const int fused)
{
	lanes_f64 c =
	    MULADD(fused, z, LANES_SPLAT(-1.13596475577881948265e-11), LANES_SPLAT(2.08757232129817482790e-09));
	c = MULADD(fused, c, z, LANES_SPLAT(-2.75573143513906633035e-07));
	c = MULADD(fused, c, z, LANES_SPLAT(2.48015872894767294178e-05));
	c = MULADD(fused, c, z, LANES_SPLAT(-1.38888888888741095749e-03));
	return MULADD(fused, c, z, LANES_SPLAT(4.16666666666666019037e-02));
}

/* Odd quadrants swap sine and cosine; quadrants 2, 3 and 1, 2 change their signs. */
DEVICE_INLINE void lanes_turn(lanes_u64 quadrant, lanes_f64 s, lanes_f64 c, lanes_f64 *sine, lanes_f64 *cosine)
{
	lanes_u64 odd = 0 - (quadrant & 1);
	lanes_u64 sine_bits = (LANES_AS_U64(s) & ~odd) | (LANES_AS_U64(c) & odd);
	lanes_u64 cosine_bits = (LANES_AS_U64(c) & ~odd) | (LANES_AS_U64(s) & odd);
	*sine = LANES_AS_F64(sine_bits ^ ((quadrant & 2) << 62));
	*cosine = LANES_AS_F64(cosine_bits ^ (((quadrant + 1) & 2) << 62));
}

/* sin(x) and cos(x) for |x| < 2e8, absolute error below 3e-16 plus the rounding of x itself, and
 * relative error of the same size where |x| is small. */
DEVICE_FUNCTION void lanes_sincos(lanes_f64 x, lanes_f64 *sine, lanes_f64 *cosine, const int fused)
{
	lanes_u64 quadrant;
	const lanes_f64 n = lanes_quadrant(x, &quadrant);

	lanes_f64 y = x - n * HALF_PI_FIRST;
	y = y - n * HALF_PI_SECOND;
	y = y - n * HALF_PI_THIRD;

	const lanes_f64 z = y * y, s = MULADD(fused, lanes_sine_series(z, fused) * z, y, y);
	lanes_f64 c = MULADD(fused, lanes_cosine_series(z, fused), z, LANES_SPLAT(-0.5));
	c = MULADD(fused, c, z, LANES_SPLAT(1.0));
	lanes_turn(quadrant, s, c, sine, cosine);
}

/* Sine and cosine of high + low for |high| < 2e8 and |low| < 1e-7, absolute errors below 1.2e-16, the same bits on every device. The
 * argument that is left of the reduction is a sum of two numbers, y + low, as in fdlibm (e_rem_pio2.c, k_sin.c, k_cos.c). */
DEVICE_FUNCTION void lanes_sincos_of_sum(lanes_f64 high, lanes_f64 low, lanes_f64 *sine, lanes_f64 *cosine)
{
	lanes_u64 quadrant;
	const lanes_f64 n = lanes_quadrant(high, &quadrant), first = high - n * HALF_PI_FIRST,
			second = n * HALF_PI_SECOND, most = first - second,
			rest = (lanes_lost_by_sum(first, -second, most) - n * HALF_PI_THIRD) + low, y = most + rest;

	low = (most - y) + rest;
	const lanes_f64 z = y * y, halved = z * 0.5, near = LANES_SPLAT(1.0) - halved;
	const lanes_f64 s = y + (lanes_sine_series(z, 0) * z * y + low * near);
	const lanes_f64 c =
	    near + (((LANES_SPLAT(1.0) - near) - halved) + (lanes_cosine_series(z, 0) * (z * z) - y * low));
	lanes_turn(quadrant, s, c, sine, cosine);
}

/* exp(x) for x <= 700, relative error below 3e-16; 0 below -700, where it is less than 1e-304.
 *
 * x = n ln 2 + y with ln 2 in two parts, and Taylor's polynomial of degree 13 on |y| <= ln(2)/2, whose remainder
 * is below 5e-18. */
DEVICE_FUNCTION lanes_f64 lanes_exp(lanes_f64 x, const int fused)
{
	const f64 round_to_integer = 6755399441055744.0; /* 1.5 * 2^52 */
	lanes_u64 large = LANES_LESS_MASK(x, LANES_SPLAT(-700.0));
	lanes_f64 shifted = x * 1.44269504088896340736 + round_to_integer;
	lanes_f64 n = shifted - round_to_integer;
	lanes_f64 y = x - n * 0x1.62e42feep-1;
	y = y - n * 0x1.a39ef35793c76p-33;

	lanes_f64 e = MULADD(fused, y, LANES_SPLAT(1.0 / 6227020800.0), LANES_SPLAT(1.0 / 479001600.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 39916800.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 3628800.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 362880.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 40320.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 5040.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 720.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 120.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 24.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0 / 6.0));
	e = MULADD(fused, e, y, LANES_SPLAT(0.5));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0));
	e = MULADD(fused, e, y, LANES_SPLAT(1.0));
	/* times 2^n: n is in the low bits of `shifted`, the exponent 52 bits higher */
	return LANES_AS_F64((LANES_AS_U64(e) + (LANES_AS_U64(shifted) << 52)) & ~large);
}

/* erfc(x) for x >= 0, relative error below 4e-15 for x < 6, that of x^2 beyond.
 *
 * (1 + 2x) exp(x^2) erfc(x) is smooth in u = (x - 4)/(x + 4) (Shepherd and Laframboise, Math. Comp. 36 (1981) 249); its
 * Chebyshev series, found here in 50 digits, ends after 25 terms at 1e-17. */
DEVICE_FUNCTION lanes_f64 lanes_erfc(lanes_f64 x, const int fused)
{
	const f64 series[25] = {
	    1.177483200537448699,      -0.007260796620301900478,  -0.08126512323618499786,  0.06009212804122225,
	    -0.02875393558027666027,   0.01059566336347286001,    -0.003136927294554264238, 0.0007456494372536184043,
	    -0.0001369696503010054068, 0.00001718386160030093711, -7.158364623450346863e-7, -2.426139944244953201e-7,
	    5.576570939570356404e-8,   -2.105786951380949481e-9,  -1.171788935188495685e-9, 1.909835517245668792e-10,
	    1.408871764208812966e-11,  -6.901108320480814955e-12, 9.167958364111293286e-14, 2.145450828655455299e-13,
	    -1.471657502701062422e-14, -6.668675118770407924e-15, 7.504598509880083025e-16, 2.220093006666320036e-16,
	    -3.170489895633088836e-17};
	const lanes_f64 u = (x - 4.0) / (x + 4.0), twice = u + u;
	lanes_f64 last = LANES_SPLAT(0.0), before = LANES_SPLAT(0.0);

	UNROLL
	for (int k = 24; k > 0; --k) {
		const lanes_f64 next = MULADD(fused, twice, last, LANES_SPLAT(series[k]) - before);
		before = last;
		last = next;
	}
	const lanes_f64 sum = MULADD(fused, u, last, LANES_SPLAT(series[0]) - before);
	return sum * lanes_exp(-(x * x), fused) / (1.0 + 2.0 * x);
}

#endif
