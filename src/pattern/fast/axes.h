/* The three directions of a transform: a mesh for the atoms, and waves.
 *
 * Along a direction e, atoms have coordinates t = e.r - center within `half`, and points coordinates s of q from a middle. Atoms are
 * spread over a mesh of step h = pi/(oversampling S), S being the largest |s|, by a window w with transform W:
 *
 *     exp(i s t) = 1/W(s h) sum over nodes n of w(t/h - n) exp(i s h n),
 *
 * and the sum over nodes is found at waves s = k ds, ds = 2 pi/(h size), by a Fourier transform of `size` >= oversampling * nodes, and
 * between them by the same window (A. Dutt, V. Rokhlin, SIAM J. Sci. Comput. 14 (1993) 1368; J.-Y. Lee, L. Greengard, J. Comput.
 * Phys. 206 (2005) 1; "type 3" of A. H. Barnett, J. Magland, L. af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479). Equidistant
 * points along an edge of a box ("regular") are waves themselves ("type 1").
 */
#ifndef SONDE_PATTERN_FAST_AXES_H
#define SONDE_PATTERN_FAST_AXES_H

#include <stdint.h>

#include "pattern/fast/window.h"

struct fast_axis {
	bool regular, single; /* one node, one wave */
	bool wraps;           /* regular: nodes are taken modulo the size of the transform */
	int moments;          /* transforms for powers of (t/half), at least 1 */
	double direction[3];
	double center, half; /* of the atoms; S, for regular ones 0 */
	double largest;
	double scale; /* nodes per unit of t */
	double step;  /* ds */
	/* places: node i of the mesh has number i + first_node, wave k of the array number k + first_wave */
	int64_t nodes, first_node, size, waves, first_wave;
	/* regular: the edge of the box (l, k, h), points, the first one along it, and pixels from one to the next */
	int edge;
	int64_t count, begin, stride;
};
struct fast_axes {
	struct fast_axis axis[3]; /* the first has most nodes */
};

/* An axis for points within `largest`, and atoms within `half` of `center`; `negligible`: phases that need no nodes. */
void fast_axis_of_points(const struct window *window, double center, double half, double largest, double negligible,
			 struct fast_axis *axis);
/* For `count` equidistant points (set in the axis as well), t being the phase from one to the next. */
void fast_axis_regular(const struct window *window, double center, double half, int64_t count,
		       struct fast_axis *axis);
/* An axis with phases so small that a few terms of their power series suffice, exp(ist) = sum over m of (is half)^m/m! (t/half)^m,
 * gets one node, and a transform for each; the others are left as they are. */
void fast_axis_use_moments(double negligible, struct fast_axis *axis);
/* Orders them by their nodes. */
void fast_axes_sort(struct fast_axes *axes);
/* Rows and sizes of meshes, in complex numbers: of the nodes, and after the transform along the first, second and third axis. */
int64_t fast_row(int64_t count);
void fast_axes_sizes(const struct fast_axes *axes, double sizes[4]);
/* Place of an atom among the nodes. */
double fast_axis_place(const struct fast_axis *axis, double t);

#endif
