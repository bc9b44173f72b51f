/* Amplitudes of parts of the sample: the atoms of each label, or blocks of atoms. */
#ifndef SONDE_PATTERN_PARTIALS_H
#define SONDE_PATTERN_PARTIALS_H

#include "pattern/pattern.h"

/* Checks option `partials`; `mean`: of a mean. */
sonde_status partials_check(const sonde_pattern_options *options, bool mean);
/* Computes them for a plan with that option, with the phases of the sample's positions. */
sonde_status partials_compute(sonde_context *context, const struct pattern_plan *plan, sonde_pattern_result *result);

#endif
