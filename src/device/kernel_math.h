/* Mathematics that kernels share on every device. */
#ifndef SONDE_DEVICE_KERNEL_MATH_H
#define SONDE_DEVICE_KERNEL_MATH_H

/* a b + c, rounded once where `fused` (a constant) is not 0 and the hardware can, else twice */
#define MULADD(fused, a, b, c) ((fused) ? LANES_MULADD((a), (b), (c)) : (a) * (b) + (c))

/* sin(x) and cos(x) for |x| < 2e8, absolute error below 3e-16 plus the rounding of x itself, and
 * relative error of the same size where |x| is small.
 *
 * Reduction by Cody and Waite: pi/2 in three parts, the first two of 25 and 24 bits, so that their
 * products with a quadrant number below 2^28 are exact.  Polynomials on [-pi/4, pi/4]: the
 * minimax coefficients published with fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c). */
DEVICE_FUNCTION void lanes_sincos(lanes_f64 x, lanes_f64 *sine, lanes_f64 *cosine, const int fused)
{
	const f64 round_to_integer = 6755399441055744.0; /* 1.5 * 2^52 */
	lanes_f64 shifted = x * 0.63661977236758134308 + round_to_integer;
	lanes_u64 quadrant = LANES_AS_U64(shifted);
	lanes_f64 n = shifted - round_to_integer;

	lanes_f64 y = x - n * 0x1.921fb5p+0;
	y = y - n * 0x1.110b46p-26;
	y = y - n * 0x1.1a62633145c07p-54;

	lanes_f64 z = y * y;
	lanes_f64 s =
	    MULADD(fused, z, LANES_SPLAT(1.58969099521155010221e-10), LANES_SPLAT(-2.50507602534068634195e-08));
	s = MULADD(fused, s, z, LANES_SPLAT(2.75573137070700676789e-06));
	s = MULADD(fused, s, z, LANES_SPLAT(-1.98412698298579493134e-04));
	s = MULADD(fused, s, z, LANES_SPLAT(8.33333333332248946124e-03));
	s = MULADD(fused, s, z, LANES_SPLAT(-1.66666666666666324348e-01));
	s = MULADD(fused, s * z, y, y);

	lanes_f64 c =
	    MULADD(fused, z, LANES_SPLAT(-1.13596475577881948265e-11), LANES_SPLAT(2.08757232129817482790e-09));
	c = MULADD(fused, c, z, LANES_SPLAT(-2.75573143513906633035e-07));
	c = MULADD(fused, c, z, LANES_SPLAT(2.48015872894767294178e-05));
	c = MULADD(fused, c, z, LANES_SPLAT(-1.38888888888741095749e-03));
	c = MULADD(fused, c, z, LANES_SPLAT(4.16666666666666019037e-02));
	c = MULADD(fused, c, z, LANES_SPLAT(-0.5));
	c = MULADD(fused, c, z, LANES_SPLAT(1.0));

	/* odd quadrants swap sine and cosine; quadrants 2, 3 and 1, 2 turn their signs */
	lanes_u64 odd = 0 - (quadrant & 1);
	lanes_u64 sine_bits = (LANES_AS_U64(s) & ~odd) | (LANES_AS_U64(c) & odd);
	lanes_u64 cosine_bits = (LANES_AS_U64(c) & ~odd) | (LANES_AS_U64(s) & odd);
	*sine = LANES_AS_F64(sine_bits ^ ((quadrant & 2) << 62));
	*cosine = LANES_AS_F64(cosine_bits ^ (((quadrant + 1) & 2) << 62));
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
	/* times 2^n: n stands in the low bits of `shifted`, the exponent 52 bits further up */
	return LANES_AS_F64((LANES_AS_U64(e) + (LANES_AS_U64(shifted) << 52)) & ~large);
}

#endif
