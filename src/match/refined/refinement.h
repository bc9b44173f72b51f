/* Mixtures whose candidates are refined: strain and displacements of each, the resolution of the instrument, and distributions of sizes. Weights,
 * scales, and backgrounds are those of the best mixture for given parameters, whose square is then minimized over the parameters
 * (variable projection: G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413, with the derivatives of L. Kaufman, BIT 15 (1975)
 * 49). */
#ifndef SONDE_MATCH_REFINED_REFINEMENT_H
#define SONDE_MATCH_REFINED_REFINEMENT_H

#include "match/mixture.h"
#include "match/ranking.h"
#include "match/refine_choice.h"
#include "match/refined/items.h"
#include "match/refined/values.h"
#include "match/series.h"

/* A candidate or family alone, refined. */
struct refined_alone {
	int item;
	double chi_square, scale;
	double values
	    [REFINED_KINDS]; /* of its parameters; NaN: not refined, or that of an instrument of one of several curves */
};

struct refinement {
	const struct refine_choice *choice;
	const sonde_match_options *given;
	sonde_match_options options; /* without sparsity */
	struct refined_items items;
	/* parameters of all items, with the values of their common fit, from which fits of other curves start */
	struct refined_parameter *all;
	int all_count;
	/* the best fit of the curve: */
	int *lists;        /* of numbers of items */
	const int *chosen; /* [mixture.count]: the items of the mixture's columns */
	struct refined_parameter *found;
	struct refined_values values; /* as many parameters as `found`, in their order */
	int alone_count;
	struct refined_alone *alone; /* the best first */
	double
	    alone_whole; /* square of the weighted curves at that time: uniform weights of several sets follow the fit of all */
	int steps;
	bool converged;
};

/* What is refined: the measured curves, of a series those of all rows, the first of which is that of the mixture, and their common candidates. */
struct refinement_request {
	const struct series_files *files;
	const struct refine_choice *choice;
	const struct ranked *ranking;
};

/* From the ranking of all candidates and their mixture, which is replaced: its columns become those of refined candidates, with numbers of
 * the common ones, or of families from common->count on. Of a series, candidates that are good for any part of it are among the items.
 * Freed by refinement_free(), also after failures; the choice and the options have to live as long. */
sonde_status refinement_make(sonde_context *context, struct common *common, const sonde_match_options *options,
			     const struct refinement_request *request, struct mixture *mixture,
			     struct refinement *refinement);
void refinement_free(struct refinement *refinement);

#endif
