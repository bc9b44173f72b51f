/* Samples by placements of copies (matter/atoms/placed_atoms.h). */
#ifndef SONDE_DEBYE_PLACED_H
#define SONDE_DEBYE_PLACED_H

#include "matter/atoms/atoms.h"
#include "run/context.h"
#include "sonde/debye.h"

/* The sample at the places of option `placements`, and all atoms of its copies unless `copies averaged` or `independent` can do without;
 * null if it is `atoms` as it is. *placed is to be freed by sonde_atoms_free(), also after a failure. */
sonde_status debye_place(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			 sonde_atoms **placed);

#endif
