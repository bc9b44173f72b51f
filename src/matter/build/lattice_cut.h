/* A shape cut from a lattice, as rows of cells. */
#ifndef SONDE_MATTER_BUILD_LATTICE_CUT_H
#define SONDE_MATTER_BUILD_LATTICE_CUT_H

#include "matter/build/walk.h"
#include "matter/crystal/lattice.h"

/* Adds the points that walk_lattice() and supercell_fill() would place. Kinds are those of the species of the crystal,
 * and then of as many in the core; sites of kind -1 are left out. */
sonde_status lattice_cut(sonde_context *context, const struct crystal *crystal, const struct region *region,
			 const double center[3], const int *kinds, sonde_lattice *lattice);

#endif
