/* Arrays of a page: large ones are reduced to means over neighbors, or thinned. */
#ifndef SONDE_CLI_REPORT_REDUCED_H
#define SONDE_CLI_REPORT_REDUCED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define REDUCED_MOST_RANK 8
#define REDUCED_MOST_READ (1 << 26) /* numbers that are read as a whole to be averaged */

struct reduced {
	int rank;
	int64_t sizes[REDUCED_MOST_RANK], shape[REDUCED_MOST_RANK]; /* in the file, and in the page */
	bool thinned, cut, absolute; /* every nth; the first ones; of complex numbers */
};

/* An array that has all numbers. */
void reduced_init(struct reduced *array, const int64_t *sizes, int rank);
/* How many neighbors along each axis become one number, and the shape that follows. */
void reduced_choose(struct reduced *array, int64_t *each);
/* Means over blocks of neighbors, NaN left out, to be freed; null if none are needed. */
sonde_status reduced_average(const struct reduced *array, const int64_t *each, const double *values, double **means);
/* Members of the array's object: sizes, and unless `values` is null shape and numbers. */
void reduced_append(const struct reduced *array, const double *values, struct text *page);

#endif
