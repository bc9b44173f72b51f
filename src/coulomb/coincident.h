/* Charges that lie at the place of another one. */
#ifndef SONDE_COULOMB_COINCIDENT_H
#define SONDE_COULOMB_COINCIDENT_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "matter/atoms/atoms.h"
#include "run/context.h"

/* Reports so many pairs of charges, which energy and forces leave out: by a note, or as the failure that the option
 * `self` asks for. The charges are some of the atoms, in their order. */
sonde_status coincident_report(sonde_context *context, const sonde_atoms *atoms, const struct charges *charges,
			       const struct coulomb_plan *plan, uint64_t pairs);

#endif
