/* Whether the fast sum pays off, and its required accuracy. */
#include <math.h>
#include <stdlib.h>

#include "coulomb/method/fast_plan.h"

#include "base/memory.h"
#include "coulomb/charges.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "parallel/parallel.h"
#include "run/context.h"

#define LEAST_EVALUATIONS 2e8     /* of the direct sum: with fewer it is faster than the construction of a tree */
#define EVALUATIONS_OF_POINT 30.0 /* cost of interpolation */
#define WORTH_WHILE 0.7           /* relative to the direct sum */
#define SHARE_OF_TOLERANCE 0.7    /* the rest is for rounding and variation between samples */
#define SHARE_OF_PERIODIC 0.12
#define EVALUATIONS_OF_SECOND 1e9 /* RATE_OF_A_THREAD of choose.c */

/* Nodes, reach, and the measured error: the largest of those of random charges, a crystal and clusters.
 * tests/physics/coulomb/coulomb_fast.c has more. */
static const struct block_order orders[] = {
    {3, 1.4, 6e-3},   {4, 1.2, 2e-3},   {5, 1.2, 5e-4}, {5, 1.4, 2e-4},     {5, 1.6, 8e-5}, {6, 1.4, 4.5e-5},
    {7, 1.4, 1.1e-5}, {7, 1.6, 2.5e-6}, {8, 1.6, 5e-7}, {8, 1.8, 1.6e-7},   {9, 1.8, 3e-8}, {11, 1.6, 5.5e-9},
    {11, 1.8, 1e-9},  {11, 2.0, 3e-10}, {12, 2, 5e-11}, {12, 2.2, 1.1e-11},
};
#define ORDERS ((int)(sizeof orders / sizeof *orders))

