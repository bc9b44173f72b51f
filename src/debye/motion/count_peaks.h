/* R(r) and n(r) of atoms that move. */
#ifndef SONDE_DEBYE_COUNT_PEAKS_H
#define SONDE_DEBYE_COUNT_PEAKS_H

#include "debye/classes/classes.h"

struct count_peaks {
	sonde_grid r;
	int rows;
	double *u; /* of each pair of classes: the sum of their mean square displacements */
	int pairs;
	struct pair_motion law; /* without displacements */
	/* [row][point]: numbers of pairs in the bins around the points, and between each point and the one before */
	double *radial, *steps;
};

/* Null, of atoms at rest. `rows`: pairs of species. Freed by count_peaks_free(), also after a failure. */
sonde_status count_peaks_make(const struct debye_classes *classes, const sonde_grid *r, int rows,
			      struct count_peaks **peaks);
void count_peaks_free(struct count_peaks **peaks);
/* Adds `weight` pairs of the pair of classes `pair` with the distance d to a row. */
void count_peaks_add(struct count_peaks *peaks, int row, int pair, double weight, double d);
/* Below a cut-off of the distances by this length, all pairs are counted but for 10^-6 of those at the cut-off. */
double count_peaks_reach(const struct count_peaks *peaks, double cutoff);

#endif
