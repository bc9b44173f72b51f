/* Closed surfaces of triangles. */
#ifndef SONDE_MATTER_SHAPE_SURFACE_H
#define SONDE_MATTER_SHAPE_SURFACE_H

#include <stdint.h>

#include "base/status.h"

struct surface {
	uint32_t vertex_count, triangle_count;
	double *vertices;    /* three numbers each */
	uint32_t *triangles; /* three vertices each, counter-clockwise as seen from outside */
	double volume;
};

/* Joins the corners of triangles, nine numbers each, to a surface and checks that it is closed; see
 * shape_create_mesh(). Triangles that vanish are left out; a surface that is inside out is turned. To be freed, also
 * after a failure. */
sonde_status surface_create(const double *corners, int64_t count, struct surface *surface);
/* Moves all triangles outwards by `more`, which is small against them: each vertex to where its triangles' planes then meet, as nearly as they do. */
sonde_status surface_grow(struct surface *surface, double more);
void surface_free(struct surface *surface);

#endif
