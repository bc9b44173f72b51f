/* Intervals of weights and refined parameters from fits of synthetic curves. */
#ifndef SONDE_MATCH_REFINED_BOOTSTRAP_H
#define SONDE_MATCH_REFINED_BOOTSTRAP_H

#include "match/refined/fit.h"
#include "match/refined/refinement.h"
#include "match/refined/worker.h"

/* Percentiles 2.5 and 97.5: of each active weight, [active], and of the parameters of refinement->values, whose intervals these become, in the
 * synthetic curves in which their candidate has a weight. Each curve is fitted from the values that were found; without sparsity among
 * all refined candidates, otherwise with those that it left. The same for any number of threads. */
sonde_status refined_bootstrap(sonde_context *context, struct refinement *refinement, const struct mixture *mixture,
			       double *low, double *high);

/* The intervals of all items, [item], and of all parameters, [parameter] of refinement->all; NaN where the item never has a weight. */
struct refined_intervals {
	double *low, *high;
	double *value_low, *value_high;
};
/* The same for the fit of a row of a series with the items of a worker, in the calling thread. The worker's sets lose the row's curves. */
sonde_status refined_bootstrap_row(sonde_context *context, const struct refinement *refinement,
				   const struct refined_fit *fit, struct refined_worker *worker, int64_t row,
				   const struct refined_intervals *intervals);

#endif
