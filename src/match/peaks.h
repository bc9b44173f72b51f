/* Parts of a residual that random deviations do not explain. */
#ifndef SONDE_MATCH_PEAKS_H
#define SONDE_MATCH_PEAKS_H

#include <stdint.h>

#include "base/status.h"

struct residual_peak {
	double position, width; /* of the part, in the unit of x */
	double height;          /* mean of the residual there: above 0, more was measured than is explained */
	double significance;    /* of its sum, in standard deviations */
};

#define MOST_PEAKS 20

/* Windows of 1, 3, 5 ... points up to a quarter of the curve, in which the sum of the residuals over their standard deviations is as many
 * standard deviations away from 0 as `least`; the most significant first, and no two of them overlap. */
int find_peaks(const double *x, const double *residual, const double *inverse_sigma, int64_t count, double least,
	       struct residual_peak peaks[MOST_PEAKS]);

#endif
