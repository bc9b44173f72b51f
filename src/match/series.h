/* Series of measured curves on the same points: weights of all candidates for each. */
#ifndef SONDE_MATCH_SERIES_H
#define SONDE_MATCH_SERIES_H

#include "match/mixture.h"
#include "match/series_files.h"

struct series_weights {
	double *weights, *errors; /* [row][candidate] of the mixture */
	double *chi_square, *rwp; /* [row], of all data sets */
	double *low, *high;       /* [row][candidate]: 95 % intervals by the bootstrap; null: not wanted */
};

/* `mixture` is that of the first row, with all candidates. The same for any number of threads. */
sonde_status series_solve(sonde_context *context, const struct mixture *mixture, const struct series_files *files,
			  const sonde_match_options *options, struct series_weights *weights);
/* The square of the weighted curves of all sets. */
double series_whole(const struct common *common);

#endif
