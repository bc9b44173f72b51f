/* Sines and cosines of phases t in revolutions. In float32, with y = t - round(t), |y| <= 1/2, and s = sqrt(2) sin(pi y), c = sqrt(2)
 * cos(pi y),
 *     sin(2 pi t) = s c,   cos(2 pi t) = 1 - s^2,
 * which takes neither a selection by quadrants nor integers. In float64, n = round(2 t) and y = t - n/2, |y| <= 1/4, for which shorter
 * polynomials suffice; both change their signs where n is odd. s/y and c are polynomials in y^2, interpolated at Chebyshev
 * nodes (in 60 digits); errors of s and c are below 1e-16 in float64 and 1e-8 in float32, but for rounding. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_PHASE_H
#define SONDE_PATTERN_KERNELS_PATTERN_PHASE_H

#define NEXT_F32(sum, u, coefficient) sum = LANES_MULADD_F32(sum, u, LANES_SPLAT_F32((f32)(coefficient)))
#define NEXT_F64(sum, u, coefficient) sum = LANES_MULADD(sum, u, LANES_SPLAT(coefficient))

DEVICE_INLINE void phase_half_angle_f32(lanes_f32 t, lanes_f32 *sine, lanes_f32 *cosine)
{
	const f32 to_integer = 12582912.0f; /* 1.5 * 2^23 */
	const lanes_f32 part = t - ((t + to_integer) - to_integer), u = part * part;
	lanes_f32 s = LANES_SPLAT_F32(0.10982204433919414f), c = LANES_SPLAT_F32(-0.03450105803908895f);

	NEXT_F32(s, u, -0.8461104138748002);
	NEXT_F32(s, u, 3.6063540251301247);
	NEXT_F32(s, u, -7.308245676836437);
	NEXT_F32(s, u, 4.442882919048678);
	NEXT_F32(c, u, 0.3322511887113495);
	NEXT_F32(c, u, -1.888274847470735);
	NEXT_F32(c, u, 5.7398815323938654);
	NEXT_F32(c, u, -6.978864109672646);
	NEXT_F32(c, u, 1.4142135620607716);
	*sine = s * part;
	*cosine = c;
}

/* *flipped = +-s and *sign = +-1, the latter (-1)^n: sin(2 pi t) = flipped c, cos(2 pi t) = sign - flipped s. */
DEVICE_INLINE void phase_quarter_f64(lanes_f64 t, lanes_f64 *sine, lanes_f64 *cosine, lanes_f64 *flipped,
				     lanes_f64 *sign)
{
	const f64 to_half = 3377699720527872.0; /* 1.5 * 2^51: the last bit of a sum stands for 1/2 */
	const lanes_f64 shifted = t + to_half, part = t - (shifted - to_half), u = part * part;
	const lanes_u64 odd = LANES_AS_U64(shifted) << 63;
	lanes_f64 s = LANES_SPLAT(0.0006527046093506782), c = LANES_SPLAT(0.002696635598933009);

	NEXT_F64(s, u, -0.010422784483187449);
	NEXT_F64(s, u, 0.1161718022872845);
	NEXT_F64(s, u, -0.84748802427557);
	NEXT_F64(s, u, 3.606476571465091);
	NEXT_F64(s, u, -7.308249499995417);
	NEXT_F64(s, u, 4.442882938158366);
	NEXT_F64(c, u, -0.036493694017933365);
	NEXT_F64(c, u, 0.33280765150600465);
	NEXT_F64(c, u, -1.888346714474958);
	NEXT_F64(c, u, 5.739885734919963);
	NEXT_F64(c, u, -6.978864199638775);
	NEXT_F64(c, u, 1.414213562373095);
	*sine = s * part;
	*cosine = c;
	*flipped = LANES_AS_F64(LANES_AS_U64(*sine) ^ odd);
	*sign = LANES_AS_F64(LANES_AS_U64(LANES_SPLAT(1.0)) ^ odd);
}

#undef NEXT_F32
#undef NEXT_F64
#endif
