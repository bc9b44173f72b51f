/* Which method a job takes, and whether it can be done at all. */
#ifndef SONDE_COULOMB_METHOD_CHOOSE_H
#define SONDE_COULOMB_METHOD_CHOOSE_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* Refuses what a lifetime, or the memory, does not suffice for. */
sonde_status coulomb_check_size(const sonde_context *context, const sonde_coulomb_options *options,
				const struct charges *charges, const struct targets *targets, bool in_memory);
sonde_status coulomb_plan_make(sonde_context *context, const sonde_coulomb_options *options,
			       const struct charges *charges, const struct targets *targets, const struct cell *cell,
			       struct coulomb_plan *plan);
void coulomb_plan_free(struct coulomb_plan *plan);

#endif
