/* exp(i q.r) with a phase of about twice the precision of float64, as pattern_wave() of reference.c computes it. The bits are the same on
 * every device: nothing is fused but the products' exact rest. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_EXACT_H
#define SONDE_PATTERN_KERNELS_PATTERN_EXACT_H

#define EXACT_ATOMS 512u /* that a kernel adds at a time, at one point after the other */
#define EXACT_COLUMNS \
	8u /* sums of a point, whatever the LANES; atom number n of those at a time is added to sum n % EXACT_COLUMNS */
#define EXACT_NUMBERS \
	32u /* of a point: real and imaginary parts, each the sums and what they have lost by rounding */

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
