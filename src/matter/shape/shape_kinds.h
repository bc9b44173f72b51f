/* Inside of shapes: their kinds, and what the files shape*.c share. */
#ifndef SONDE_MATTER_SHAPE_SHAPE_KINDS_H
#define SONDE_MATTER_SHAPE_SHAPE_KINDS_H

#include "matter/shape/shape.h"

#define SHAPE_LEAST 1e-30 /* size */
#define SHAPE_MOST 1e30   /* size and place */

enum shape_kind { SHAPE_BOX, SHAPE_SPHERE, SHAPE_ELLIPSOID, SHAPE_CYLINDER, SHAPE_PRISM, SHAPE_MESH };

/* What lies between two parallel planes. */
struct slab {
	double normal[3];
	int along;         /* the axis that the normal is, or -1 */
	double begin, end; /* coordinates of the planes; where along < 0, as seen from the center along the normal */
};

struct shape {
	enum shape_kind kind;
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
			double radius, slope; /* in the middle, and how it grows along the normal */
		} cylinder;
		struct prism *prism;
		struct mesh_bins *mesh;
	};
};

sonde_status shape_check_size(const char *what, double size);
sonde_status shape_check_place(const char *what, const double place[3]);

/* The one interval of a convex shape that is no prism or mesh; false where there is none. */
bool convex_line(const struct shape *shape, int axis, const double point[3], struct interval *interval);

int prism_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most);
bool prism_contains(const struct shape *shape, const double point[3]);
void prism_free(struct prism **prism);

int mesh_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most);
bool mesh_contains(const struct shape *shape, const double point[3]);
void mesh_bins_free(struct mesh_bins **bins);

/* Crossings of a line with a surface, begin = where and end = by how much the number of surfaces around grows, in any
 * order: become intervals where that number is not 0. Returns how many. */
int crossings_to_intervals(struct interval *crossings, int count);

/* Where the edge between two points has coordinate v, one of its ends being above (v larger) and the other not. The
 * same for both directions of an edge. */
static inline double edge_fraction(double low_v, double high_v, double v)
{
	return (v - low_v) / (high_v - low_v);
}

#endif
