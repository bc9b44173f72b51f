/* Convex polyhedra as intersections of half-spaces: the regular and semiregular ones of `build`, faces, volumes. */
#ifndef SONDE_MATTER_SHAPE_POLYHEDRON_H
#define SONDE_MATTER_SHAPE_POLYHEDRON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define POLYHEDRON_FACES 256 /* at most */

/* The half-space normal . r <= distance, with a normal of length 1 and distance > 0. */
struct polyhedron_plane {
	double normal[3], distance;
};

/* The points inside all planes; its center is at 0. */
struct polyhedron {
	int count;
	struct polyhedron_plane planes[POLYHEDRON_FACES];
};

/* Appends the plane with this normal, of any length but 0; false if there are POLYHEDRON_FACES already. */
bool polyhedron_add(struct polyhedron *polyhedron, const double normal[3], double distance);

/* With edges of this length and, where there are any, squares perpendicular to x, y, z. */
void polyhedron_octahedron(double edge, struct polyhedron *polyhedron);
void polyhedron_cuboctahedron(double edge, struct polyhedron *polyhedron);
void polyhedron_truncated_octahedron(double edge, struct polyhedron *polyhedron);
/* Its faces are perpendicular to [111], [1-1-1], [-11-1], [-1-11]. */
void polyhedron_tetrahedron(double edge, struct polyhedron *polyhedron);
void polyhedron_rhombic_dodecahedron(double edge, struct polyhedron *polyhedron);
void polyhedron_truncated_cube(double edge, struct polyhedron *polyhedron);
/* Two corners of the hexagon are on the x axis. */
void polyhedron_hexagonal_prism(double edge, double height, struct polyhedron *polyhedron);

/* Twofold axes along x, y, z, as Mackay's icosahedron of build. */
void polyhedron_icosahedron(double edge, struct polyhedron *polyhedron);
/* Ino's decahedron with its fivefold axis along z: five twins of an fcc crystal. Its corners are `radius` from the axis, the first on
 * the x axis; they end (100) faces of this height, 0: a pentagonal bipyramid. */
void polyhedron_decahedron(double radius, double height, struct polyhedron *polyhedron);
/* With these edges, which have a volume. */
void polyhedron_parallelepiped(const double edges[3][3], struct polyhedron *polyhedron);

/* The volume, INFINITY if the planes do not enclose one, and the box around it unless null. */
double polyhedron_measure(const struct polyhedron *polyhedron, double low[3], double high[3]);
/* The radius of a sphere around the center that is inside all planes; 0 without planes. */
double polyhedron_inscribed(const struct polyhedron *polyhedron);
/* Removes planes on which there is no face. */
void polyhedron_reduce(struct polyhedron *polyhedron);
/* *triangles = `*count` triangles of nine numbers, counterclockwise as seen from outside; to be released with free().
 * Corners of neighboring faces are equal except for rounding. */
sonde_status polyhedron_triangles(const struct polyhedron *polyhedron, double **triangles, int64_t *count);

#endif
