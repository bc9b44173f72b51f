/* Multiply twinned clusters of fcc metals. */
#ifndef SONDE_MATTER_BUILD_CLUSTER_H
#define SONDE_MATTER_BUILD_CLUSTER_H

#include "matter/atoms/atoms.h"
#include "matter/build/solid.h"

/* Appends, within the reserved memory, the atoms of Mackay's icosahedron: this many shells around an atom, neighbors on
 * the lines from the center to the corners at `distance`, those within a shell 5.1 % farther. */
void cluster_icosahedron(int64_t shells, double distance, uint16_t species, sonde_atoms *atoms);
/* The flat faces of the same icosahedron, half a layer of atoms outside of the outermost one, as planes of the solid; its
 * axes x, y, z are turned to those of a cube. */
void cluster_icosahedron_faces(int64_t shells, double distance, const double axes[3][3], struct build_solid *solid);
/* The same of a decahedron with p, q, and no reentrant edges. */
void cluster_decahedron_faces(int64_t p, int64_t q, double distance, const double axes[3][3],
			      struct build_solid *solid);
/* The largest clusters within an icosahedron of this edge, or a decahedron with this radius and height. */
int64_t cluster_icosahedron_within(double edge, double distance);
void cluster_decahedron_within(double radius, double height, double distance, int64_t *p, int64_t *q);
/* The atoms of a decahedron with its fivefold axis along z: p atoms on the edges of the (100) faces across the axis, q
 * along it, and r atoms deep reentrant edges of Marks; r = 0: Ino's decahedron; with q = 1 a pentagonal bipyramid.
 * Neighbors of the axis are at `distance`. */
void cluster_decahedron(int64_t p, int64_t q, int64_t r, double distance, uint16_t species, sonde_atoms *atoms);

/* Their numbers of atoms. */
int64_t cluster_icosahedron_atoms(int64_t shells);
int64_t cluster_decahedron_atoms(int64_t p, int64_t q, int64_t r);

#endif
