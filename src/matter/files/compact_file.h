/* Files of ensembles that stay compact. */
#ifndef SONDE_MATTER_COMPACT_FILE_H
#define SONDE_MATTER_COMPACT_FILE_H

#include "sonde/atoms.h"

/* The same as sonde_atoms_read(), but of a compact ensemble the atoms of one copy of each structure, with the placements of all copies
 * (atoms/placed_atoms.h). */
sonde_status atoms_read_compact(sonde_context *context, const char *path, int64_t frame, sonde_atoms **atoms);

#endif
