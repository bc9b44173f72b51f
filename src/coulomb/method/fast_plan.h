/* Whether a fast sum replaces the direct one, and its accuracy. */
#ifndef SONDE_COULOMB_METHOD_FAST_PLAN_H
#define SONDE_COULOMB_METHOD_FAST_PLAN_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* Chooses the fast sum if requested, or if it is less work and the method is automatic. Adds its evaluations to
 * *evaluations, instead of those of the direct sum. */
sonde_status fast_plan(sonde_context *context, const struct charges *charges, const struct targets *targets,
		       struct coulomb_plan *plan, double *evaluations);
/* After a result that missed its tolerance with this error: a more accurate fast sum, or the direct sum if there is
 * none. */
sonde_status fast_plan_better(sonde_context *context, const struct charges *charges, const struct targets *targets,
			      double error, struct coulomb_plan *plan);
/* Removes the fast sum from a plan. */
void fast_plan_free(struct coulomb_plan *plan);

#endif
