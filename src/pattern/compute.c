/* Sums by the method of a plan. */
#include "pattern/compute.h"

#include "base/threads.h"
#include "pattern/check.h"
#include "pattern/fast/fast.h"
#include "pattern/ranks.h"
#include "pattern/resident/resident.h"

/* Means over equivalent points, of each picture. */
static sonde_status fold(const sonde_context *context, const struct pattern_plan *plan, double *intensity)
{
	const struct pattern_pixels *pixels = &plan->pixels;
	struct laue_grid grid;
	int64_t points = 1;

	if (plan->laue.count == 0 || !context_writes(context))
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
	CHECK(plan->fast.chosen ? fast_sums(context, plan, values) : pattern_sums(context, plan, NULL, values));
	return fold(context, plan, values->intensity);
}

/* The direct sum, and its error: found while GPUs sum, or, of a sample that only the GPU has, after that. */
static sonde_status sum_directly(sonde_context *context, const struct pattern_plan *plan,
				 const struct pattern_values *values, double *error, int64_t *checked)
{
	struct pattern_check *check;

	if (pattern_is_resident(&plan->sample)) {
		CHECK(pattern_sums(context, plan, NULL, values));
		return fast_error_of_resident(context, plan, values, error, checked);
	}
	sonde_status status = pattern_check_begin(context, plan, &check);
	if (status == SONDE_OK)
		status = pattern_sums(context, plan, check, values);
	CHECK(pattern_check_end(&check, status, values, error, checked));
	return pattern_ranks_error(context, error, checked);
}

sonde_status pattern_compute_checked(sonde_context *context, struct pattern_plan *plan,
				     const struct pattern_values *values, double *error, int64_t *checked)
{
	*error = 0.0;
	*checked = 0;
	if (plan->fast.chosen) {
		CHECK(fast_run(context, plan, values, error, checked));
	} else {
		CHECK(sum_directly(context, plan, values, error, checked));
		if (plan->options.tolerance > 0.0 && *error > plan->options.tolerance)
			context_notef(context,
				      "the error of the direct sum, %.2g, is more than the tolerance, by rounding",
				      *error);
	}
	return fold(context, plan, values->intensity);
}

struct placing {
	const struct pattern_plan *plan;
	const struct pattern_values *values;
};

static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct pattern_values *values = placing->values;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		double vector[3];
		(void)pattern_pixel(&placing->plan->pixels, n, vector);
		pattern_place(&placing->plan->sample, vector, &values->real[n], &values->imaginary[n]);
	}
}

void pattern_place_amplitudes(const sonde_context *context, const struct pattern_plan *plan,
			      const struct pattern_values *values)
{
	struct placing placing = {plan, values};
	const int threads = context_threads(context);

	if (!context_writes(context))
		return;
	threads_for(threads, plan->pixels.count, threads_grain(threads, plan->pixels.count), place_some, &placing);
}
