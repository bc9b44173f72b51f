/* Corners of prisms. */
#ifndef SONDE_MATTER_SHAPE_POLYGON_H
#define SONDE_MATTER_SHAPE_POLYGON_H

#include <stdint.h>

#include "base/status.h"

/* Corners from "x,y;x,y", numbers in `unit` or with one, to be freed by the caller also after a failure. */
sonde_status polygon_parse(const char *text, const char *unit, double **vertices, int64_t *count);
/* Moves all edges outwards by `more`: a corner comes to where those of its two edges meet, at most ten times as far. */
sonde_status polygon_grow(double *vertices, int64_t count, double more);

#endif
