/* One fit of refined candidates: its parameters, and their best values. */
#ifndef SONDE_MATCH_REFINED_FIT_H
#define SONDE_MATCH_REFINED_FIT_H

#include "match/mixture.h"
#include "match/refine_choice.h"
#include "match/refined/items.h"

struct refined_fit {
	sonde_context *context;
	struct refined_items *items;
	const sonde_match_options *options; /* without sparsity */
	const struct refine_choice *choice;
	int threads;
	int count;
	const int *chosen; /* [count]: items, the columns of the mixture */
	int parameter_count;
	struct refined_parameter *parameters;
	struct mixture mixture;
	struct deformation *deformations; /* [set]: room */
	struct stage *stage;              /* null: none */
	bool started;                     /* the parameters' values are the start; else the best of coarse grids */
	bool weighs;                      /* standard deviations of counts follow the fit; else they stay */
	bool levels;                      /* and so do uniform ones of several sets */
	int steps;
	bool converged;
};

/* A fit with `count` of the items. Freed by refined_fit_end(), also after a failure. */
sonde_status refined_fit_begin(sonde_context *context, struct refined_items *items,
			       const sonde_match_options *options, const struct refine_choice *choice,
			       const int *chosen, int count, struct refined_fit *fit);
void refined_fit_end(struct refined_fit *fit);
/* Takes the values of those of its parameters that another fit has, too. */
void refined_fit_take(struct refined_fit *fit, const struct refined_parameter *parameters, int count);
/* Whether all sets have equal standard deviations, which follow from the residual. */
bool refined_fit_is_uniform(const struct refined_fit *fit);
/* Strains up to a limit that are tried first: 0, then on both sides; their number. */
#define REFINED_MOST_STRAINS 101
int refined_fit_strains(double limit, double strains[REFINED_MOST_STRAINS]);
/* The best start, on coarse grids or as the parameters are, and the minimum from there. The mixture and the parameters' values are those of the minimum. */
sonde_status refined_fit_find(struct refined_fit *fit);
/* The derivatives of the weighted curves by a parameter: [rows], without background. */
sonde_status refined_fit_derivative(struct refined_fit *fit, int parameter, double *column);
/* Whether it belongs to an item with a weight, or to all. */
bool refined_fit_matters(const struct refined_fit *fit, const struct refined_parameter *parameter);

#endif
