/* Blocks of atoms, of which engines give the parts of what they compute: those of a file's column, copies, chains or residues. */
#ifndef SONDE_MATTER_ATOM_BLOCKS_H
#define SONDE_MATTER_ATOM_BLOCKS_H

#include "matter/atoms/atoms.h"

/* The blocks of a sample; {0} at first, freed by atom_blocks_free(). */
struct atom_blocks {
	int count; /* 0: none are wanted */
	char (*names)[ATOM_GROUP_NAME];
	const uint32_t *of; /* block of each atom of the sample; null: the atoms are in blocks of `each` */
	int64_t each;
	uint32_t *own; /* the array `of`, if it does not belong to the sample */
};

/* Those of this kind, as the option `partials` of an engine wants them; copies of one structure have `copy_atoms` atoms if that is
 * above 0. Fails if the sample does not have them. */
sonde_status atom_blocks_find(const sonde_atoms *atoms, enum atom_grouping grouping, int64_t copy_atoms,
			      struct atom_blocks *blocks);
void atom_blocks_free(struct atom_blocks *blocks);
/* The block of an atom of the sample; 0 without blocks. */
int atom_blocks_of(const struct atom_blocks *blocks, int64_t atom);

#endif
