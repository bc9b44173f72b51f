/* Periodic charges in the fast sum: the contribution of all images far from the largest block at its nodes. This
 * is Ewald's sum minus the charges and images near the block, which are left to the tree. */
#include <stdlib.h>
#include <string.h>

#include "coulomb/method/fast_periodic.h"

#include "base/memory.h"
#include "coulomb/charges.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/method/sums.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"

/* The nodes of the largest block, as points. */
static sonde_status nodes_as_points(const struct block_tree *tree, struct targets *targets)
{
	double scale = (double)((uint64_t)1 << (tree->level_count - 1)), center[3];

	*targets = (struct targets){.count = tree->node_count, .size = {tree->node_count, 1, 1}};
	CHECK(memory_allocate(&targets->points, 3 * (size_t)tree->node_count, sizeof(double), "the nodes"));
	for (int c = 0; c < 3; ++c) {
		center[c] = tree->origin[c];
		for (int k = 0; k < 3; ++k)
			center[c] += tree->flat[k] ? 0.0 : 0.5 * scale * tree->edges[k][c];
	}
	for (uint32_t n = 0; n < tree->node_count; ++n)
		for (int c = 0; c < 3; ++c)
			targets->points[3 * (size_t)n + (size_t)c] =
			    center[c] + scale * tree->node_offsets[(size_t)c * tree->node_padded + n];
	return SONDE_OK;
}

static sonde_status sum_at(sonde_context *context, const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan, const struct ewald *ewald, double *values)
{
	struct coulomb_plan careful = *plan;
	struct values sums = {.factor = 1.0,
			      .potential = values,
			      .field = plan->field ? values + targets->count : NULL,
			      .sets = 1,
			      .for_all = true,
			      .stride = targets->count};
	uint64_t coincident = 0;

	careful.single = false;
	careful.tree = NULL;
	careful.options.method = SONDE_COULOMB_METHOD_DIRECT;
	careful.ewald = ewald;
	return sums_all(context, charges, targets, &careful, &sums, &coincident);
}

sonde_status fast_periodic(sonde_context *context, const struct charges *charges, struct coulomb_plan *plan)
{
	struct block_tree *tree = plan->tree;
	struct targets targets = {0};
	size_t nodes = tree->node_count, numbers = nodes * (plan->field ? 4 : 1);
	double *all = NULL, *of_near = NULL;
	sonde_status status;

	CHECK_GOTO(status, nodes_as_points(tree, &targets), done);
	CHECK_GOTO(status, memory_allocate(&all, numbers, sizeof(double), "the nodes"), done);
	CHECK_GOTO(status, memory_allocate(&of_near, numbers, sizeof(double), "the nodes"), done);
	CHECK_GOTO(status, memory_allocate(&tree->highest, numbers, sizeof(double), "the nodes"), done);
	CHECK_GOTO(status, sum_at(context, charges, &targets, plan, plan->ewald, all), done);
	CHECK_GOTO(status, sum_at(context, &tree->images, &targets, plan, NULL, of_near), done);
	for (size_t n = 0; n < nodes; ++n) {
		tree->highest[n] = all[n] - of_near[n];
		/* converts the field from point by point to component by component */
		for (size_t k = 0; plan->field && k < 3; ++k)
			tree->highest[(1 + k) * nodes + n] = all[nodes + 3 * n + k] - of_near[nodes + 3 * n + k];
	}
done:
	targets_free(&targets);
	free(all);
	free(of_near);
	return status;
}
