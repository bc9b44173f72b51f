/* A sum whose slabs go to a file: while one is written, the next one is computed. */
#ifndef SONDE_COULOMB_SLABS_H
#define SONDE_COULOMB_SLABS_H

#include "coulomb/charges.h"
#include "coulomb/check/errors.h"
#include "coulomb/output/delivery.h"
#include "coulomb/plan.h"
#include "coulomb/targets/mask.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* What a sum says besides its values. */
struct sum_totals {
	uint64_t coincident; /* pairs of a point and a charge that were left out */
	int64_t masked;      /* points */
	double kernel_seconds;
};

/* Points that a slab may have, so that two of them fit into the memory that is allowed. */
double slabs_most_points(const sonde_context *context, const struct charges *charges, bool field);
/* All points of a grid to a file that was opened for them, without those that the mask leaves out, which are counted; takes
 * those of `checked` on the way. `charges` are one set. */
sonde_status slabs_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
		       const struct coulomb_plan *plan, const struct mask *mask, struct delivery *delivery,
		       struct checked_points *checked, struct sum_totals *totals);

#endif
