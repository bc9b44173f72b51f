/* Crystal structures by name: their cells and atoms. */
#ifndef SONDE_MATTER_CRYSTAL_H
#define SONDE_MATTER_CRYSTAL_H

#include "base/status.h"

/* A cell: its vectors (rows, Angstrom) and its sites in fractions of them. The first site is at the
 * origin. To be freed by crystal_free(). */
struct crystal {
	double vectors[3][3];
	int site_count, species_count;
	double (*site)[3];
	int *site_species; /* below species_count */
};

/* Number of species that structure `index` (in the order of the choices of build's option `cell`) has. */
int crystal_species_count(int index);
/* An empty cell with room for this many sites, at least 1. */
sonde_status crystal_create(int site_count, int species_count, struct crystal *crystal);
/* The cell of structure `index` with lattice constants a and c (0: ideal) and wurtzite's u. */
sonde_status crystal_make(int index, double a, double c, double u, struct crystal *crystal);
/* Rotates the vectors: each becomes the matrix times it. */
void crystal_rotate(struct crystal *crystal, const double rotation[3][3]);
/* Volume of the cell, and its reciprocal vectors (rows, without the factor 2 pi), unless null. The volume of a
 * left-handed cell is negative. */
double crystal_reciprocal(const double vectors[3][3], double reciprocal[3][3]);
void crystal_free(struct crystal *crystal);

#endif
