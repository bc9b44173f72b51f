/* Requirements of a kind of shapes, and functions that the kinds share. */
#ifndef SONDE_MATTER_SHAPE_SHAPE_COMMON_H
#define SONDE_MATTER_SHAPE_SHAPE_COMMON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "matter/shape/interval.h"

#define SHAPE_LEAST 1e-30 /* size */
#define SHAPE_MOST 1e30   /* size and place */
#define SHAPE_MARGIN 1e-6 /* of lengths: much more than rounding changes any surface by */

struct shape;

/* Queries of a kind of shapes. Points, or lines through them, are within the bounds of the shape. */
struct shape_kind {
	int (*line)(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most);
	bool (*contains)(const struct shape *shape, const double point[3]);
	void (*free)(struct shape *shape); /* releases its additional data; null: none */
	/* of a box that meets the bounds; null: never certain */
	enum shape_side (*side)(const struct shape *shape, const double low[3], const double high[3]);
	/* of many lines that may miss the bounds: see shape_lines(); null: one by one */
	void (*lines)(const struct shape *shape, int axis, int count, const double *u, const double *v,
		      struct interval *intervals);
};

/* The region between two parallel planes. */
struct slab {
	double normal[3];
	int along;         /* the axis that the normal is along, or -1 */
	double begin, end; /* coordinates of the planes; where along < 0, as seen from the center along the normal */
};

struct shape {
	const struct shape_kind *kind;
	int room;
	double low[3], high[3], volume;
	double center[3];
	union {
		struct slab slabs[3];
		double radius;
		struct {
			struct shape_axes axes;
			double semi_axes[3];
		} ellipsoid;
		struct {
			struct slab slab;
			double radius, slope; /* in the middle, and its slope along the normal */
		} cylinder;
		struct prism *prism;
		struct mesh_bins *mesh;
		struct shell *shell;
	};
};

/* The polygon of a prism, two numbers per vertex, without repetition, valid as long as the shape, and its axis. */
const double *shape_prism_outline(const struct shape *shape, int *axis, uint32_t *count);

sonde_status shape_check_size(const char *what, double size);
sonde_status shape_check_place(const char *what, const double place[3]);

/* Converts crossings of a line with a surface, begin = position and end = increase of the number of surrounding
 * surfaces, in any order, to the intervals where that number is not 0. Returns their number. */
int crossings_to_intervals(struct interval *crossings, int count);

/* Position where the edge between two points has coordinate v, one of its ends being above (v larger) and the other
 * not. The same for both directions of an edge. */
static inline double edge_fraction(double low_v, double high_v, double v)
{
	return (v - low_v) / (high_v - low_v);
}

#endif
