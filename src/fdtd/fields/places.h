/* A point between the nodes: the edges or faces around it, with their weights. */
#ifndef SONDE_FDTD_FIELDS_PLACES_H
#define SONDE_FDTD_FIELDS_PLACES_H

#include "fdtd/fields/fields.h"

struct place_part {
	int node[3];
	double part;
	double phase; /* phase (radians) of the field there relative to that at the node: beyond Bloch walls */
};

/* Edges or faces of a component around a point in nodes, linear along each axis; returns their number, 1 to 8. Beyond
 * a periodic wall lies the other side; beyond others the image, so that weights may sum to less than 1: a single one
 * of 0 where a magnetic wall makes the field 0. */
int places_around(const struct fdtd_grid *grid, enum field field, int component, const double point[3],
		  struct place_part parts[8]);
/* Multiplicity of a current at a place: 2 on magnetic walls, where its image acts as well. */
double place_with_image(const struct fdtd_grid *grid, enum field field, int component, const int node[3]);

#endif
