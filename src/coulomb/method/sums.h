/* Sums by the method of the plan. */
#ifndef SONDE_COULOMB_METHOD_SUMS_H
#define SONDE_COULOMB_METHOD_SUMS_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

/* A sum slab by slab: planes of the grid, one slab after another along the slow step, on devices that stay
 * prepared. */
struct sums;
/* Charges, targets and plan must outlive it. */
sonde_status sums_begin(sonde_context *context, const struct charges *charges, const struct targets *targets,
			const struct coulomb_plan *plan, struct sums **sums);
/* A slab has a multiple of this many planes, except the last one. */
int64_t sums_planes(const struct sums *sums);
/* Computes planes first to first + count - 1 into `values`, which begin with the slab's first point; increases
 * *coincident. */
sonde_status sums_slab(struct sums *sums, int64_t first, int64_t count, struct values *values, uint64_t *coincident);
/* Returns the kernel seconds of the slowest device. A no-op on null. */
double sums_end(struct sums **sums);
/* The calls above in one, for all planes. */
sonde_status sums_all(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident);

#endif
