/* Blocks of atoms, for the parts of I by pairs of them: those of a file's column, copies, chains or residues. */
#ifndef SONDE_DEBYE_BLOCKS_H
#define SONDE_DEBYE_BLOCKS_H

#include "debye/debye.h"

/* The blocks of a sample; {0} at first, freed by debye_blocks_free(). */
struct debye_blocks {
	int count; /* 0: none are wanted */
	char (*names)[ATOM_GROUP_NAME];
	const uint32_t *of; /* block of each atom of the sample; null: the atoms are in blocks of `each` */
	int64_t each;
	uint32_t *own; /* the array `of`, if it does not belong to the sample */
};

/* Those of the option `partials`; fails if the sample does not have them. */
sonde_status debye_blocks_find(const sonde_atoms *atoms, const sonde_debye_options *options,
			       struct debye_blocks *blocks);
void debye_blocks_free(struct debye_blocks *blocks);
/* The block of an atom of the sample; 0 without blocks. */
int debye_block_of(const struct debye_blocks *blocks, int64_t atom);

#endif
