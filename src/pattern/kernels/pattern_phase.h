/* Sines and cosines of phases t in revolutions. With y = t - round(t), |y| <= 1/2, and s = sqrt(2) sin(pi y), c = sqrt(2) cos(pi y),
 *     sin(2 pi t) = s c,   cos(2 pi t) = 1 - s^2,
 * which takes neither a selection by quadrants nor integers. s/y and c are polynomials in y^2, interpolated at Chebyshev
 * nodes (in 60 digits); errors of s and c are below 3e-16 in float64 and 1e-8 in float32, but for rounding. */
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

DEVICE_INLINE void phase_half_angle_f64(lanes_f64 t, lanes_f64 *sine, lanes_f64 *cosine)
{
	const f64 to_integer = 6755399441055744.0; /* 1.5 * 2^52 */
	const lanes_f64 part = t - ((t + to_integer) - to_integer), u = part * part;
	lanes_f64 s = LANES_SPLAT(-2.988746242341231e-05), c = LANES_SPLAT(5.868370187285554e-06);

	NEXT_F64(s, u, 0.0006590051576402603);
	NEXT_F64(s, u, -0.010423269190210157);
	NEXT_F64(s, u, 0.11617181591508294);
	NEXT_F64(s, u, -0.8474880241137543);
	NEXT_F64(s, u, 3.606476571448815);
	NEXT_F64(s, u, -7.308249499995179);
	NEXT_F64(s, u, 4.442882938158366);
	NEXT_F64(c, u, -0.00014787943797119497);
	NEXT_F64(c, u, 0.002728804649905714);
	NEXT_F64(c, u, -0.03649645205452199);
	NEXT_F64(c, u, 0.3328077687709919);
	NEXT_F64(c, u, -1.888346717030254);
	NEXT_F64(c, u, 5.739885734946354);
	NEXT_F64(c, u, -6.978864199638876);
	NEXT_F64(c, u, 1.4142135623730951);
	*sine = s * part;
	*cosine = c;
}

#undef NEXT_F32
#undef NEXT_F64
#endif
