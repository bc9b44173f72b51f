/* The orientations of a sample. */
#ifndef SONDE_PATTERN_AVERAGE_TURNS_H
#define SONDE_PATTERN_AVERAGE_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include "sonde/pattern.h"

enum turns_kind { TURNS_ONE, TURNS_LIST, TURNS_RANDOM, TURNS_GRID, TURNS_FIBER };

/* Orientation k turns the sample by R_k O, with O that of the option `orientation`. */
struct turns {
	enum turns_kind kind;
	int64_t count;
	bool sampled;  /* orientations are independent samples of a distribution */
	bool turned;   /* some orientation may differ from that of the sample's file */
	double weight; /* the sum of the weights */
	int degree;    /* to which a grid, or equal angles, are exact; else 0 */
	double first[3][3];
	double (*listed)[3][3], *weights; /* of a list */
	int64_t points;                   /* of a grid: P */
	double *nodes, *node_weights;
	double axis[3], direction[3], spread; /* of a fiber: unit vectors, radians */
	int64_t seed;
};

/* Freed by turns_free(), also after a failure. */
sonde_status turns_make(const sonde_pattern_options *options, struct turns *turns);
void turns_free(struct turns *turns);
/* Orientation k of sample number `sample`; different samples have different random orientations. Returns its weight: 1 for
 * samples of a distribution, so that means of more of them begin with the same sums, and parts of 1 for others. */
double turns_get(const struct turns *turns, int64_t sample, int64_t k, double rotation[3][3]);
/* "uniform, 256 orientations, exact to degree 7" */
void turns_describe(const struct turns *turns, char *text, size_t size);

#endif
