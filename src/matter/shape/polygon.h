/* Corners of prisms. */
#ifndef SONDE_MATTER_SHAPE_POLYGON_H
#define SONDE_MATTER_SHAPE_POLYGON_H

#include <stdint.h>

#include "base/status.h"

/* Corners from "x,y;x,y", numbers in `unit` or with their own, to be freed by the caller also after a failure. */
sonde_status polygon_parse(const char *text, const char *unit, double **vertices, int64_t *count);
/* Moves all edges outward by `more`: a corner moves to the intersection of its two edges, at most ten times as far. */
sonde_status polygon_grow(double *vertices, int64_t count, double more);

#endif
