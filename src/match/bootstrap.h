/* Intervals of weights from fits of synthetic curves: the fit with normally distributed deviations. */
#ifndef SONDE_MATCH_BOOTSTRAP_H
#define SONDE_MATCH_BOOTSTRAP_H

#include "match/mixture.h"

/* Percentiles 2.5 and 97.5 of each active weight, [active]. The same for any number of threads. */
sonde_status bootstrap_intervals(sonde_context *context, const struct mixture *mixture,
				 const sonde_match_options *options, double *low, double *high);

#endif
