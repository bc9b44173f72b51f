/* Additions to the fast sum for periodic charges. */
#ifndef SONDE_COULOMB_METHOD_FAST_PERIODIC_H
#define SONDE_COULOMB_METHOD_FAST_PERIODIC_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "run/context.h"

/* For periodic charges: additional input of the plan's tree, computed by the plan's Ewald sum. */
sonde_status fast_periodic(sonde_context *context, const struct charges *charges, struct coulomb_plan *plan);

#endif
