/* exp(i q.r) with a phase of about twice the precision of float64, as pattern_wave() of reference.c computes it. The bits are the same on
 * every device: nothing is fused but the products' exact rest. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_EXACT_H
#define SONDE_PATTERN_KERNELS_PATTERN_EXACT_H

/* A kernel adds up to EXACT_ATOMS atoms at a time, atom number n of these to sum n % EXACT_COLUMNS, whatever the LANES. The numbers of a
 * point are these sums of real parts, what they have lost by rounding, and the same of imaginary parts. */
#define EXACT_ATOMS 512u
#define EXACT_COLUMNS 8u
#define EXACT_NUMBERS 32u

#if defined(LANES)
DEVICE_INLINE void pattern_exact_wave(const lanes_f64 *q, const lanes_f64 *r, lanes_f64 *cosine, lanes_f64 *sine)
{
	const lanes_f64 x = q[0] * r[0], y = q[1] * r[1], z = q[2] * r[2], xy = x + y, phase = xy + z;
	const lanes_f64 lost_by_products = lanes_lost_by_product(q[0], r[0], x) +
					   lanes_lost_by_product(q[1], r[1], y) +
					   lanes_lost_by_product(q[2], r[2], z);

	lanes_sincos_of_sum(phase, (lanes_lost_by_sum(x, y, xy) + lanes_lost_by_sum(xy, z, phase)) + lost_by_products,
			    sine, cosine);
}
#endif

#endif
