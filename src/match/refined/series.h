/* Series of measured curves on the same points, with refined candidates: weights and parameters of each curve. */
#ifndef SONDE_MATCH_REFINED_SERIES_H
#define SONDE_MATCH_REFINED_SERIES_H

#include "match/refined/refinement.h"
#include "match/series.h"

/* Of all items of the refinement, and of its parameters `all`. Weights of items that a curve does not have are 0, and values of their
 * parameters NaN. */
struct refined_series_values {
	struct series_weights weights; /* [row][item] */
	double *parameters, *errors;   /* [row][parameter] */
	double *low, *high; /* [row][parameter]: 95 % intervals by the bootstrap; null as those of the weights */
};

/* Each row is fitted with all items from the values of the first one, or from the best of the coarse grids. The same for any number of threads. */
sonde_status refined_series_solve(sonde_context *context, const struct refinement *refinement,
				  const struct series_files *files, struct refined_series_values *values);

#endif
