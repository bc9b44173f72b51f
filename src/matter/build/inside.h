/* Whether a point is inside a solid. */
#ifndef SONDE_MATTER_BUILD_INSIDE_H
#define SONDE_MATTER_BUILD_INSIDE_H

#include <stdbool.h>

#include "matter/build/solid.h"

#define BUILD_ON_SURFACE 1e-9     /* atoms this close outside a surface, relative, belong to the shape */
#define BUILD_OUTER (1.0 + 1e-9)  /* `grow` of solid_contains(): with the surface */
#define BUILD_WITHIN (1.0 - 1e-9) /* the same without the surface */

/* Whether a point is inside the solid scaled by `scale` about its center; not for STL, SUPERCELL (always true) and
 * CLUSTER. `grow` is BUILD_OUTER or BUILD_WITHIN. */
bool solid_contains(const struct build_solid *solid, const double *point, double scale, double grow);
/* The box around the solid; not for STL, SUPERCELL and CLUSTER. */
void solid_bounds(const struct build_solid *solid, double low[3], double high[3]);

#endif
