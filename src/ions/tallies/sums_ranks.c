/* Adding the sums of several ranks. All are integers, so that the result does not depend on how the ions were dealt. */
#include "ions/tallies/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ions/plan/plan.h"
#include "parallel/parallel.h"

#define BLOCKS_AT_ONCE 1024u

static size_t block_count(const struct ions_sums *sums)
{
	return (ions_sums_tally_count(sums) + SUMS_OF_BLOCK - 1) / SUMS_OF_BLOCK;
}

/* Blocks that are filled on any rank. */
static sonde_status share_filled(struct ions_sums *sums, struct parallel *ranks)
{
	const size_t count = block_count(sums);
	uint64_t *filled;

	CHECK(memory_allocate(&filled, count, sizeof *filled, "the tallies of the ranks"));
	for (size_t k = 0; k < count; ++k)
		filled[k] = sums->filled[k];
	const sonde_status status = parallel_sum(ranks, filled, count);
	for (size_t k = 0; k < count; ++k)
		sums->filled[k] = filled[k] > 0;
	free(filled);
	return status;
}

/* Moves up to BLOCKS_AT_ONCE filled blocks from *first on to `packed`, or back. Returns their tallies. */
static size_t move_blocks(struct ions_sums *sums, size_t *first, ions_sum *packed, bool back)
{
	size_t count = 0, end;

	for (size_t blocks = 0; blocks < BLOCKS_AT_ONCE && ions_sums_next_filled(sums, first, &end); ++blocks) {
		const size_t each = end - *first;
		ions_sum *from = back ? packed + count : sums->tallies + *first;
		memcpy(back ? sums->tallies + *first : packed + count, from, each * sizeof *packed);
		count += each;
		*first = end;
	}
	return count;
}

static sonde_status share_tallies(struct ions_sums *sums, struct parallel *ranks)
{
	ions_sum *packed;
	sonde_status status;

	CHECK(share_filled(sums, ranks));
	CHECK(memory_allocate(&packed, BLOCKS_AT_ONCE * SUMS_OF_BLOCK, sizeof *packed, "the tallies of the ranks"));
	for (size_t first = 0;;) {
		size_t again = first;
		const size_t count = move_blocks(sums, &first, packed, false);
		status = count > 0 ? parallel_sum_wide(ranks, packed, count) : SONDE_OK;
		if (count == 0 || status != SONDE_OK)
			break;
		(void)move_blocks(sums, &again, packed, true);
	}
	free(packed);
	return status;
}

typedef sonde_status exchange(struct parallel *ranks, const void *own, size_t own_size, void **all, size_t *size);

/* Replaces a list by those of all ranks. */
static sonde_status share_list(struct parallel *ranks, exchange *bring, void *list, int64_t *count, size_t *capacity,
			       size_t each)
{
	void *own, *all;
	size_t size;

	memcpy(&own, list, sizeof own);
	CHECK(bring(ranks, own, (size_t)*count * each, &all, &size));
	free(own);
	memcpy(list, &all, sizeof all);
	*count = (int64_t)(size / each);
	*capacity = (size_t)*count;
	return SONDE_OK;
}

sonde_status ions_sums_share(struct ions_sums *sums, struct parallel *ranks)
{
	struct ions_aside *aside = &sums->aside;
	uint64_t ions = (uint64_t)sums->ions;

	CHECK(share_tallies(sums, ranks));
	CHECK(parallel_sum_wide(ranks, sums->moments, (size_t)IONS_GROUPS * MOMENTS));
	CHECK(parallel_sum_wide(ranks, sums->leaving, ions_sums_leaving_count(sums)));
	CHECK(parallel_sum(ranks, sums->spectra, ions_sums_spectrum_count(sums)));
	CHECK(parallel_sum(ranks, &ions, 1));
	sums->ions = (int64_t)ions;
	/* megabytes, of which the first rank, which writes them, has most: those of the ions with the lowest numbers */
	CHECK(share_list(ranks, parallel_collect, &sums->exits, &sums->exit_count, &sums->exit_capacity,
			 sizeof *sums->exits));
	CHECK(share_list(ranks, parallel_gather, &aside->places, &aside->place_count, &aside->place_capacity,
			 sizeof *aside->places));
	return share_list(ranks, parallel_gather, &aside->atoms, &aside->atom_count, &aside->atom_capacity,
			  sizeof *aside->atoms);
}
