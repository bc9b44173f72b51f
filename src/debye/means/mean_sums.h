/* Weighted sums of the curves of samples, from which the curves of their mean follow. All of them are linear: intensities,
 * numbers of atoms, amplitudes, and sums over pairs of atoms. */
#ifndef SONDE_DEBYE_MEAN_SUMS_H
#define SONDE_DEBYE_MEAN_SUMS_H

#include "debye/means/mean_blocks.h"

struct species_sum {
	char label[SONDE_LABEL_SIZE];
	double atoms, present;
};

/* A pair of species with labels in ascending order: rows of numbers, and its counts. */
struct pair_sum {
	char a[SONDE_LABEL_SIZE], b[SONDE_LABEL_SIZE];
	double pairs;             /* of atoms */
	double *intensity, *sinc; /* over q: of N I_ab, and of sin(qr)/(qr), each pair of atoms once */
	double *intensity_error, *sinc_error;
	double *radial, *coordination; /* over r: N_a R_ab, N_a n_ab; null without counts */
	double *counted, *distances;   /* over bins: pairs, and the sum of their distances */
	size_t counted_room, distances_room;
	int64_t bins;
};

#define MEAN_ROWS_OVER_Q 9
#define MEAN_ROWS_OVER_R 3

/* Begins as {0}. */
struct mean_sums {
	int64_t samples, q_count, r_count;
	double weight, atoms, present;
	double *over_q, *over_r;
	struct species_sum *species;
	struct pair_sum *pairs;
	size_t species_count, species_room, pair_count, pair_room;
	int64_t bin_count, checked_points; /* the largest number of bins, and all checked points */
	struct mean_blocks blocks;
};

void mean_sums_free(struct mean_sums *sums);
sonde_status mean_sums_add(struct mean_sums *sums, const sonde_debye_result *sample, double weight);
/* The sums of a species, or of a pair of them, made if there are none; they are usually at the given place. `counted`: with
 * rows over r. */
sonde_status mean_sums_species(struct mean_sums *sums, const char *label, size_t place, struct species_sum **found);
sonde_status mean_sums_pair(struct mean_sums *sums, const char *a, const char *b, size_t place, bool counted,
			    struct pair_sum **found);
/* Zeros for bins that it does not have yet. */
sonde_status mean_sums_grow_bins(struct pair_sum *pair, int64_t bins);
/* Fills everything of the mean but the origin, standard errors, weights, and time, at the points of its first sample; `result` has its options, grids, and
 * provenance. */
sonde_status mean_sums_deliver(sonde_context *context, const struct mean_sums *sums, const sonde_debye_result *first,
			       sonde_debye_result *result);

#endif
