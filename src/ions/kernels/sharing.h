/* When no ions are left to start, work-items in lockstep, a warp, share the waiting atoms: idle ones
 * take them from others. The sums do not depend on which work-item follows an atom. */
#ifndef SONDE_IONS_SHARING_H
#define SONDE_IONS_SHARING_H

#include "ions/kernels/collisions.h"

/* Steps between checks of a work-item whether to share. */
#define STEPS_ALONE 8u

/* Idle, with no ion left to start. */
DEVICE_FUNCTION u32 is_out_of_work(const struct flights *f)
{
	return f->state[0] == PLACE_IDLE && f->finished[0] != 0u && f->depth[0] == 0u ? 1u : 0u;
}

/* Whether to read the flags of the others of the warp. */
DEVICE_FUNCTION u32 is_time_to_look(const struct flights *f)
{
	return f->state[0] != PLACE_MOVING || f->drawn[0] % STEPS_ALONE == 0u ? 1u : 0u;
}

/* Whether any of the warp has signaled that it is out of work, or at its limit; signals it for this one. */
DEVICE_FUNCTION u32 is_time_to_share(LOCAL u32 *said, const struct flights *f, u32 time_is_up)
{
	const u32 says = is_out_of_work(f) | time_is_up;
	return LOCAL_ATOMIC_ADD_U32(said, says) + says > 0u ? 1u : 0u;
}

/* The place of the (rank + 1)-th bit. */
DEVICE_FUNCTION u32 find_bit(u32 bits, u32 rank)
{
	for (u32 k = 0; k < rank; ++k)
		bits &= bits - 1u;
	return COUNT_BITS((bits & (0u - bits)) - 1u);
}

DEVICE_FUNCTION void copy_atom(const GLOBAL struct ions_atom *from, GLOBAL struct ions_atom *to)
{
	const GLOBAL u64 *const words = (const GLOBAL u64 *)from;

	UNROLL_BY(1)
	for (u32 k = 0; k < (u32)(sizeof(struct ions_atom) / sizeof(u64)); ++k)
		((GLOBAL u64 *)to)[k] = words[k];
}

/* The first idle work-item takes the longest waiting atom, which has the most energy, of the first one with
 * waiting atoms, and so on. Needs all of the warp. Returns whether any of it still has work. */
DEVICE_FUNCTION u32 share_atoms(const struct run *run, struct flights *f)
{
	const u32 takers = WARP_VOTE(is_out_of_work(f)), givers = WARP_VOTE(f->depth[0] > 0u);
	const u32 below = (1u << WARP_ID) - 1u, rank_taking = COUNT_BITS(takers & below),
		  rank_giving = COUNT_BITS(givers & below);
	const u32 pairs = COUNT_BITS(takers) < COUNT_BITS(givers) ? COUNT_BITS(takers) : COUNT_BITS(givers);
	const u32 takes = is_out_of_work(f) != 0u && rank_taking < pairs ? 1u : 0u;
	const u32 gives = f->depth[0] > 0u && rank_giving < pairs ? 1u : 0u;

	if (pairs == 0u)
		return COUNT_BITS(takers) < WARP_SIZE ? 1u : 0u;
	const u32 giver = takes != 0u ? find_bit(givers, rank_taking) : WARP_ID;
	const u32 from = WARP_FROM_U32(f->taken[0], giver);
	const u64 ion = WARP_FROM_U64(f->ion[0], giver);
	WARP_FENCE();
	if (takes != 0u) {
		const u32 stack = run->job->stack, other = run->first_stack - WARP_ID + giver;
		copy_atom(run->stacks + (u64)other * stack + from, run->stacks + (u64)run->first_stack * stack);
		flush(run, f, 0u);
		f->ion[0] = ion;
		f->base[0] = tallies_of_ion(run, ion);
		f->taken[0] = 0u;
		f->depth[0] = 1u;
	}
	WARP_FENCE();
	if (gives != 0u) {
		++f->taken[0];
		--f->depth[0];
	}
	return 1u;
}

#endif
