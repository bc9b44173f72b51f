/* The oracle: charge by charge and point by point, in float64 with compensated sums. Slow and obvious. */
#include <math.h>

#include "coulomb/coulomb.h"
#include "coulomb/direct_layout.h"
#include "coulomb/ewald.h"
#include "parallel/ordered_sum.h"

void reference_point(const struct charges *charges, const double point[3], double softening, double kappa,
		     double sums[4], uint64_t *coincident)
{
	struct ordered_sum totals[4] = {0};

	for (uint32_t j = 0; j < charges->count; ++j) {
		double d[3] = {point[0] - charges->x[j], point[1] - charges->y[j], point[2] - charges->z[j]};
		double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
		if (softening == 0.0 && square < COINCIDENT * COINCIDENT) {
			++*coincident;
			continue;
		}
		double r = sqrt(square + softening * softening), potential = charges->q[j] / r * exp(-kappa * r);
		ordered_sum_add(&totals[0], potential);
		for (int k = 0; k < 3; ++k)
			ordered_sum_add(&totals[1 + k], potential * (1.0 + kappa * r) / r * (d[k] / r));
	}
	for (int k = 0; k < 4; ++k)
		sums[k] = ordered_sum_value(&totals[k]);
}

sonde_status reference_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan, struct values *values, uint64_t *coincident)
{
	struct stage stage;

	stage_begin(&stage, context, "points (reference)", "points", (double)targets->count);
	for (int64_t n = 0; n < targets->count; ++n) {
		double point[3], sums[4];
		targets_point(targets, n, point);
		if (plan->ewald != NULL)
			ewald_reference_point(plan->ewald, point, sums, coincident);
		else
			reference_point(charges, point, plan->softening, plan->kappa, sums, coincident);
		values->potential[n] = sums[0];
		for (int k = 0; values->field != NULL && k < 3; ++k)
			values->field[3 * n + k] = sums[1 + k];
		CHECK(stage_advance(&stage, (double)(n + 1)));
	}
	return SONDE_OK;
}
