/* Poisson's distribution, with random numbers of a counter, so that a count depends on the seed and its number alone. */
#ifndef SONDE_PATTERN_DETECTOR_POISSON_H
#define SONDE_PATTERN_DETECTOR_POISSON_H

#include <stdint.h>

#define POISSON_MOST 1e15 /* the largest mean: counts are exact in float64 */

/* A count with this mean, 0 to POISSON_MOST, of item `index`. */
int64_t poisson_draw(double mean, int64_t seed, int64_t index);
/* ln of the probability of the count k. */
double poisson_log_probability(double k, double mean);

#endif
