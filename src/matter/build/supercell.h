/* Supercells by integer matrices. */
#ifndef SONDE_MATTER_BUILD_SUPERCELL_H
#define SONDE_MATTER_BUILD_SUPERCELL_H

#include "matter/atoms/atoms.h"
#include "matter/crystal/crystal.h"
#include "run/context.h"

/* Nine integers of option `supercell_matrix`, rows one after the other; the determinant is not 0. */
sonde_status supercell_parse(const char *text, int64_t matrix[3][3]);
/* Appends the |det| times as many atoms of the cell with vectors matrix * vectors, each within it: fractions in
 * [0, 1). */
sonde_status supercell_fill(sonde_context *context, const struct crystal *crystal, int64_t matrix[3][3],
			    const uint16_t *species, sonde_atoms *atoms);

#endif
