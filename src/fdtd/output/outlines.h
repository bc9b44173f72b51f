/* Outlines of bodies, from a map of the permittivity. */
#ifndef SONDE_FDTD_OUTPUT_OUTLINES_H
#define SONDE_FDTD_OUTPUT_OUTLINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A piece of a line; coordinates are in nodes. */
struct outline {
	double from[2], to[2];
};

/* Where a map of count[0] x count[1] nodes (the second index the fastest) passes the midpoints between the values of
 * bodies: those of nodes whose neighbors have the same, and the smallest and the largest of all; others are means at
 * surfaces. Infinite values count as above all others. *lines is to be freed; null if there are none. */
sonde_status outlines_find(const double *map, const int64_t count[2], struct outline **lines, size_t *found);

#endif
