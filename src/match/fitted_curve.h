/* A measured curve with its fit, as results have it. */
#ifndef SONDE_MATCH_FITTED_CURVE_H
#define SONDE_MATCH_FITTED_CURVE_H

#include "match/data_set.h"
#include "match/match_result.h"

/* From the computed part of the fit, [point], in the unit of the measured curve: the background is added. `contributions` remain null.
 * Freed by match_curve_free(), also after a failure. */
sonde_status fitted_curve_make(const struct data_set *set, const double *computed, double scale,
			       struct match_curve *curve);
/* Standard deviations, chi^2, Rwp and its expected value, and unexplained peaks of at least `peak` standard deviations. `variance` is that of
 * weighted points, and `freedom` the number of points less that of parameters. */
void fitted_curve_judge(const struct data_set *set, double freedom, double variance, double peak,
			struct match_curve *curve);

#endif
