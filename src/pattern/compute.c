/* Sums by the method of a plan. */
#include "pattern/compute.h"

#include "pattern/fast/fast.h"

/* Means over equivalent points, of each picture. */
static sonde_status fold(const sonde_context *context, const struct pattern_plan *plan, double *intensity)
{
	const struct pattern_pixels *pixels = &plan->pixels;
	struct laue_grid grid;
	int64_t points = 1;

	if (plan->laue.count == 0)
		return SONDE_OK;
	for (int axis = 0; axis < 3; ++axis) {
		const double *values = pixels->axes[axis];
		grid.size[axis] = pixels->sizes[axis];
		grid.first[axis] = values[0];
		grid.step[axis] = grid.size[axis] > 1 ? values[1] - values[0] : 0.0;
		points *= grid.size[axis];
	}
	for (int64_t first = 0; first < pixels->count; first += points)
		CHECK(laue_fold(&plan->laue, &grid, context_threads(context), intensity + first));
	return SONDE_OK;
}

sonde_status pattern_compute(sonde_context *context, const struct pattern_plan *plan,
			     const struct pattern_values *values)
{
	CHECK(plan->fast.chosen ? fast_sums(context, plan, values) : pattern_sums(context, plan, values));
	return fold(context, plan, values->intensity);
}

sonde_status pattern_compute_checked(sonde_context *context, struct pattern_plan *plan,
				     const struct pattern_values *values, double *error, int64_t *checked)
{
	if (plan->fast.chosen) {
		CHECK(fast_run(context, plan, values, error, checked));
	} else {
		CHECK(pattern_sums(context, plan, values));
		CHECK(pattern_error(context, plan, values, error, checked));
		if (plan->options.tolerance > 0.0 && *error > plan->options.tolerance)
			context_notef(context,
				      "the error of the direct sum, %.2g, is more than the tolerance, by rounding",
				      *error);
	}
	return fold(context, plan, values->intensity);
}
