/* Nodes of axes of the pixels, for the direct sum: between them, sums over a tile of atoms are interpolated
 * (kernels/pattern_resample.k, kernels/pattern_between.k).
 *
 * Along an axis, with x from -1 to 1 in a window of it, the sum of a tile is one of exp(i q(x).r'), r' being in the box and in the ball of its reach.
 * With n nodes of Chebyshev, t_k = cos((2k + 1) pi/(2n)), Lagrange's polynomials in t give it up to some 4 J_n(b) for each atom, b being
 * half of the phase by which q(x).r' differs from end to end (L. N. Trefethen, Approximation Theory and Approximation Practice, SIAM
 * (2013), chapters 4 and 8): with b + 11 b^(1/3) + 3 nodes nothing but rounding, if x = t. With sin(beta x) = t sin(beta), sin(beta) =
 * 1/cosh(ln(1/error)/n), nodes are more evenly spaced, and b becomes b sin(beta)/beta, and 11 becomes 7 (D. Kosloff and H. Tal-Ezer, J. Comput. Phys. 104
 * (1993) 457; N. Hale and L. N. Trefethen, SIAM J. Numer. Anal. 46 (2008) 930). Pixels that are near each other, compared with
 * the inverse of the reach, are more than such nodes. The number of nodes is found by trial at the ends of windows.
 *
 * Of a detector, both axes have nodes if that takes less time: sums are interpolated first across, between nodes along the columns, to
 * the columns, then along these. */
#ifndef SONDE_PATTERN_NODES_H
#define SONDE_PATTERN_NODES_H

#include "pattern/pixel_sets.h"

struct axis_division {
	int axis;           /* that has nodes; -1: none, and the following are 0 */
	int windows, nodes; /* of a window */
	int64_t points;     /* of the axis */
};
/* How the direct sum takes the pixels of a sample. */
struct pixel_division {
	int arrangement; /* of the pixels, or of the nodes */
	struct axis_division along, across;
	double atoms; /* of a tile */
	/* cycles of a core with AVX2 for each atom at each pixel: of sums by sines and cosines, and of interpolation */
	double sums, interpolation;
};
/* Nodes for each pixel; and those that a pixel is interpolated from, on the average. */
double pixel_division_part(const struct pixel_division *division);
double pixel_division_interpolated(const struct pixel_division *division);
/* The division that takes least time, about: `reach` and `atoms` are those of a tile. The same for all devices. */
void pixel_division_choose(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach,
			   double atoms, struct pixel_division *division);
/* For a plan whose tiles are not made yet. */
struct pattern_plan;
void pixel_division_expect(const struct pattern_plan *plan, bool single, struct pixel_division *division);

struct axis_nodes {
	int axis;             /* -1: none */
	int windows, count;   /* nodes of a window */
	int64_t points, rows; /* of the axis: points, and nodes */
	double *positions;    /* of the nodes */
	double *weights;      /* [point][node of its window] */
	int64_t *begins;      /* points of the windows, and the number of all */
};
struct pixel_nodes {
	struct pattern_pixels pixels;    /* whose axes have the nodes in place of the points; shares arrays */
	struct pixel_sets sets;          /* of these */
	struct axis_nodes along, across; /* the latter of a detector only */
};
/* Sets of the pixels of a sample, and the nodes by which they are computed; nodes->along.axis is -1 if there are none.
 * Freed by pixel_nodes_free(), also after a failure. */
sonde_status pixel_nodes_make(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach,
			      double atoms, struct pixel_sets *sets, struct pixel_nodes *nodes);
void pixel_nodes_free(struct pixel_nodes *nodes);

#endif
