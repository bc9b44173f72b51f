/* Mean intensities on rings of constant q. */
#ifndef SONDE_PATTERN_DETECTOR_RADIAL_H
#define SONDE_PATTERN_DETECTOR_RADIAL_H

#include "base/status.h"
#include "sonde/pattern.h"

struct radial_ring {
	double q;        /* its middle, 1/Angstrom */
	int64_t points;  /* that are not masked */
	double mean;     /* of |F|^2: sum of I over the sum of its factors (response.h) */
	double error;    /* standard error of the mean from the spread within the ring; NaN for one point */
	int64_t counts;  /* of all pixels, */
	double measured; /* the mean that follows from them, */
	double noise;    /* and its standard error, of Poisson's distribution */
};
struct radial {
	int64_t count;
	struct radial_ring *rings;
};

/* Of a polar picture, whose circles are the rings, or of a detector: options->radial_bins of the same width in q. Freed by
 * radial_free(), also after a failure. */
sonde_status radial_make(const sonde_pattern_result *result, struct radial *radial);
void radial_free(struct radial *radial);

#endif
