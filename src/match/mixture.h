/* The mixture of candidates that explains measured curves best: weights >= 0, the same for all data sets, each of which has a scale and a
 * background of its own. */
#ifndef SONDE_MATCH_MIXTURE_H
#define SONDE_MATCH_MIXTURE_H

#include "match/common.h"
#include "match/nnls.h"
#include "sonde/context.h"

#define MATCH_IMPROVEMENT 0.05 /* reduction of chi^2 that is not worth another pass */

struct mixture {
	struct common *common;
	int64_t rows;        /* points of all sets, one after the other */
	int64_t *begin;      /* [set + 1] */
	int64_t independent; /* of the points: see struct data_set */
	double *scales;      /* [set]; that of the first is 1 */
	/* candidates among which it is sought: */
	int count;
	size_t capacity;
	int64_t *candidates; /* [count], numbers of the common ones */
	double *raw;         /* [count][rows]: on the measured points */
	double *a;           /* [count][rows]: weighted, without background, times the scales */
	double *y;           /* [rows] */
	double *gram;        /* [count][count]: products of `a`; null: not at hand */
	bool gram_follows;   /* mixture_weigh() makes them again */
	struct nnls_solution solution;
	double variance; /* of a weighted point: 1, or with uniform weights chi^2 per degree of freedom */
	int64_t degrees_of_freedom;
	double
	    improvement; /* bound of the reduction of chi^2 by further candidates of the library, in units of the variance */
	int passes;
};

/* Finds it among `first`, candidates in increasing order, and then all others. Freed by mixture_free(). */
sonde_status mixture_find(sonde_context *context, struct common *common, const sonde_match_options *options,
			  const int64_t *first, int64_t count, struct mixture *mixture);
void mixture_free(struct mixture *mixture);

/* Parts of it, for series and refinements: room for candidates and their curves; columns from these, with the present weights of the sets;
 * and the solution among them. */
sonde_status mixture_begin(struct common *common, struct mixture *mixture);
sonde_status mixture_add(struct mixture *mixture, const int64_t *candidates, int64_t count);
void mixture_weigh(struct mixture *mixture, int threads);
sonde_status mixture_solve(const sonde_match_options *options, int threads, struct mixture *mixture);
/* The best one among some columns, without penalty: as mixture_solve() otherwise. */
sonde_status mixture_solve_allowed(const int *allowed, int count, int threads, struct mixture *mixture);
/* Products of all columns, for many curves with the same weights. */
sonde_status mixture_make_gram(struct mixture *mixture, int threads);
/* mixture_weigh() and mixture_solve(), and again with the standard deviations of the fitted counts, if the sets have counts. */
sonde_status mixture_solve_weighted(const sonde_match_options *options, int threads, struct mixture *mixture);
/* The fit of set d, without background: sum of weights times curves. */
void mixture_fit(const struct mixture *mixture, int set, double *fit);
/* Uniform standard deviations of several sets become those of the residuals of each set's own best mixture. */
sonde_status mixture_find_levels(int threads, struct mixture *mixture);
/* Standard deviations of the active weights, [active]. */
sonde_status mixture_errors(const struct mixture *mixture, double *errors);

#endif
