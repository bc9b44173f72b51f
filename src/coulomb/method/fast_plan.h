/* Whether a fast sum takes the place of the direct one, and how exact it is. */
#ifndef SONDE_COULOMB_METHOD_FAST_PLAN_H
#define SONDE_COULOMB_METHOD_FAST_PLAN_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* Settles on the fast sum where that is asked for, or is less work and the method is automatic. Adds to *evaluations what
 * it will take, instead of what the direct sum would. */
sonde_status fast_plan(sonde_context *context, const struct charges *charges, const struct targets *targets,
		       struct coulomb_plan *plan, double *evaluations);
/* After a result that missed its tolerance by that error: a fast sum that is more exact, or the direct sum where there is
 * none. */
sonde_status fast_plan_better(sonde_context *context, const struct charges *charges, const struct targets *targets,
			      double error, struct coulomb_plan *plan);
/* Forgets the fast sum that a plan has. */
void fast_plan_free(struct coulomb_plan *plan);

#endif
