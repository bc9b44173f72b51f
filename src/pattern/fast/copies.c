#include "pattern/fast/copies.h"

#include "base/threads.h"
#include "matter/atoms/placed_atoms.h"

#define ATOMS_OF_THREAD 4096

bool fast_copies_next(const struct fast_copies *copies, int64_t begin, int64_t end, struct fast_batch *batch)
{
	const struct fast_run *run = batch->run, *last = copies->runs + copies->count;

	batch->first = run != NULL ? batch->first + batch->count : 0;
	if (run == NULL)
		for (run = copies->runs; run < last && run->first < begin;)
			++run;
	else if (batch->first == run->count * run->group->copies) {
		++run;
		batch->first = 0;
	}
	if (run >= last || run->first >= end)
		return false;
	const int64_t left = run->count * run->group->copies - batch->first;
	batch->run = run;
	batch->count = left < COPIES_BATCH ? left : COPIES_BATCH;
	return true;
}

struct assembling {
	const struct fast_copies *copies;
	const struct fast_atom *atoms;
	const struct fast_batch *batch;
	struct fast_atom *placed;
};

static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct assembling *assembling = state;
	const struct fast_run *run = assembling->batch->run;
	const struct pattern_sample *sample = assembling->copies->sample;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t number = assembling->batch->first + n, copy = number / run->count;
		const struct fast_atom *from = &assembling->atoms[run->first + number % run->count];
		struct fast_atom *to = &assembling->placed[n];
		placement_apply(&sample->copies.placements[run->group->first_copy + copy], from->r, to->r);
		for (int k = 0; k < 3; ++k)
			to->r[k] -= sample->center[k];
		to->class = from->class;
	}
}

void fast_copies_place(const struct fast_copies *copies, const struct fast_atom *atoms,
		       const struct fast_batch *batch, int threads, struct fast_atom *placed)
{
	struct assembling assembling = {copies, atoms, batch, placed};

	threads_for(threads, batch->count, ATOMS_OF_THREAD, place_some, &assembling);
}

int64_t fast_copies_most(const struct pattern_sample *sample)
{
	return sample->copies.count == 0 ? 0 : sample->count < COPIES_BATCH ? sample->count : COPIES_BATCH;
}
