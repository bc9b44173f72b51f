/* Multiply twinned clusters of fcc metals. */
#ifndef SONDE_MATTER_BUILD_CLUSTER_H
#define SONDE_MATTER_BUILD_CLUSTER_H

#include "matter/atoms.h"

/* Appends the atoms of Mackay's icosahedron: this many shells around an atom, neighbors on the lines from the center to
 * the corners at `distance`, those within a shell 5.1 % farther. */
sonde_status cluster_icosahedron(int64_t shells, double distance, uint16_t species, sonde_atoms *atoms);
/* Appends the atoms of a decahedron with its fivefold axis along z: p atoms on the edges of the (100) faces across the
 * axis, q along it, and r atoms deep reentrant edges of Marks; r = 0: Ino's decahedron; with q = 1 a pentagonal
 * bipyramid. Neighbors of the axis are at `distance`. */
sonde_status cluster_decahedron(int64_t p, int64_t q, int64_t r, double distance, uint16_t species,
				sonde_atoms *atoms);

#endif
