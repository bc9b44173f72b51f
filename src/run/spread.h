/* Standard errors of means over many samples, such as frames of a trajectory. */
#ifndef SONDE_RUN_SPREAD_H
#define SONDE_RUN_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* The curves or pixels of all samples as one row of numbers: mean and sum of squared deviations of the values, which are the
 * samples or the means of blocks of samples, by the recurrence of B. P. Welford, Technometrics 4 (1962) 419, that does
 * not lose digits where the deviations are small. Begins as {0}. */
struct spread {
	int64_t size;
	double *block, *mean, *squares;   /* of the block in progress, and of the values so far */
	int64_t frames, in_block, values; /* samples so far, those of the block, and values */
};

/* Room for `size` numbers. Freed by spread_free(), also after a failure. */
sonde_status spread_begin(struct spread *spread, int64_t size);
void spread_free(struct spread *spread);
/* Adds numbers of the present sample, which have their place in the row from `place` on. */
void spread_add(struct spread *spread, int64_t place, const double *numbers, int64_t count);
/* The present sample is complete. `blocks` blocks of `expected` samples; 0: each sample is a value. */
void spread_end_sample(struct spread *spread, int64_t blocks, int64_t expected);
/* The standard error of the mean of number `place`, for two values or more. */
double spread_error(const struct spread *spread, int64_t place);

#endif
