/* What the fast sum of periodic charges needs in addition. */
#ifndef SONDE_COULOMB_METHOD_FAST_PERIODIC_H
#define SONDE_COULOMB_METHOD_FAST_PERIODIC_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "run/context.h"

/* Of periodic charges: what the tree of the plan needs besides, found by Ewald's sum of the plan. */
sonde_status fast_periodic(sonde_context *context, const struct charges *charges, struct coulomb_plan *plan);

#endif
