/* Atoms in an order in which consecutive ones are near each other. */
#ifndef SONDE_MATTER_COMPACT_ATOMS_H
#define SONDE_MATTER_COMPACT_ATOMS_H

#include "matter/atoms/atoms.h"
#include "run/context.h"

struct compact_atom {
	double r[3];
	uint32_t atom; /* its number in the sample */
};

/* The atoms, species by species, each cut into compact tiles of `atoms_per_tile`, the last one of a species excepted;
 * `tiles_per_unit` adjacent tiles are compact as well. The order depends on positions and numbers only. *entries is to be
 * released with free(), also after a failure. */
sonde_status compact_atoms_sort(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
				uint32_t tiles_per_unit, struct compact_atom **entries);

#endif
