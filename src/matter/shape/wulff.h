/* Wulff's construction: the shape of a crystal in equilibrium. */
#ifndef SONDE_MATTER_SHAPE_WULFF_H
#define SONDE_MATTER_SHAPE_WULFF_H

#include "base/status.h"
#include "matter/shape/polyhedron.h"

/* The planes of the families of faces of option `wulff`, "111:1.0,100:1.15", of a cell with these vectors, with
 * distances proportional to the surface energies and the volume of a sphere of this radius. Families are those of the
 * point groups m-3m, for cubic cells, and 6/mmm, for hexagonal ones; other cells are refused. */
sonde_status wulff_make(const char *text, double radius, const double vectors[3][3], struct polyhedron *polyhedron);

/* c/a of a hexagonal cell with a along x and c along z, 0 of a cubic one along x, y, and z; others are refused. */
sonde_status wulff_c_over_a(const double vectors[3][3], double *c_over_a);

#endif
