/* The pattern as seen by an instrument with a resolution: the convolution of the intensity with its profile. */
#ifndef SONDE_DEBYE_RESOLVED_CURVE_H
#define SONDE_DEBYE_RESOLVED_CURVE_H

#include "debye/debye.h"

/* Adds the points of q that the convolution needs to those of the plan, after table and extent are known; options.q
 * becomes the range and number of all. */
sonde_status resolved_curve_plan(struct debye_plan *plan);
/* Makes intensity_resolved at the points of the user, from the intensity at all points. */
sonde_status resolved_curve_make(sonde_context *context, const struct debye_plan *plan, sonde_debye_result *result);
/* Afterwards: the curves of the result end with the points of the user. */
void resolved_curve_trim(const struct debye_plan *plan, sonde_debye_result *result);

#endif
