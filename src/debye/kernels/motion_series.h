/* Sums of w sin(q r) exp(-q^2 s/2) over pairs with a distance r and a mean square relative displacement s of their own.
 *
 * The points of q are taken in blocks of MOTION_STEPS rows of MOTION_COLUMNS adjacent points. A lane follows one column: from
 * row to row, q grows by h = MOTION_COLUMNS dq, the sine by Chebyshev's recurrence (sinc_series.h), and the Gaussian by
 * two multiplications,
 *     e(q + h) = e(q) g(q),   g(q) = exp(-(q h + h^2/2) s),   g(q + h) = g(q) exp(-h^2 s).
 * Its relative error grows with the square of the number of steps: 128 roundings after the 16 of a block. Points that are not uniform,
 * q_step = 0, are computed one by one.
 *
 * Each lane adds its pairs in their order: the sums do not depend on LANES or LOCAL_SIZE.
 */
#ifndef SONDE_DEBYE_MOTION_SERIES_H
#define SONDE_DEBYE_MOTION_SERIES_H

#include "device/kernel.h"
#include "debye/kernels/motion_layout.h"
#include "device/kernel_math.h"

#if WORKGROUP_SHARES_LOCAL
#define MOTION_BATCH_MEMORY(name) LOCAL_MEMORY(f64, name)
#else
#define MOTION_BATCH_MEMORY(name) f64 name[MOTION_ROWS * MOTION_BATCH]
#endif

#define MOTION_PARTS (MOTION_COLUMNS / LANES) /* SIMD registers of a row of points */

/* Sets the data of LANES pairs from number n of the batch on: distances r > 0, weights w (0 for lanes to be ignored), and mean squares s. */
DEVICE_FUNCTION void motion_set(LOCAL f64 *rows, u32 n, lanes_f64 r, lanes_f64 w, lanes_f64 s, f64 q_step,
				const int fused)
{
	const f64 h = q_step * (f64)MOTION_COLUMNS;
	lanes_f64 sine, cosine;

	lanes_sincos(r * h, &sine, &cosine, fused);
	LANES_STORE(rows + n, r);
	LANES_STORE(rows + MOTION_BATCH + n, w);
	LANES_STORE(rows + 2u * MOTION_BATCH + n, s);
	LANES_STORE(rows + 3u * MOTION_BATCH + n, sine);
	LANES_STORE(rows + 4u * MOTION_BATCH + n, cosine);
	LANES_STORE(rows + 5u * MOTION_BATCH + n, lanes_exp(s * (-h * h), fused));
}

/* Adds `count` pairs to the sums of one column, at the points q, q + h, ... */
DEVICE_FUNCTION void motion_add_steps(LOCAL const f64 *rows, u32 count, lanes_f64 q, f64 h, lanes_f64 *sums,
				      const int fused)
{
	const lanes_f64 half_square = q * q * -0.5, to_next = q * -h - 0.5 * h * h;

	for (u32 n = 0; n < count; ++n) {
		const f64 r = rows[n], w = rows[MOTION_BATCH + n], s = rows[2u * MOTION_BATCH + n];
		const lanes_f64 step_sine = LANES_SPLAT(rows[3u * MOTION_BATCH + n]),
				step_cosine = LANES_SPLAT(rows[4u * MOTION_BATCH + n]),
				shrink = LANES_SPLAT(rows[5u * MOTION_BATCH + n]),
				twice_cosine = step_cosine + step_cosine;
		lanes_f64 sine, cosine, e = lanes_exp(half_square * s, fused), g = lanes_exp(to_next * s, fused);
		lanes_sincos(q * r, &sine, &cosine, fused);
		lanes_f64 previous = sine * w;
		lanes_f64 current = MULADD(fused, cosine * w, step_sine, previous * step_cosine);
		UNROLL
		for (u32 t = 0; t < MOTION_STEPS; t += 2u) {
			sums[t] = MULADD(fused, e, previous, sums[t]);
			e = e * g;
			g = g * shrink;
			sums[t + 1u] = MULADD(fused, e, current, sums[t + 1u]);
			e = e * g;
			g = g * shrink;
			previous = MULADD(fused, twice_cosine, current, -previous);
			current = MULADD(fused, twice_cosine, previous, -current);
		}
	}
}

/* Adds `count` pairs to the sum at the points q. */
DEVICE_FUNCTION lanes_f64 motion_add_point(LOCAL const f64 *rows, u32 count, lanes_f64 q, lanes_f64 sum,
					   const int fused)
{
	const lanes_f64 half_square = q * q * -0.5;

	for (u32 n = 0; n < count; ++n) {
		lanes_f64 sine, cosine;
		lanes_sincos(q * rows[n], &sine, &cosine, fused);
		sum = MULADD(fused, sine * rows[MOTION_BATCH + n],
			     lanes_exp(half_square * rows[2u * MOTION_BATCH + n], fused), sum);
	}
	return sum;
}

/* Adds `count` pairs of a batch to the sums of all q_count points, a multiple of MOTION_COLUMNS; the work-items share the columns.
 * q_values has a multiple of MOTION_BLOCK numbers. */
DEVICE_FUNCTION void motion_add(LOCAL const f64 *rows, u32 count, GLOBAL const f64 *q_values, f64 q_step, u32 q_count,
				GLOBAL f64 *totals, const int fused)
{
	const u32 blocks = (q_count + MOTION_BLOCK - 1u) / MOTION_BLOCK;

	for (u32 column = LOCAL_ID; column < blocks * MOTION_PARTS; column += LOCAL_SIZE) {
		const u32 first = column / MOTION_PARTS * MOTION_BLOCK + column % MOTION_PARTS * LANES;
		lanes_f64 sums[MOTION_STEPS];
		for (u32 t = 0; t < MOTION_STEPS; ++t)
			sums[t] = LANES_SPLAT(0.0);
		if (q_step != 0.0)
			motion_add_steps(rows, count, LANES_LOAD(q_values + first), q_step * (f64)MOTION_COLUMNS,
					 sums, fused);
		for (u32 t = 0; t < MOTION_STEPS && first + t * MOTION_COLUMNS < q_count; ++t) {
			GLOBAL f64 *total = totals + first + t * MOTION_COLUMNS;
			if (q_step == 0.0)
				sums[t] = motion_add_point(
				    rows, count, LANES_LOAD(q_values + first + t * MOTION_COLUMNS), sums[t], fused);
			LANES_STORE(total, LANES_LOAD(total) + sums[t]);
		}
	}
}

/* Sets the sums to 0; each work-item those that it adds to. */
DEVICE_FUNCTION void motion_clear(u32 q_count, GLOBAL f64 *totals)
{
	const u32 blocks = (q_count + MOTION_BLOCK - 1u) / MOTION_BLOCK;

	for (u32 column = LOCAL_ID; column < blocks * MOTION_PARTS; column += LOCAL_SIZE) {
		const u32 first = column / MOTION_PARTS * MOTION_BLOCK + column % MOTION_PARTS * LANES;
		for (u32 t = 0; t < MOTION_STEPS && first + t * MOTION_COLUMNS < q_count; ++t)
			LANES_STORE(totals + first + t * MOTION_COLUMNS, LANES_SPLAT(0.0));
	}
}

#endif
