/* Sums of sin(q r) over many distances r on a uniform grid of q: one fused multiply-add and one
 * addition for each distance and q.
 *
 * With t = 2 cos(r dq), sin((k+1) r dq + p) = t sin(k r dq + p) - sin((k-1) r dq + p): Chebyshev's
 * recurrence.  It runs forward for Q_BLOCK points and starts afresh from (sin, cos) of the
 * block's first phase, which is advanced from block to block by a rotation: the error of the
 * recurrence stays below Q_BLOCK^2/2 roundings and that of the phases grows only linearly with
 * the number of blocks.  Running forward keeps small phases accurate in the relative sense.
 *
 * Distances are taken WIDTH at a time, whatever the LANES of the device: distance number n of a batch is
 * always added to column n mod WIDTH, in the same order.  With `fused` = 0 no multiply-add is fused, and
 * then the result is bit-identical on every IEEE machine.
 */
#ifndef SONDE_DEBYE_SINC_SERIES_H
#define SONDE_DEBYE_SINC_SERIES_H

#include "device/kernel.h"
#include "debye/kernels/series_layout.h"
#include "device/kernel_math.h"

#define CHAINS 4u /* recurrences in flight, to hide the latency of the multiply-add */
/* rows of WIDTH distances per call, a multiple of CHAINS; a work-item of a GPU has no room for more */
#define BATCH (LANES == 1u ? 4u : 32u)
#define PARTS (WIDTH / LANES) /* SIMD registers of a row */

/* Data of each distance of a batch; row v, part s at [v * PARTS + s]. */
struct sinc_batch {
	lanes_f64 sine[BATCH * PARTS], cosine[BATCH * PARTS]; /* weight * sin, cos of the block's first phase */
	lanes_f64 step_sine[BATCH * PARTS], step_cosine[BATCH * PARTS];   /* of r dq */
	lanes_f64 block_sine[BATCH * PARTS], block_cosine[BATCH * PARTS]; /* of r dq Q_BLOCK */
};

/* Sets entry v of a batch: distances r with weights w (0 for lanes to be ignored). */
DEVICE_FUNCTION void sinc_batch_set(struct sinc_batch *batch, u32 v, lanes_f64 r, lanes_f64 w, f64 q_first,
				    f64 q_step, const int fused)
{
	lanes_f64 sine, cosine;
	lanes_sincos(r * q_first, &sine, &cosine, fused);
	batch->sine[v] = sine * w;
	batch->cosine[v] = cosine * w;
	lanes_sincos(r * q_step, &sine, &cosine, fused);
	batch->step_sine[v] = sine;
	batch->step_cosine[v] = cosine;
	lanes_sincos(r * (q_step * (f64)Q_BLOCK), &sine, &cosine, fused);
	batch->block_sine[v] = sine;
	batch->block_cosine[v] = cosine;
}

/* Pads a batch of `rows` rows to a multiple of CHAINS with distances of weight 0; returns the number of rows. */
DEVICE_FUNCTION u32 sinc_batch_pad(struct sinc_batch *batch, u32 rows)
{
	for (; rows % CHAINS != 0; ++rows) {
		for (u32 part = 0; part < PARTS; ++part) {
			u32 v = rows * PARTS + part;
			batch->sine[v] = batch->cosine[v] = LANES_SPLAT(0.0);
			batch->step_sine[v] = batch->step_cosine[v] = LANES_SPLAT(0.0);
			batch->block_sine[v] = batch->block_cosine[v] = LANES_SPLAT(0.0);
		}
	}
	return rows;
}

/* sums[(block * Q_BLOCK + k) * WIDTH + column] += the column's contribution to sum w sin(q r); `rows` is a
 * multiple of CHAINS. */
DEVICE_FUNCTION void sinc_batch_add(struct sinc_batch *batch, u32 rows, u32 q_blocks, GLOBAL f64 *sums,
				    const int fused)
{
	for (u32 block = 0; block < q_blocks; ++block) {
		for (u32 first = 0; first < rows * PARTS; first += CHAINS * PARTS) {
			for (u32 part = 0; part < PARTS; ++part) {
				GLOBAL f64 *sum = sums + ((u64)block * Q_BLOCK * WIDTH + part * LANES);
				lanes_f64 previous[CHAINS], current[CHAINS], twice_cosine[CHAINS];
				UNROLL
				for (u32 c = 0; c < CHAINS; ++c) {
					u32 v = first + part + c * PARTS;
					lanes_f64 sine = batch->sine[v], cosine = batch->cosine[v];
					lanes_f64 step_cosine = batch->step_cosine[v];
					lanes_f64 block_sine = batch->block_sine[v];
					lanes_f64 block_cosine = batch->block_cosine[v];
					previous[c] = sine;
					current[c] = MULADD(fused, cosine, batch->step_sine[v], sine * step_cosine);
					twice_cosine[c] = step_cosine + step_cosine;
					batch->sine[v] = MULADD(fused, cosine, block_sine, sine * block_cosine);
					batch->cosine[v] = MULADD(fused, -sine, block_sine, cosine * block_cosine);
				}
				for (u32 k = 0; k < Q_BLOCK; k += 2, sum += 2 * WIDTH) {
					lanes_f64 even = (previous[0] + previous[1]) + (previous[2] + previous[3]);
					lanes_f64 odd = (current[0] + current[1]) + (current[2] + current[3]);
					LANES_STORE(sum, LANES_LOAD(sum) + even);
					LANES_STORE(sum + WIDTH, LANES_LOAD(sum + WIDTH) + odd);
					UNROLL
					for (u32 c = 0; c < CHAINS; ++c) {
						previous[c] =
						    MULADD(fused, twice_cosine[c], current[c], -previous[c]);
						current[c] = MULADD(fused, twice_cosine[c], previous[c], -current[c]);
					}
				}
			}
		}
	}
}

/* Adds up the columns of a work-item: totals[k] for q point k. */
DEVICE_FUNCTION void sinc_sums_finish(GLOBAL const f64 *sums, u32 q_count, GLOBAL f64 *totals)
{
	for (u32 k = 0; k < q_count; ++k) {
		f64 total = 0.0;
		for (u32 column = 0; column < WIDTH; ++column)
			total += sums[(u64)k * WIDTH + column];
		totals[k] = total;
	}
}

#endif
