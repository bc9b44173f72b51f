/* Standard errors of means over frames. */
#ifndef SONDE_DEBYE_MEAN_SPREAD_H
#define SONDE_DEBYE_MEAN_SPREAD_H

#include "debye/debye.h"

/* The curves of all frames as one row of numbers: mean and sum of squared deviations of the values, which are the
 * frames or the means of blocks of frames, by the recurrence of B. P. Welford, Technometrics 4 (1962) 419, that does
 * not lose digits where the deviations are small. Begins as {0}. */
struct mean_spread {
	int64_t size;
	double *block, *mean, *squares; /* of the block in progress, and of the values so far */
	int64_t frames, in_block, values;
};

void mean_spread_free(struct mean_spread *spread);
/* Adds a frame. `blocks` blocks of `expected` frames; 0: each frame is a value. */
sonde_status mean_spread_add(struct mean_spread *spread, const sonde_debye_result *frame, int64_t blocks,
			     int64_t expected);
/* Sets the standard errors of `result`, which has the curves of the frames; none with fewer than two values. */
sonde_status mean_spread_deliver(const struct mean_spread *spread, sonde_debye_result *result);

#endif
