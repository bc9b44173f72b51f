/* Single candidates, each with a scale and a background of its own for each curve. */
#ifndef SONDE_MATCH_RANKING_H
#define SONDE_MATCH_RANKING_H

#include "match/mixture.h"

struct ranked {
	int64_t candidate;
	double chi_square, scale; /* scale of the first curve */
};

/* All candidates, the best first; to be freed. */
sonde_status ranking_make(sonde_context *context, struct common *common, struct ranked **ranking);
/* The same, each with the best of some strains, approximately: curves of candidates at x (1 + strain) for functions of q, x/(1 + strain) for
 * those of r, without the instrument's resolution. */
sonde_status ranking_make_strained(sonde_context *context, struct common *common, const double *strains, int count,
				   struct ranked **ranking);
/* exp(-chi^2/2 variance) of each over their sum: with equal numbers of parameters, criteria differ by chi^2 only. */
void ranking_probabilities(const struct ranked *ranking, int64_t count, double variance, double *probabilities,
			   int64_t wanted);

#endif
