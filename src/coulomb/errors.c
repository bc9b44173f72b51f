/* What the result's error is: some of its points again by the reference. */
#include <math.h>

#include "coulomb/ewald.h"

#define EVALUATIONS 2e7 /* a tenth of a second */
#define LEAST_CHECKED 8

struct deviation {
	double squares, own;
};

static double relative(const struct deviation *deviation)
{
	return deviation->own > 0.0 ? sqrt(deviation->squares / deviation->own) : sqrt(deviation->squares);
}

void checked_choose(const struct charges *charges, const struct targets *targets, const struct coulomb_plan *plan,
		    struct checked_points *points)
{
	double terms =
	    plan->check != NULL ? 4.0 * (plan->check->images.count + plan->check->wave_count) : charges->count;
	double affordable = EVALUATIONS / fmax(1.0, terms);
	int64_t wanted = (int64_t)fmin(CHECKED_MOST, fmax(LEAST_CHECKED, affordable));

	points->count = (int)(wanted < targets->count ? wanted : targets->count);
	for (int n = 0; n < points->count; ++n)
		points->indices[n] =
		    (int64_t)fmod((double)n * 0.6180339887498949 * (double)targets->count, (double)targets->count);
}

void checked_take(const struct values *values, int64_t count, struct checked_points *points)
{
	for (int n = 0; n < points->count; ++n) {
		int64_t at = points->indices[n] - values->first;
		if (at < 0 || at >= count)
			continue;
		for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
			points->values[s][n][0] = values->potential[at];
			for (int k = 0; values->field != NULL && k < 3; ++k)
				points->values[s][n][1 + k] = values->field[3 * at + k];
		}
	}
}

static sonde_status check_set(const sonde_context *context, const struct charges *charges, uint32_t set,
			      const struct targets *targets, const struct coulomb_plan *plan,
			      const struct checked_points *points, struct coulomb_errors *errors)
{
	double sums[CHECKED_MOST][4];
	struct deviation potential = {0}, field = {0};

#pragma omp parallel for num_threads(context_threads(context)) schedule(dynamic)
	for (int n = 0; n < points->count; ++n) {
		double point[3];
		uint64_t coincident = 0;
		if (context_cancelled(context))
			continue;
		targets_point(targets, points->indices[n], point);
		if (plan->check != NULL)
			ewald_reference_point(plan->check, point, sums[n], &coincident);
		else
			reference_point(charges, set, point, plan, sums[n], &coincident);
	}
	if (context_cancelled(context))
		return status_fail(SONDE_CANCELLED, "stopped on request at the error estimate");
	for (int n = 0; n < points->count; ++n) {
		const double *is = points->values[set][n];
		double exact = sums[n][0] * plan->factor, error = is[0] - exact;
		potential.squares += error * error;
		potential.own += exact * exact;
		errors->largest = fmax(errors->largest, fabs(error));
		for (int k = 1; plan->field && k < 4; ++k) {
			double own = sums[n][k] * plan->factor;
			field.squares += (is[k] - own) * (is[k] - own);
			field.own += own * own;
		}
	}
	errors->potential = fmax(errors->potential, relative(&potential));
	errors->field = fmax(errors->field, relative(&field));
	return SONDE_OK;
}

sonde_status checked_compare(const sonde_context *context, const struct charges *charges, uint32_t sets,
			     const struct targets *targets, const struct coulomb_plan *plan,
			     const struct checked_points *points, struct coulomb_errors *errors)
{
	*errors = (struct coulomb_errors){.points = points->count};
	for (uint32_t s = 0; s < sets; ++s)
		CHECK(check_set(context, charges, s, targets, plan, points, errors));
	return SONDE_OK;
}