void fast_plan_free(struct coulomb_plan *plan)
{
	if (plan->tree != NULL)
		block_tree_free(plan->tree);
	free(plan->tree);
	plan->tree = NULL;
	free(plan->mesh);
	plan->mesh = NULL;
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

/* The mesh with the least work on the CPU, which decides whether another device pays off, and then on the device in
 * use. */
static sonde_status choose_mesh(sonde_context *context, const struct charges *charges, const struct targets *targets,
				const struct coulomb_plan *plan, double *direct, struct mesh_choice *choice)
{
	const struct mesh_order *order = &mesh_orders[plan->order];
	struct mesh_place place = mesh_place_cpu(context);
	struct mesh_survey survey;
	sonde_status status;

	CHECK(mesh_survey_make(context_threads(context), charges, targets, MESH_SURVEYED, &survey));
	CHECK_GOTO(status, mesh_choose(&place, &survey, charges, plan, order, 0.0, choice), done);
	*direct = mesh_direct_seconds(&place, charges, targets, plan);
	CHECK_GOTO(status, context_expect(context, fmin(*direct, choice->seconds) / context_threads(context)), done);
	CHECK_GOTO(status, mesh_find_place(context, &place), done);
	if (place.gpu) {
		*direct = mesh_direct_seconds(&place, charges, targets, plan);
		status = mesh_choose(&place, &survey, charges, plan, order, 0.0, choice);
	}
done:
	mesh_survey_free(&survey);
	return status;
}

/* Plans the sum at the points of a list, by a mesh. */
static sonde_status plan_list(sonde_context *context, const struct charges *charges, const struct targets *targets,
			      bool automatic, struct coulomb_plan *plan, double *evaluations)
{
	bool possible = targets->count > 1 && targets->count < UINT32_MAX / 4 && charges->count > 0 &&
			plan->cell == NULL && (!automatic || *evaluations >= LEAST_EVALUATIONS);
	struct mesh_choice choice = {0};
	double direct = 0.0;

	plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
	if (!automatic && plan->cell != NULL)
		return status_fail_option(
		    SONDE_INVALID, "method",
		    "for periodic charges fast is for grids; use `method ewald` for points of a list");
	if (!possible)
		return SONDE_OK;
	coulomb_plan_precision(plan, plan->options.precision);
	while (plan->order + 1 < mesh_order_count &&
	       mesh_orders[plan->order].error > SHARE_OF_TOLERANCE * plan->options.tolerance)
		++plan->order;
	if (automatic && mesh_orders[plan->order].error > plan->options.tolerance)
		return SONDE_OK;
	CHECK(choose_mesh(context, charges, targets, plan, &direct, &choice));
	if (!choice.possible || (automatic && choice.seconds > WORTH_WHILE * direct))
		return SONDE_OK;
	CHECK(memory_allocate(&plan->mesh, 1, sizeof *plan->mesh, "the fast sum"));
	*plan->mesh = choice;
	plan->options.method = SONDE_COULOMB_METHOD_FAST;
	*evaluations = choice.seconds * EVALUATIONS_OF_SECOND;
	return SONDE_OK;
}

/* The first rank's choice between a mesh, which is its own work alone, and the direct sum, for all ranks. */
static sonde_status agree_on_mesh(sonde_context *context, struct coulomb_plan *plan)
{
	int32_t chosen[3] = {plan->mesh != NULL, plan->order, plan->options.method};

	if (parallel_size(context_ranks(context)) == 1)
		return SONDE_OK;
	CHECK(parallel_broadcast(context_ranks(context), chosen, sizeof chosen));
	if (chosen[0] == 0 && plan->mesh != NULL)
		fast_plan_free(plan);
	else if (chosen[0] != 0 && plan->mesh == NULL) /* for the other decisions that depend on it */
		CHECK(memory_allocate(&plan->mesh, 1, sizeof *plan->mesh, "the fast sum"));
	plan->order = chosen[1];
	plan->options.method = chosen[2];
	return SONDE_OK;
}

static sonde_status better_mesh(sonde_context *context, const struct charges *charges, const struct targets *targets,
				double error, struct coulomb_plan *plan)
{
	double wanted = mesh_orders[plan->order].error * SHARE_OF_TOLERANCE * plan->options.tolerance / error;

	do
		++plan->order;
	while (plan->order + 1 < mesh_order_count && mesh_orders[plan->order].error > wanted);
	if (plan->order < mesh_order_count) {
		double direct;
		CHECK(choose_mesh(context, charges, targets, plan, &direct, plan->mesh));
		if (plan->mesh->possible)
			return SONDE_OK;
	}
	fast_plan_free(plan);
	plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
	return SONDE_OK;
}

sonde_status fast_plan(sonde_context *context, const struct charges *charges, const struct targets *targets,
		       struct coulomb_plan *plan, double *evaluations)
{
	bool automatic = plan->options.method == SONDE_COULOMB_METHOD_AUTO;
	bool possible = targets->is_grid && targets->count > 1 && charges->count > 0;

	if (automatic)
		plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
	else if (plan->options.method != SONDE_COULOMB_METHOD_FAST)
		return SONDE_OK;
	if (!targets->is_grid) {
		CHECK(plan_list(context, charges, targets, automatic, plan, evaluations));
		return agree_on_mesh(context, plan);
	}
	if (!possible || (automatic && *evaluations < LEAST_EVALUATIONS)) {
		plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
		return SONDE_OK;
	}
	/* periodic charges screen one another: the potential is small compared with the terms that cause its
	 * errors */
	double wanted = plan->options.tolerance * (plan->cell != NULL ? SHARE_OF_PERIODIC : SHARE_OF_TOLERANCE);
	while (plan->order + 1 < ORDERS && orders[plan->order].error > wanted)
		++plan->order;
	if (automatic && orders[plan->order].error > plan->options.tolerance)
		return SONDE_OK;
	sonde_status status = make_tree(context, charges, targets, plan);
	if (automatic && status == SONDE_INVALID)
		return SONDE_OK; /* too many cells or images, which the direct sum does not need */
	CHECK(status);
	double work = block_tree_evaluations(plan->tree) + EVALUATIONS_OF_POINT * (double)targets->count;
	if (automatic && work > WORTH_WHILE * *evaluations) {
		fast_plan_free(plan);
		return SONDE_OK;
	}
	plan->options.method = SONDE_COULOMB_METHOD_FAST;
	*evaluations = work;
	return SONDE_OK;
}

sonde_status fast_plan_better(sonde_context *context, const struct charges *charges, const struct targets *targets,
			      double error, struct coulomb_plan *plan)
{
	double wanted = orders[plan->order].error * SHARE_OF_TOLERANCE * plan->options.tolerance / error;

	if (plan->mesh != NULL) {
		CHECK(better_mesh(context, charges, targets, error, plan));
		return agree_on_mesh(context, plan);
	}
	fast_plan_free(plan);
	do
		++plan->order;
	while (plan->order + 1 < ORDERS && orders[plan->order].error > wanted);
	if (plan->order < ORDERS)
		return make_tree(context, charges, targets, plan);
	plan->options.method = SONDE_COULOMB_METHOD_DIRECT;
	return SONDE_OK;
}
