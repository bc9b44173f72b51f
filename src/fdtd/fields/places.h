/* A point between the nodes: the edges or faces around it, with their parts in it. */
#ifndef SONDE_FDTD_FIELDS_PLACES_H
#define SONDE_FDTD_FIELDS_PLACES_H

#include "fdtd/fields/fields.h"

struct place_part {
	int node[3];
	double part;
	double phase; /* radians of the field there ahead of that at the node: beyond Bloch's walls */
};

/* Those of a component around a point in nodes, linear along each axis; returns how many, 1 to 8. Beyond a periodic wall is the other side; beyond others
 * is the image, so that parts may be less than 1 together: one of 0 where a magnetic wall makes the field 0. */
int places_around(const struct fdtd_grid *grid, enum field field, int component, const double point[3],
		  struct place_part parts[8]);
/* How often a current at a place acts there: twice on magnetic walls, where its image is, too. */
double place_with_image(const struct fdtd_grid *grid, enum field field, int component, const int node[3]);

#endif
