/* Random packings of materials without a cell. */
#ifndef SONDE_MATTER_SAMPLE_AMORPHOUS_H
#define SONDE_MATTER_SAMPLE_AMORPHOUS_H

#include "matter/materials/material_list.h"
#include "run/context.h"
#include "sonde/atoms.h"

/* A periodic packing of material `number` of the list, with the density that it gives or the tables know, in a box
 * that is at least as large as `size`, or, where that would be more than AMORPHOUS_MOST_ATOMS, a cube of that many
 * atoms. *atoms, with the box as their cell, is to be freed by sonde_atoms_free(); null after a failure. */
#define AMORPHOUS_MOST_ATOMS 200000
sonde_status amorphous_make(sonde_context *context, const struct material_list *list, int64_t number,
			    const double size[3], int64_t seed, sonde_atoms **atoms);

#endif
