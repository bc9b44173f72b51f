/* Balls around the atoms, and distances of points from them. */
#ifndef SONDE_COULOMB_TARGETS_SPHERES_H
#define SONDE_COULOMB_TARGETS_SPHERES_H

#include <stdint.h>

#include "matter/atoms/atoms.h"

struct spheres {
	const double *positions, *radii; /* of each ball; radii null: 0 */
	double low[3], edge;             /* cells: corner and length of an edge, Angstrom */
	int64_t cells[3];
	int64_t *starts, *order; /* the balls of each cell */
	double largest;          /* largest radius */
};

/* Sorts the balls of radius radii[i] (null: 0), for searches up to `reach` from their surface. positions and radii
 * are owned by the caller and must be kept. */
sonde_status spheres_make(int64_t count, const double *positions, const double *radii, double reach,
			  struct spheres *spheres);
void spheres_free(struct spheres *spheres);
/* The smallest distance of a point from the surface of a ball, negative inside; `reach` or more if none is nearer.
 * Ball `except` is ignored; -1: none is. */
double spheres_distance(const struct spheres *spheres, const double point[3], double reach, int64_t except);

#endif
