/* Intervals of the weights of a mixture from fits of synthetic curves: percentiles 2.5 and 97.5 (B. Efron, Ann. Statist. 7 (1979) 1). */
#ifndef SONDE_MATCH_BOOTSTRAP_H
#define SONDE_MATCH_BOOTSTRAP_H

#include "match/mixture_worker.h"

/* Of each active weight, [active], from options->bootstrap curves that are fitted among all candidates, or with a sparsity among those that it
 * left. The same for any number of threads. */
sonde_status bootstrap_intervals(sonde_context *context, const struct mixture *mixture,
				 const sonde_match_options *options, double *low, double *high);
/* The same of all candidates, [count], for the solution of a worker, that of a row of a series, in the calling thread. The solution is lost. */
sonde_status bootstrap_row(struct mixture_worker *worker, const sonde_match_options *options, int64_t row,
			   double *low, double *high);

#endif
