/* A sum whose slabs are written to a file while the next ones are computed. */
#ifndef SONDE_COULOMB_SLABS_H
#define SONDE_COULOMB_SLABS_H

#include "coulomb/charges.h"
#include "coulomb/check/errors.h"
#include "coulomb/output/delivery.h"
#include "coulomb/plan.h"
#include "coulomb/mask.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* Counts of a sum in addition to its values. */
struct sum_totals {
	uint64_t coincident; /* omitted pairs of a point and a charge */
	int64_t masked;      /* points */
	double kernel_seconds;
};

/* Largest number of points of a slab with which two of them fit into the allowed memory. */
double slabs_most_points(const sonde_context *context, const struct charges *charges, bool field);
/* Writes all points of a grid to an open file, except those excluded by the mask, which are counted; also stores
 * those of `checked`. `charges` are one set. */
sonde_status slabs_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
		       const struct coulomb_plan *plan, const struct mask *mask, struct delivery *delivery,
		       struct checked_points *checked, struct sum_totals *totals);

#endif
