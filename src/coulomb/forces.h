/* Energy and forces of the charges. */
#ifndef SONDE_COULOMB_FORCES_H
#define SONDE_COULOMB_FORCES_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "matter/atoms/atoms.h"
#include "run/context.h"

/* Writes energy and forces of `sets` sets of charges to those of the result from `first` on, by a method of the
 * option's choice. Charges of the atoms that coincide are reported. */
sonde_status coulomb_forces(sonde_context *context, const sonde_atoms *atoms, const struct charges *charges,
			    uint32_t first, uint32_t sets, const struct coulomb_plan *plan, int method,
			    sonde_coulomb_result *result);

#endif
