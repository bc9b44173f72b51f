/* Atoms in an order in which consecutive ones are near each other. */
#ifndef SONDE_MATTER_COMPACT_ATOMS_H
#define SONDE_MATTER_COMPACT_ATOMS_H

#include "matter/atoms/atoms.h"
#include "matter/atoms/compact_pieces.h"
#include "run/context.h"

/* The atoms, species by species, each cut into compact tiles of `atoms_per_tile`, the last one of a species excepted;
 * `tiles_per_unit` adjacent tiles are compact as well. The order depends on positions and numbers only. *entries is to be
 * released with free(), also after a failure. */
sonde_status compact_atoms_sort(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
				uint32_t tiles_per_unit, struct compact_atom **entries);
/* The same order by the ranks of the context, each of which finds a part of it: all come to this, with the same atoms. */
sonde_status compact_atoms_sort_by_ranks(const sonde_context *context, const sonde_atoms *atoms,
					 uint32_t atoms_per_tile, struct compact_atom **entries);

#endif
