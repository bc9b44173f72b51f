/* Crystal structures by name: their cells and atoms. */
#ifndef SONDE_MATTER_CRYSTAL_H
#define SONDE_MATTER_CRYSTAL_H

#include "base/status.h"

#define CRYSTAL_SITES 12 /* maximum number of atoms of a cell */

/* A cell: its vectors (rows, Angstrom) and its sites in fractions of them. The first site is at the
 * origin. */
struct crystal {
	double vectors[3][3];
	int site_count;
	double site[CRYSTAL_SITES][3];
	int site_species[CRYSTAL_SITES];
};

/* Number of species that structure `index` (in the order of the choices of build's option `cell`) has. */
int crystal_species_count(int index);
/* The cell of structure `index` with lattice constants a and c (0: ideal) and wurtzite's u. */
void crystal_make(int index, double a, double c, double u, struct crystal *crystal);

#endif
