/* The volume of balls around atoms, as cubes of equal size. */
#ifndef SONDE_MATTER_SHAPE_ATOM_BALLS_H
#define SONDE_MATTER_SHAPE_ATOM_BALLS_H

#include <stdint.h>

#include "base/status.h"

struct atom_balls {
	int64_t counts[3]; /* of cubes along x, y and z */
	double origin[3];  /* lower corner of the first */
	double size;
	uint16_t *filled; /* 1 or 0, x fastest; to be freed */
};

/* Cubes of edge `size` around `count` atoms, with positions x, y, z, all lengths in one unit: filled if the midpoint is within
 * `radius` of an atom. Half the distance between neighbors, and slightly more, makes one solid from a crystal's atoms. With size 0 it
 * is an eighth of the radius, where that needs more than 2^28 cubes up to a third. `filled` is to be freed also after a failure. */
sonde_status atom_balls_make(const double *positions, int64_t count, double radius, double size,
			     struct atom_balls *balls);
/* The same for the atoms of a file. Messages name the options `file` and `radius`. */
sonde_status atom_balls_read(const char *path, double radius, double size, struct atom_balls *balls);

#endif
