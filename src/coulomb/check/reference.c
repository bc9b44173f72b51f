/* The oracle: charge by charge and point by point, in float64 with compensated sums. Slow and simple. */
#include <math.h>

#include "coulomb/check/reference.h"

#include "coulomb/charges.h"
#include "coulomb/kernels/direct_layout.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"
#include "run/ordered_sum.h"

#define SERIES 1e-3 /* series of erf below this; its next term is 1e-18 of the value */

/* Potential of a unit charge at a distance, and its field divided by the distance. */
static void unit_charge(const struct coulomb_plan *plan, double r, double *potential, double *factor)
{
	double kappa = plan->kappa, x = kappa * r;

	switch (plan->form) {
	case CHARGE_SCREENED:
		*potential = exp(-x) / r;
		*factor = *potential * (1.0 + x) / r / r;
		break;
	case CHARGE_GAUSSIAN:
		/* the series of erf, where the difference below would cancel */
		*potential =
		    x < SERIES ? kappa * TWO_OVER_SQRT_PI * (1.0 - x * x / 3.0 + x * x * x * x / 10.0) : erf(x) / r;
		*factor = x < SERIES ? kappa * kappa * kappa * TWO_OVER_SQRT_PI * 2.0 / 3.0 *
					   (1.0 - 0.6 * x * x + 3.0 / 14.0 * x * x * x * x)
				     : (*potential - kappa * TWO_OVER_SQRT_PI * exp(-x * x)) / r / r;
		break;
	default:
		*potential = 1.0 / r;
		*factor = *potential / r / r;
		break;
	}
}

void reference_point(const struct charges *charges, uint32_t set, const double point[3],
		     const struct coulomb_plan *plan, double sums[4], uint64_t *coincident)
{
	const double *q = charges->q + (size_t)set * charges->count;
	struct ordered_sum totals[4] = {0};
	bool finite = plan->softening > 0.0 || plan->form == CHARGE_GAUSSIAN;

	for (uint32_t j = 0; j < charges->count; ++j) {
		double d[3] = {point[0] - charges->x[j], point[1] - charges->y[j], point[2] - charges->z[j]};
		double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], potential, factor;
		if (!finite && square < COINCIDENT * COINCIDENT) {
			++*coincident;
			continue;
		}
		unit_charge(plan, sqrt(square + plan->softening * plan->softening), &potential, &factor);
		ordered_sum_add(&totals[0], q[j] * potential);
		for (int k = 0; k < 3; ++k)
			ordered_sum_add(&totals[1 + k], q[j] * factor * d[k]);
	}
	for (int k = 0; k < 4; ++k)
		sums[k] = ordered_sum_value(&totals[k]);
}

sonde_status reference_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
			   const struct target_range *range, const struct coulomb_plan *plan, struct values *values,
			   uint64_t *coincident)
{
	struct stage stage;

	stage_begin(&stage, context, "points (reference)", "points", (double)targets->count);
	for (int64_t n = range->first; n < range->first + range->count; ++n) {
		uint64_t found = 0;
		double point[3], sums[4];
		targets_point(targets, n, point);
		for (uint32_t s = 0; s < values->sets; ++s) {
			int64_t to = s * values->stride + n - values->first;
			found = 0;
			if (plan->ewald != NULL)
				ewald_reference_point(plan->ewald, point, sums, &found);
			else
				reference_point(charges, s, point, plan, sums, &found);
			values->potential[to] = values->factor * sums[0];
			for (int k = 0; values->field != NULL && k < 3; ++k)
				values->field[3 * to + k] = values->factor * sums[1 + k];
		}
		*coincident += found;
		CHECK(stage_advance(&stage, (double)(n + 1)));
	}
	return SONDE_OK;
}
