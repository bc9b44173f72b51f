/* Balls round the atoms, and how far points are from them. */
#ifndef SONDE_COULOMB_TARGETS_SPHERES_H
#define SONDE_COULOMB_TARGETS_SPHERES_H

#include <stdint.h>

#include "matter/atoms.h"

struct spheres {
	const double *positions, *radii; /* of each; radii null: 0 */
	double low[3], edge;             /* cells: corner and length of an edge, Angstrom */
	int64_t cells[3];
	int64_t *starts, *order; /* the balls of each cell */
	double largest;          /* radius */
};

/* Sorts the balls of radius radii[i] (null: 0), to be looked for at most `reach` from their surface. positions and radii
 * stay the caller's, and must stay. */
sonde_status spheres_make(int64_t count, const double *positions, const double *radii, double reach,
			  struct spheres *spheres);
void spheres_free(struct spheres *spheres);
/* The least distance of a point from the surface of a ball, negative inside; `reach` or more where there is none nearer.
 * Ball `except` does not count; -1: all do. */
double spheres_distance(const struct spheres *spheres, const double point[3], double reach, int64_t except);

#endif
