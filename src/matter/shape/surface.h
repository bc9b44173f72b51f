/* Closed surfaces of triangles. */
#ifndef SONDE_MATTER_SHAPE_SURFACE_H
#define SONDE_MATTER_SHAPE_SURFACE_H

#include <stdint.h>

#include "base/status.h"

struct surface {
	uint32_t vertex_count, triangle_count;
	double *vertices;    /* three numbers each */
	uint32_t *triangles; /* three vertices each, counterclockwise as seen from outside */
	double volume;
};

/* Joins the corners of triangles, nine numbers each, to a surface and checks that it is closed; see
 * shape_create_mesh(). Degenerate triangles are left out; a surface that is inside out is reversed. To be freed, also
 * after a failure. */
sonde_status surface_create(const double *corners, int64_t count, struct surface *surface);
/* Moves all triangles outward by `more`, which must be small compared with them: each vertex to the intersection of
 * its triangles' displaced planes, or the point closest to all of them. */
sonde_status surface_grow(struct surface *surface, double more);
void surface_free(struct surface *surface);

#endif
