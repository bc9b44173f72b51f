/* Sums of sin(q r) over many distances r on a uniform grid of q: one fused multiply-add and one
 * addition for each distance and q.
 *
 * With t = 2 cos(r dq), sin((k+1) r dq + p) = t sin(k r dq + p) - sin((k-1) r dq + p): Chebyshev's
 * recurrence.  It runs forward for Q_BLOCK points and starts afresh from (sin, cos) of the
 * block's first phase, which is carried from block to block by a rotation: the error of the
 * recurrence stays below Q_BLOCK^2/2 roundings and that of the phases grows only linearly with
 * the number of blocks.  Running forward keeps small phases exact relative to themselves.
 */
#ifndef SONDE_DEBYE_SINC_SERIES_H
#define SONDE_DEBYE_SINC_SERIES_H

#include "device/kernel_math.h"

#define Q_BLOCK 32u     /* q points of one recurrence */
#define CHAINS 4u       /* recurrences in flight, to hide the latency of the multiply-add */
#define BATCH 32u       /* vectors of distances that one call takes, a multiple of CHAINS */

/* What the series needs of each distance of a batch. */
struct sinc_batch {
	lanes_f64 sine[BATCH], cosine[BATCH];             /* weight * sin, cos of the block's first phase */
	lanes_f64 step_sine[BATCH], step_cosine[BATCH];   /* of r dq */
	lanes_f64 block_sine[BATCH], block_cosine[BATCH]; /* of r dq Q_BLOCK */
};

/* Entry v of a batch: distances r with weights w (0 for lanes to be left out). */
DEVICE_FUNCTION void sinc_batch_set(struct sinc_batch *batch, u32 v, lanes_f64 r, lanes_f64 w,
				    f64 q_first, f64 q_step)
{
	lanes_f64 sine, cosine;
	lanes_sincos(r * q_first, &sine, &cosine);
	batch->sine[v] = sine * w;
	batch->cosine[v] = cosine * w;
	lanes_sincos(r * q_step, &sine, &cosine);
	batch->step_sine[v] = sine;
	batch->step_cosine[v] = cosine;
	lanes_sincos(r * (q_step * (f64)Q_BLOCK), &sine, &cosine);
	batch->block_sine[v] = sine;
	batch->block_cosine[v] = cosine;
}

/* sums[(block * Q_BLOCK + k) * LANES + lane] += the lane's part of sum_v w sin(q r); `count` is a
 * multiple of CHAINS. */
DEVICE_FUNCTION void sinc_batch_add(struct sinc_batch *batch, u32 count, u32 q_blocks,
				    GLOBAL f64 *sums)
{
	for (u32 block = 0; block < q_blocks; ++block) {
		GLOBAL f64 *block_sums = sums + (u64)block * Q_BLOCK * LANES;
		for (u32 v = 0; v < count; v += CHAINS) {
			lanes_f64 previous[CHAINS], current[CHAINS], twice_cosine[CHAINS];
			UNROLL
			for (u32 c = 0; c < CHAINS; ++c) {
				lanes_f64 sine = batch->sine[v + c], cosine = batch->cosine[v + c];
				lanes_f64 step_sine = batch->step_sine[v + c];
				lanes_f64 step_cosine = batch->step_cosine[v + c];
				lanes_f64 block_sine = batch->block_sine[v + c];
				lanes_f64 block_cosine = batch->block_cosine[v + c];
				previous[c] = sine;
				current[c] = LANES_MULADD(cosine, step_sine, sine * step_cosine);
				twice_cosine[c] = step_cosine + step_cosine;
				batch->sine[v + c] = LANES_MULADD(cosine, block_sine, sine * block_cosine);
				batch->cosine[v + c] = LANES_MULADD(-sine, block_sine, cosine * block_cosine);
			}
			for (u32 k = 0; k < Q_BLOCK; k += 2) {
				lanes_f64 even = (previous[0] + previous[1]) + (previous[2] + previous[3]);
				lanes_f64 odd = (current[0] + current[1]) + (current[2] + current[3]);
				GLOBAL f64 *sum = block_sums + k * LANES;
				LANES_STORE(sum, LANES_LOAD(sum) + even);
				LANES_STORE(sum + LANES, LANES_LOAD(sum + LANES) + odd);
				UNROLL
				for (u32 c = 0; c < CHAINS; ++c) {
					previous[c] = LANES_MULADD(twice_cosine[c], current[c], -previous[c]);
					current[c] = LANES_MULADD(twice_cosine[c], previous[c], -current[c]);
				}
			}
		}
	}
}

#endif
