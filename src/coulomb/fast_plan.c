/* Whether the fast sum is worth while, and how exact it must be. */
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/blocks.h"

#define LEAST_EVALUATIONS 2e8     /* of the direct sum: less is done before a tree is made */
#define EVALUATIONS_OF_POINT 30.0 /* what interpolation costs */
#define WORTH_WHILE 0.7           /* of the direct sum */
#define SHARE_OF_TOLERANCE 0.7    /* the rest is for roundings and other samples */
#define SHARE_OF_PERIODIC 0.12

/* Nodes, reach, and the error that was found with them: the largest of those of random charges, a crystal and clusters.
 * tests/physics/coulomb_fast.c has more. */
static const struct block_order orders[] = {
    {3, 1.4, 6e-3},   {4, 1.2, 2e-3},   {5, 1.2, 5e-4}, {5, 1.4, 2e-4},     {5, 1.6, 8e-5}, {6, 1.4, 4.5e-5},
    {7, 1.4, 1.1e-5}, {7, 1.6, 2.5e-6}, {8, 1.6, 5e-7}, {8, 1.8, 1.6e-7},   {9, 1.8, 3e-8}, {11, 1.6, 5.5e-9},
    {11, 1.8, 1e-9},  {11, 2.0, 3e-10}, {12, 2, 5e-11}, {12, 2.2, 1.1e-11},
};
#define ORDERS ((int)(sizeof orders / sizeof *orders))

void coulomb_plan_free(struct coulomb_plan *plan)
{
	if (plan->tree != NULL)
		block_tree_free(plan->tree);
	free(plan->tree);
	plan->tree = NULL;
}

static sonde_status make_tree(const sonde_context *context, const struct charges *charges,
			      const struct targets *targets, struct coulomb_plan *plan)
{
	CHECK(memory_allocate(&plan->tree, 1, sizeof *plan->tree, "the blocks"));
	sonde_status status =
	    block_tree_make(context, charges, targets, plan->cell, &orders[plan->order], plan->tree);
	if (status != SONDE_OK) {
		free(plan->tree);
		plan->tree = NULL;
	}
	return status;
}

sonde_status fast_plan(const sonde_context *context, const struct charges *charges, const struct targets *targets,
		       struct coulomb_plan *plan, double *evaluations)
{
	bool automatic = plan->options.method == SONDE_COULOMB_METHOD_AUTO;
	bool possible = targets->is_grid && targets->count > 1 && charges->count > 0;

	if (automatic)
		plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
	else if (plan->options.method != SONDE_COULOMB_METHOD_FAST)
		return SONDE_OK;
	if (!automatic && !targets->is_grid)
		return status_fail(SONDE_INVALID, "method: fast is for grids; points of a list want --method direct");
	if (!possible || (automatic && *evaluations < LEAST_EVALUATIONS)) {
		plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
		return SONDE_OK;
	}
	/* charges that repeat screen one another: the potential is smaller, beside what its errors come from */
	double wanted = plan->options.tolerance * (plan->cell != NULL ? SHARE_OF_PERIODIC : SHARE_OF_TOLERANCE);
	while (plan->order + 1 < ORDERS && orders[plan->order].error > wanted)
		++plan->order;
	if (automatic && orders[plan->order].error > plan->options.tolerance)
		return SONDE_OK;
	sonde_status status = make_tree(context, charges, targets, plan);
	if (automatic && status == SONDE_INVALID)
		return SONDE_OK; /* too many cells or images: the direct sum has none */
	CHECK(status);
	double work = block_tree_evaluations(plan->tree) + EVALUATIONS_OF_POINT * (double)targets->count;
	if (automatic && work > WORTH_WHILE * *evaluations) {
		coulomb_plan_free(plan);
		return SONDE_OK;
	}
	plan->options.method = SONDE_COULOMB_METHOD_FAST;
	*evaluations = work;
	return SONDE_OK;
}

sonde_status fast_plan_better(const sonde_context *context, const struct charges *charges,
			      const struct targets *targets, double error, struct coulomb_plan *plan)
{
	double wanted = orders[plan->order].error * SHARE_OF_TOLERANCE * plan->options.tolerance / error;

	coulomb_plan_free(plan);
	do
		++plan->order;
	while (plan->order + 1 < ORDERS && orders[plan->order].error > wanted);
	if (plan->order < ORDERS)
		return make_tree(context, charges, targets, plan);
	plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
	return SONDE_OK;
}
