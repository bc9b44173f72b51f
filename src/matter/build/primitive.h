/* Primitive cells of crystals. */
#ifndef SONDE_MATTER_BUILD_PRIMITIVE_H
#define SONDE_MATTER_BUILD_PRIMITIVE_H

#include "matter/crystal/crystal.h"

/* The lattice of a crystal with all of its translations, and one site of each set of equivalent ones. */
struct primitive_cell {
	double vectors[3][3]; /* the shortest ones, Angstrom */
	int site_count;
	int *sites; /* numbers of sites of the crystal */
};

/* Translations are vectors between sites that carry every site to one of the same species, within 1e-8 of the cell.
 * Crystals of more than 256 sites are taken as primitive. To be freed by primitive_free(), also after a failure. */
sonde_status primitive_find(const struct crystal *crystal, struct primitive_cell *cell);
void primitive_free(struct primitive_cell *cell);

#endif
