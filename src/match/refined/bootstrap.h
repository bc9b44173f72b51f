/* Intervals of weights and refined parameters from fits of synthetic curves. */
#ifndef SONDE_MATCH_REFINED_BOOTSTRAP_H
#define SONDE_MATCH_REFINED_BOOTSTRAP_H

#include "match/refined/refinement.h"

/* Percentiles 2.5 and 97.5: of each active weight, [active], and of the parameters of refinement->values, whose intervals these become, in the
 * synthetic curves in which their candidate has a weight. Each curve is fitted from the values that were found; without sparsity among
 * all refined candidates, otherwise with those that it left. The same for any number of threads. */
sonde_status refined_bootstrap(sonde_context *context, struct refinement *refinement, const struct mixture *mixture,
			       double *low, double *high);

#endif
