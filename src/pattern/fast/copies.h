/* Atoms of copies by placements, which are placed in batches. */
#ifndef SONDE_PATTERN_FAST_COPIES_H
#define SONDE_PATTERN_FAST_COPIES_H

#include "pattern/pattern.h"

/* An atom, relative to the center of the sample, or of a copy, in its structure. */
struct fast_atom {
	double r[3];
	int64_t class;
};

#define COPIES_BATCH (1 << 20) /* atoms */

/* Consecutive atoms of one structure, in the order of the atoms of the fast method. */
struct fast_run {
	int64_t first, count;
	const struct pattern_copies_of *group;
};
struct fast_copies {
	const struct pattern_sample *sample;
	struct fast_run *runs;
	size_t count;
};
/* Some atoms of all copies of a run, one copy after the other, each with those of the run. */
struct fast_batch {
	const struct fast_run *run; /* null: before the first batch */
	int64_t first, count;
};
/* The next batch of the copies of atoms `begin` to `end` - 1; false after the last one. */
bool fast_copies_next(const struct fast_copies *copies, int64_t begin, int64_t end, struct fast_batch *batch);
/* Places the atoms of a batch, `atoms` being those of one copy. */
void fast_copies_place(const struct fast_copies *copies, const struct fast_atom *atoms,
		       const struct fast_batch *batch, int threads, struct fast_atom *placed);
/* The most atoms of a batch. */
int64_t fast_copies_most(const struct pattern_sample *sample);

#endif
