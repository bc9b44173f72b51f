/* A sum slab by slab, by the method of the plan. */
#include <stdlib.h>

#include "coulomb/method/sums.h"

#include "base/memory.h"
#include "coulomb/charges.h"
#include "coulomb/check/reference.h"
#include "coulomb/direct/direct.h"
#include "coulomb/fast/fast.h"
#include "coulomb/mesh/mesh_sum.h"
#include "coulomb/plan.h"
#include "coulomb/ranks.h"
#include "parallel/parallel.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"

struct sums {
	sonde_context *context;
	const struct charges *charges;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	struct direct_run *direct;
	struct fast_run *fast; /* both null: the mesh sum, or the reference */
	double mesh_seconds;
};

sonde_status sums_begin(sonde_context *context, const struct charges *charges, const struct targets *targets,
			const struct coulomb_plan *plan, struct sums **sums)
{
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(sums, 1, sizeof **sums, "the sum"));
	**sums = (struct sums){.context = context, .charges = charges, .targets = targets, .plan = plan};
	if (plan->tree != NULL)
		status = fast_begin(context, plan->tree, targets, plan, &(*sums)->fast);
	else if (plan->mesh == NULL && plan->options.method != SONDE_COULOMB_METHOD_REFERENCE)
		status = direct_begin(context, charges, targets, plan, &(*sums)->direct);
	if (status != SONDE_OK)
		(void)sums_end(sums);
	return status;
}

int64_t sums_planes(const struct sums *sums)
{
	if (sums->fast != NULL)
		return fast_planes(sums->fast);
	return sums->direct != NULL ? direct_planes(sums->direct) : 1;
}

/* Not shared: the mesh and the reference are the work of the first rank, and the others have no values. */
static sonde_status sum_alone(struct sums *sums, const struct target_range *slab, struct values *values,
			      uint64_t *coincident)
{
	if (context_writes(sums->context)) {
		CHECK(coulomb_have(values, slab->first, slab->count));
		CHECK(sums->plan->mesh != NULL ? mesh_sum(sums->context, sums->charges, sums->targets, sums->plan,
							  values, coincident, &sums->mesh_seconds)
					       : reference_sum(sums->context, sums->charges, sums->targets, slab,
							       sums->plan, values, coincident));
	}
	return parallel_broadcast(context_ranks(sums->context), coincident, sizeof *coincident);
}

sonde_status sums_slab(struct sums *sums, int64_t first, int64_t count, struct values *values, uint64_t *coincident)
{
	struct target_range slab = targets_planes(sums->targets, first, count);

	if (sums->fast != NULL)
		return fast_slab(sums->fast, first, count, values, coincident);
	if (sums->plan->mesh == NULL && sums->direct != NULL) /* lists are one slab */
		return direct_slab(sums->direct, &slab, values, coincident);
	return sum_alone(sums, &slab, values, coincident);
}

double sums_end(struct sums **sums)
{
	if (*sums == NULL)
		return 0.0;
	double seconds = (*sums)->mesh_seconds;
	seconds += direct_end(&(*sums)->direct);
	seconds += fast_end(&(*sums)->fast);
	free(*sums);
	*sums = NULL;
	return seconds;
}

sonde_status sums_all(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident)
{
	struct sums *sums;

	CHECK(sums_begin(context, charges, targets, plan, &sums));
	sonde_status status = sums_slab(sums, 0, targets->size[targets_slow(targets)], values, coincident);
	values->kernel_seconds = sums_end(&sums);
	return status;
}
