/* Lines round bodies, from a map of the permittivity. */
#ifndef SONDE_FDTD_OUTPUT_OUTLINES_H
#define SONDE_FDTD_OUTPUT_OUTLINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A piece of a line; places are numbers of nodes. */
struct outline {
	double from[2], to[2];
};

/* Where a map of count[0] x count[1] nodes (the second index the fastest) passes the middles between the values that bodies have: those of
 * nodes whose neighbours have the same, and the least and the largest of all; others are means at surfaces. What is not finite is
 * taken for a value above all others. *lines is to be freed; null where there are none. */
sonde_status outlines_find(const double *map, const int64_t count[2], struct outline **lines, size_t *found);

#endif
