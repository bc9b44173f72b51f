/* The cost of parts of the fast method, in cycles of a core with AVX2, or on a GPU, in those of a clock of COST_CLOCK: constants, since what is
 * computed must not depend on the machine. */
#ifndef SONDE_PATTERN_FAST_COST_H
#define SONDE_PATTERN_FAST_COST_H

#include "pattern/fast/axes.h"

#define COST_CLOCK 3e9 /* per second */

struct costs {
	double patch;  /* memory, factors, loops of threads, launches */
	double atom;   /* place, phase, and order, */
	double spread; /* four numbers of a mesh */
	double point;  /* window, and amplitude */
	double read;   /* four numbers */
	double copy;   /* a regular point with its amplitude */
	double clear;  /* a node */
	double number; /* of a line: gathered and written, */
	double stage;  /* and log2(size) times this for each */
};
extern const struct costs costs_of_core, costs_of_gpu, costs_of_turned;

/* Of a patch, without its mesh and points. */
double cost_of_atoms(const struct costs *costs, const struct window *window, const struct fast_axes *axes,
		     double atoms);
/* Of interpolation; for regular axes, of copies. */
double cost_of_points(const struct costs *costs, const struct window *window, const struct fast_axes *axes,
		      double points);
double cost_of_mesh(const struct costs *costs, const struct fast_axes *axes);
/* Bytes of the meshes with sizes of fast_axes_sizes(). */
double cost_bytes(const double sizes[4]);

#endif
