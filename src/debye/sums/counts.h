/* Numbers of pairs by distance, kept from a histogram. */
#ifndef SONDE_DEBYE_COUNTS_H
#define SONDE_DEBYE_COUNTS_H

#include "debye/classes/classes.h"
#include "debye/motion/count_peaks.h"

struct pair_counts {
	int64_t bins; /* of each pair of species */
	double width; /* Angstrom */
	int *row;     /* of a pair of classes: its pair of species */
	double *weight;
	double *pairs, *distances; /* [pair of species][bin]: weighted numbers, and sums of their distances */
	struct count_peaks *peaks; /* of atoms that move, for R(r) and n(r); null */
	double *
	    gross; /* the same before the subtraction of pairs of sites that exclude each other; null without such pairs */
};

/* Freed by pair_counts_free(), also after a failure. */
sonde_status pair_counts_make(const struct debye_classes *classes, const struct debye_plan *plan,
			      struct pair_counts *counts);
void pair_counts_free(struct pair_counts *counts);
/* Adds `pairs` pairs of two classes in a bin, with the mean distance r. */
void pair_counts_add(struct pair_counts *counts, int pair, int64_t bin, double pairs, double r);
/* After all are counted: moves them into the result, with R(r), and g(r) if a density is given. */
sonde_status pair_counts_deliver(const struct debye_classes *classes, struct pair_counts *counts,
				 sonde_debye_result *result);

#endif
