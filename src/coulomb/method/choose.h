/* The method of a job, and whether the job is feasible. */
#ifndef SONDE_COULOMB_METHOD_CHOOSE_H
#define SONDE_COULOMB_METHOD_CHOOSE_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* Refuses jobs that would take years or do not fit into memory. */
sonde_status coulomb_check_size(const sonde_context *context, const sonde_coulomb_options *options,
				const struct charges *charges, const struct targets *targets, bool in_memory);
sonde_status coulomb_plan_make(sonde_context *context, const sonde_coulomb_options *options,
			       const struct charges *charges, const struct targets *targets, const struct cell *cell,
			       struct coulomb_plan *plan);
void coulomb_plan_free(struct coulomb_plan *plan);

#endif
