/* What the result's error is: some of its points again by the reference. */
#include <math.h>

#include "coulomb/ewald.h"

#define EVALUATIONS 2e7 /* a tenth of a second */
#define MOST_CHECKED 256
#define LEAST_CHECKED 8

struct deviation {
	double squares, own;
};

static double relative(const struct deviation *deviation)
{
	return deviation->own > 0.0 ? sqrt(deviation->squares / deviation->own) : sqrt(deviation->squares);
}

sonde_status coulomb_errors(const sonde_context *context, const struct charges *charges,
			    const struct targets *targets, const struct coulomb_plan *plan,
			    sonde_coulomb_result *result)
{
	double terms =
	    plan->check != NULL ? 4.0 * (plan->check->images.count + plan->check->wave_count) : charges->count;
	double affordable = EVALUATIONS / fmax(1.0, terms), sums[MOST_CHECKED][4];
	int64_t wanted = (int64_t)fmin(MOST_CHECKED, fmax(LEAST_CHECKED, affordable)), indices[MOST_CHECKED];
	struct deviation potential = {0}, field = {0};

	wanted = wanted < targets->count ? wanted : targets->count;
#pragma omp parallel for num_threads(context_threads(context)) schedule(dynamic)
	for (int64_t n = 0; n < wanted; ++n) {
		/* spread over the points so that they do not share rows or planes */
		double point[3];
		uint64_t coincident = 0;
		if (context_cancelled(context))
			continue;
		indices[n] =
		    (int64_t)fmod((double)n * 0.6180339887498949 * (double)targets->count, (double)targets->count);
		targets_point(targets, indices[n], point);
		if (plan->check != NULL)
			ewald_reference_point(plan->check, point, sums[n], &coincident);
		else
			reference_point(charges, point, plan, sums[n], &coincident);
	}
	if (context_cancelled(context))
		return status_fail(SONDE_CANCELLED, "stopped on request at the error estimate");
	for (int64_t n = 0; n < wanted; ++n) {
		double exact = sums[n][0] * plan->factor, error = result->potential[indices[n]] - exact;
		potential.squares += error * error;
		potential.own += exact * exact;
		result->largest_error = fmax(result->largest_error, fabs(error));
		for (int k = 0; result->field != NULL && k < 3; ++k) {
			double own = sums[n][1 + k] * plan->factor, off = result->field[3 * indices[n] + k] - own;
			field.squares += off * off;
			field.own += own * own;
		}
	}
	result->checked_points = (int)wanted;
	result->relative_error = relative(&potential);
	result->field_error = relative(&field);
	return SONDE_OK;
}
