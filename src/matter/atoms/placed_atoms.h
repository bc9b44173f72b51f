/* Ensembles by placements: the atoms of one copy of each structure, and the places and orientations of all copies. */
#ifndef SONDE_MATTER_PLACED_ATOMS_H
#define SONDE_MATTER_PLACED_ATOMS_H

#include "matter/atoms/atoms.h"
#include "run/context.h"

/* Makes of the atoms one copy of each of `count` groups, whose atoms they must be, with the placements of all copies, which they own
 * from then on, also after a failure. */
sonde_status atoms_set_placements(sonde_atoms *atoms, const struct copy_group *groups, int count,
				  struct placement *placements);
/* The number of atoms of all copies; of samples without placements that of the atoms. */
int64_t atoms_all(const sonde_atoms *atoms);
/* The number of all copies. */
int64_t atoms_copy_count(const sonde_atoms *atoms);
/* Of all atoms of a species. */
int64_t atoms_all_of(const sonde_atoms *atoms, int species);
/* Replaces a sample with placements by all atoms of its copies, one after the other, with charges, occupancies, and displacements, whose
 * tensors turn with their copy. Does nothing with other samples. *atoms stays as it is after a failure. */
sonde_status atoms_expand(sonde_context *context, sonde_atoms **atoms);

/* The same, of which the sample itself is unchanged. */
sonde_status atoms_expanded(sonde_context *context, const sonde_atoms *atoms, sonde_atoms **expanded);

/* SONDE_INVALID for a sample with placements, for what needs all atoms. */
sonde_status atoms_refuse_placements(const sonde_atoms *atoms);

/* The position of an atom at r in the structure. All programs that place atoms use this order of operations, without multiply-add, so
 * that they have the same bits. */
static inline void placement_apply(const struct placement *placement, const double r[3], double position[3])
{
	for (int k = 0; k < 3; ++k) {
		const double *row = placement->rotation[k];
		position[k] = placement->position[k] + (row[0] * r[0] + row[1] * r[1] + row[2] * r[2]);
	}
}

#endif
