/* Series of measured curves on the same points: weights of all candidates for each. */
#ifndef SONDE_MATCH_SERIES_H
#define SONDE_MATCH_SERIES_H

#include "match/mixture.h"

struct series_weights {
	double *weights, *errors; /* [curve][candidate] of the mixture */
	double *chi_square, *rwp; /* [curve] */
};

/* `mixture` is that of the first curve, with all candidates; `paths` are all files, that of the first curve, too. The same for any number of
 * threads. */
sonde_status series_solve(sonde_context *context, const struct mixture *mixture, const char *const *paths,
			  int64_t count, const sonde_match_options *options, struct series_weights *weights);

#endif
