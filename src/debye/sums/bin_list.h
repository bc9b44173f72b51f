/* The list of distances that represent the pairs in bins. */
#ifndef SONDE_DEBYE_BIN_LIST_H
#define SONDE_DEBYE_BIN_LIST_H

#include "debye/sums/bin_errors.h"
#include "debye/sums/counts.h"

/* Distances, each with its number of pairs divided by it; followed by LIST_PADDING zeros. Begins as {0}. */
struct bin_list {
	double *r, *weight_over_r;
	double *
	    s; /* of sums with a motion, to be filled by the caller: mean squares of relative displacements; else null */
	size_t count, capacity;
	uint64_t pairs;    /* in all bins */
	double coincident; /* weight of r = 0 */
	double all;        /* sum of the weights */
};

/* Bins with some words each, the first of which is the number of pairs. */
struct bins_to_list {
	const uint64_t *words;
	size_t words_per_bin;
	uint64_t first, count;                             /* number of the first bin */
	double units_per_bin, unit;                        /* Angstrom */
	struct bin_moments (*read)(const uint64_t *words); /* of a bin with pairs */
	const struct periodic *periodic;                   /* for the factor w of the weights; may be null */
};

/* Replaces the content of the list: two distances for each bin, or one if its variance is below a squared unit; `moving`: with room for
 * s. By all threads, in the order of the bins. Adds the errors of the bins to *error, and their pairs to *counts; both may
 * be null. */
sonde_status bin_list_make(int threads, const struct bins_to_list *bins, bool moving, struct bin_list *list,
			   struct histogram_error *error, struct pair_counts *counts, int pair);
void bin_list_free(struct bin_list *list);

#endif
