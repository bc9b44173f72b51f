/* The cost of parts of the fast method, in cycles of a core with AVX2: constants, since what is computed must not depend on the machine. */
#ifndef SONDE_PATTERN_FAST_COST_H
#define SONDE_PATTERN_FAST_COST_H

#include "pattern/fast/axes.h"

/* Of a patch, without its mesh and points. */
double cost_of_atoms(const struct window *window, const struct fast_axes *axes, double atoms);
/* Of interpolation; for regular axes, of copies. */
double cost_of_points(const struct window *window, const struct fast_axes *axes, double points);
double cost_of_mesh(const struct fast_axes *axes);
/* Bytes of the meshes with sizes of fast_axes_sizes(). */
double cost_bytes(const double sizes[4]);

#endif
