/* Prisms as closed surfaces of triangles. */
#ifndef SONDE_MATTER_SHAPE_PRISM_SURFACE_H
#define SONDE_MATTER_SHAPE_PRISM_SURFACE_H

#include "matter/shape/shape.h"

#define PRISM_SURFACE_MOST 10000 /* corners of the polygon: time grows with their square */

/* The surface of a shape made by shape_create_prism(), to be freed by surface_free(), also after a failure. */
sonde_status prism_surface(const struct shape *shape, struct surface *surface);

#endif
