/* The fast sum of a list of points, by a mesh. */
#ifndef SONDE_COULOMB_MESH_MESH_SUM_H
#define SONDE_COULOMB_MESH_MESH_SUM_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

/* The fast sum of a list of points, by a mesh; *seconds is its duration. */
sonde_status mesh_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident, double *seconds);

#endif
