/* Mixtures whose candidates are refined: strain and displacements of each, the resolution of the instrument, and distributions of sizes. Weights,
 * scales, and backgrounds are those of the best mixture for given parameters, whose square is then minimized over the parameters
 * (variable projection: G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413, with the derivatives of L. Kaufman, BIT 15 (1975)
 * 49). */
#ifndef SONDE_MATCH_REFINEMENT_H
#define SONDE_MATCH_REFINEMENT_H

#include "match/mixture.h"
#include "match/ranking.h"
#include "match/refine_choice.h"
#include "match/refined_items.h"

/* A candidate or family alone, refined. */
struct refined_alone {
	int item;
	double chi_square, scale;
	double values
	    [REFINED_KINDS]; /* of its parameters; NaN: not refined, or that of an instrument of one of several curves */
};

struct refinement {
	struct refined_items items;
	int *chosen; /* [mixture.count]: the items of the mixture's columns */
	int parameter_count;
	struct refined_parameter *parameters;
	double *weight_errors; /* [active] */
	/* [parameters + active]^2: correlations of parameters, and of the weights after them; 0 with those that are not free */
	double *correlations;
	int alone_count;
	struct refined_alone *alone; /* the best first */
	int steps;
	bool converged;
};

/* From the ranking of all candidates and their mixture, which is replaced: its columns become those of refined candidates, with numbers of
 * the common ones, or of families from common->count on. Freed by refinement_free(), also after failures. */
sonde_status refinement_make(sonde_context *context, struct common *common, const sonde_match_options *options,
			     const struct refine_choice *choice, const struct ranked *ranking,
			     struct mixture *mixture, struct refinement *refinement);
void refinement_free(struct refinement *refinement);

#endif
