/* Sums by the method of a plan. */
#include "pattern/compute.h"

#include "pattern/fast/fast.h"

sonde_status pattern_compute(sonde_context *context, const struct pattern_plan *plan,
			     const struct pattern_values *values)
{
	return plan->fast.chosen ? fast_sums(context, plan, values) : pattern_sums(context, plan, values);
}

sonde_status pattern_compute_checked(sonde_context *context, struct pattern_plan *plan,
				     const struct pattern_values *values, double *error, int64_t *checked)
{
	if (plan->fast.chosen)
		return fast_run(context, plan, values, error, checked);
	CHECK(pattern_sums(context, plan, values));
	return pattern_error(context, plan, values, error, checked);
}
