/* The oracle: sums in float64, directly by the formulas. */
#ifndef SONDE_COULOMB_CHECK_REFERENCE_H
#define SONDE_COULOMB_CHECK_REFERENCE_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

sonde_status reference_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
			   const struct target_range *range, const struct coulomb_plan *plan, struct values *values,
			   uint64_t *coincident);
/* One point, in compensated float64: phi, Ex, Ey, Ez of a set of charges, and the number of charges at the point. */
void reference_point(const struct charges *charges, uint32_t set, const double point[3],
		     const struct coulomb_plan *plan, double sums[4], uint64_t *coincident);

#endif
