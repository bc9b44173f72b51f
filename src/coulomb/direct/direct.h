/* The direct sum, slab by slab: the interface of sums.h for one method. */
#ifndef SONDE_COULOMB_DIRECT_DIRECT_H
#define SONDE_COULOMB_DIRECT_DIRECT_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

struct direct_run;
sonde_status direct_begin(sonde_context *context, const struct charges *charges, const struct targets *targets,
			  const struct coulomb_plan *plan, struct direct_run **run);
int64_t direct_planes(const struct direct_run *run);
sonde_status direct_slab(struct direct_run *run, const struct target_range *slab, struct values *values,
			 uint64_t *coincident);
double direct_end(struct direct_run **run);

#endif
