/* Convex polyhedra as intersections of half-spaces: the regular and semiregular ones of `build`, faces, volumes. */
#ifndef SONDE_MATTER_BUILD_POLYHEDRON_H
#define SONDE_MATTER_BUILD_POLYHEDRON_H

#include <stdbool.h>

#include "base/status.h"
#include "matter/build/solid.h"

/* Appends the plane with this normal, of any length but 0; false if there are BUILD_FACES already. */
bool polyhedron_add(struct build_solid *solid, const double normal[3], double distance);

/* With edges of this length and, where there are any, squares perpendicular to x, y, z. */
void polyhedron_octahedron(double edge, struct build_solid *solid);
void polyhedron_cuboctahedron(double edge, struct build_solid *solid);
void polyhedron_truncated_octahedron(double edge, struct build_solid *solid);
/* Its faces are perpendicular to [111], [1-1-1], [-11-1], [-1-11]. */
void polyhedron_tetrahedron(double edge, struct build_solid *solid);
void polyhedron_rhombic_dodecahedron(double edge, struct build_solid *solid);
void polyhedron_truncated_cube(double edge, struct build_solid *solid);
/* Two corners of the hexagon are on the x axis. */
void polyhedron_hexagonal_prism(double edge, double height, struct build_solid *solid);

/* The volume, INFINITY if the planes do not enclose one, and the box around it unless null. */
double polyhedron_measure(const struct build_solid *solid, double low[3], double high[3]);
/* The radius of a sphere around the center that is inside all planes; 0 without planes. */
double polyhedron_inscribed(const struct build_solid *solid);
/* Removes planes on which there is no face. */
void polyhedron_reduce(struct build_solid *solid);
/* *triangles = `*count` triangles of nine numbers, counterclockwise as seen from outside; to be released with free().
 * Corners of neighboring faces are equal except for rounding. */
sonde_status polyhedron_triangles(const struct build_solid *solid, double **triangles, int64_t *count);

#endif
