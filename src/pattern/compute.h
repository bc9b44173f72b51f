/* Sums by the method of a plan. */
#ifndef SONDE_PATTERN_COMPUTE_H
#define SONDE_PATTERN_COMPUTE_H

#include "pattern/pattern.h"

/* Intensities and amplitudes of all pixels; */
sonde_status pattern_compute(sonde_context *context, const struct pattern_plan *plan,
			     const struct pattern_values *values);
/* with the error of those that are computed again, which may widen the window of the fast method. */
sonde_status pattern_compute_checked(sonde_context *context, struct pattern_plan *plan,
				     const struct pattern_values *values, double *error, int64_t *checked);
/* Gives all amplitudes the phase of the sample's positions, in place of that of its center at the origin. */
void pattern_place_amplitudes(const sonde_context *context, const struct pattern_plan *plan,
			      const struct pattern_values *values);

#endif
