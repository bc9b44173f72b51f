#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "ions/estimates.h"
#include "ions/follow.h"

static sonde_status make_result(sonde_context *context, const struct ions_plan *plan, struct ions_sums **sums,
				sonde_ions_result *result)
{
	sonde_atoms *none;

	(void)context;
	result->options = plan->options;
	strcpy(result->ion, plan->source.symbol);
	result->ion_mass = plan->source.mass;
	result->energy = plan->source.energy;
	ions_sums_sort_exits(*sums);
	CHECK(estimates_fill(plan, *sums, result));
	result->provenance->sums = *sums;
	*sums = NULL;
	(void)none;
	return SONDE_OK;
}

/* CPU time that a run takes, roughly: an ion makes some hundred collisions in free flights, and so do its recoils. */
static double expected_seconds(const struct ions_plan *plan)
{
	double collisions = 300.0;

	if (plan->options.flight == SONDE_IONS_FLIGHT_MONOLAYER)
		collisions += plan->options.depth / 2.0;
	if (plan->options.cascades == SONDE_IONS_CASCADES_FULL && plan->source.atomic_number > 2)
		collisions += 0.05 * plan->source.energy;
	return (double)plan->options.number * collisions * 1e-7;
}

static sonde_status go(sonde_context *context, const struct ions_plan *plan, sonde_ions_result *result)
{
	struct ions_sums *sums = NULL;
	double seconds = 0.0;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"), done);
	CHECK_GOTO(status, context_expect(context, expected_seconds(plan)), done);
	CHECK_GOTO(status, provenance_make(context, NULL, &result->provenance->run), done);
	CHECK_GOTO(status, ions_sums_make(&plan->job, plan->depth_unit, &sums), done);
	CHECK_GOTO(status, ions_follow(context, plan, sums, &seconds), done);
	CHECK_GOTO(status, make_result(context, plan, &sums, result), done);
	result->provenance->run.peak_memory = memory_peak();
done:
	ions_sums_free(&sums);
	return status;
}

sonde_status sonde_ions_run(sonde_context *context, const sonde_ions_options *given, sonde_ions_result **result)
{
	struct ions_plan *plan = NULL;
	sonde_ions_options options;
	double began = clock_seconds();
	sonde_status status;

	*result = NULL;
	if (context == NULL || given == NULL)
		return status_fail(SONDE_INVALID, "context and options are needed, one of them is null");
	CHECK(options_complete(&ions_option_table, given, &options));
	CHECK(options_check(&ions_option_table, &options));
	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	CHECK_GOTO(status, ions_plan_make(context_threads(context), &options, plan), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "the result"), made);
	status = go(context, plan, *result);
	(*result)->seconds = clock_seconds() - began;
	if (status != SONDE_OK)
		sonde_ions_result_free(result);
made:
	ions_plan_free(plan);
done:
	free(plan);
	return status;
}
