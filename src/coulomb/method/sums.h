/* Sums by whatever method the plan has. */
#ifndef SONDE_COULOMB_METHOD_SUMS_H
#define SONDE_COULOMB_METHOD_SUMS_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

/* A sum slab by slab: planes of the grid, one slab after the other along the slow step, by devices that stay ready. */
struct sums;
/* Charges, targets and plan must live on. */
sonde_status sums_begin(sonde_context *context, const struct charges *charges, const struct targets *targets,
			const struct coulomb_plan *plan, struct sums **sums);
/* A slab has a multiple of so many planes, but for the last one. */
int64_t sums_planes(const struct sums *sums);
/* Planes first to first + count - 1 into `values`, which begin with the slab's first point. *coincident grows. */
sonde_status sums_slab(struct sums *sums, int64_t first, int64_t count, struct values *values, uint64_t *coincident);
/* Returns the seconds in kernels of the device that took longest. Harmless on null. */
double sums_end(struct sums **sums);
/* All of the above for the whole. */
sonde_status sums_all(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident);

#endif
