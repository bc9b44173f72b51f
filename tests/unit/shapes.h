/* Triangles for tests of shapes, and properties of the lines through any shape. */
#ifndef TESTS_UNIT_SHAPES_H
#define TESTS_UNIT_SHAPES_H

#include <math.h>
#include <stdlib.h>

#include "matter/shape/shape.h"
#include "unit/support.h"

#define PI 3.14159265358979323846

/* A growing list of triangles, nine numbers each. */
struct triangles {
	double *corners;
	int64_t count, room;
};

static inline void add_triangle(struct triangles *triangles, const double *a, const double *b, const double *c)
{
	const double corners[9] = {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]}; /* may be in the list */

	if (triangles->count == triangles->room) {
		triangles->room = 2 * triangles->room + 64;
		triangles->corners = realloc(triangles->corners, (size_t)triangles->room * sizeof corners);
		assert_non_null(triangles->corners);
	}
	memcpy(&triangles->corners[9 * triangles->count++], corners, sizeof corners);
}

static inline void add_quadrilateral(struct triangles *triangles, const double *a, const double *b, const double *c,
				     const double *d)
{
	add_triangle(triangles, a, b, c);
	add_triangle(triangles, a, c, d);
}

/* Turns the triangles from `first` on inside out. */
static inline void turn_over(struct triangles *triangles, int64_t first)
{
	for (int64_t n = first; n < triangles->count; ++n)
		for (int k = 0; k < 3; ++k) {
			double *corners = &triangles->corners[9 * n], second = corners[3 + k];
			corners[3 + k] = corners[6 + k];
			corners[6 + k] = second;
		}
}

static inline void add_box(struct triangles *triangles, const double low[3], const double high[3])
{
	double p[8][3];

	for (int n = 0; n < 8; ++n)
		for (int k = 0; k < 3; ++k)
			p[n][k] = n >> k & 1 ? high[k] : low[k];
	add_quadrilateral(triangles, p[0], p[4], p[6], p[2]);
	add_quadrilateral(triangles, p[1], p[3], p[7], p[5]);
	add_quadrilateral(triangles, p[0], p[1], p[5], p[4]);
	add_quadrilateral(triangles, p[2], p[6], p[7], p[3]);
	add_quadrilateral(triangles, p[0], p[2], p[3], p[1]);
	add_quadrilateral(triangles, p[4], p[5], p[7], p[6]);
}

/* An octahedron whose triangles are cut into four `cuts` times, its corners put on a sphere. */
static inline void add_ball_part(struct triangles *triangles, const double center[3], double radius, const double *a,
				 const double *b, const double *c, int cuts)
{
	const double *ends[3] = {a, b, c};
	double between[3][3];

	if (cuts == 0) {
		double p[3][3];
		for (int n = 0; n < 3; ++n)
			for (int k = 0; k < 3; ++k)
				p[n][k] = center[k] + radius * ends[n][k];
		add_triangle(triangles, p[0], p[1], p[2]);
		return;
	}
	for (int n = 0; n < 3; ++n) {
		double square = 0.0;
		for (int k = 0; k < 3; ++k) {
			between[n][k] = ends[n][k] + ends[(n + 1) % 3][k];
			square += between[n][k] * between[n][k];
		}
		for (int k = 0; k < 3; ++k)
			between[n][k] /= sqrt(square);
	}
	add_ball_part(triangles, center, radius, a, between[0], between[2], cuts - 1);
	add_ball_part(triangles, center, radius, between[0], b, between[1], cuts - 1);
	add_ball_part(triangles, center, radius, between[2], between[1], c, cuts - 1);
	add_ball_part(triangles, center, radius, between[0], between[1], between[2], cuts - 1);
}

static inline void add_ball(struct triangles *triangles, const double center[3], double radius, int cuts)
{
	for (int n = 0; n < 8; ++n) {
		double x[3] = {n & 1 ? -1.0 : 1.0, 0.0, 0.0}, y[3] = {0.0, n & 2 ? -1.0 : 1.0, 0.0},
		       z[3] = {0.0, 0.0, n & 4 ? -1.0 : 1.0};
		bool odd = (n & 1) ^ (n >> 1 & 1) ^ (n >> 2 & 1);
		add_ball_part(triangles, center, radius, x, odd ? z : y, odd ? y : z, cuts);
	}
}

/* A torus about z. */
static inline void add_torus(struct triangles *triangles, double large, double small, int round, int across)
{
	double p[4][3];

	for (int i = 0; i < round; ++i)
		for (int j = 0; j < across; ++j) {
			for (int n = 0; n < 4; ++n) {
				double a = 2.0 * PI * ((i + (n == 1 || n == 2)) % round) / round,
				       b = 2.0 * PI * ((j + n / 2) % across) / across;
				p[n][0] = (large + small * cos(b)) * cos(a);
				p[n][1] = (large + small * cos(b)) * sin(a);
				p[n][2] = small * sin(b);
			}
			add_quadrilateral(triangles, p[0], p[1], p[2], p[3]);
		}
}

/* The intervals of a line, after checks of what holds for all; to be used before the next call. */
static inline int line(const struct shape *shape, int axis, const double point[3], struct interval **intervals)
{
	static struct interval *list;
	static int room;
	double low[3], high[3];

	if (shape_room(shape) > room) {
		room = shape_room(shape);
		free(list);
		list = calloc((size_t)room, sizeof *list);
		assert_non_null(list);
	}
	int count = shape_line(shape, axis, point, list, room);
	assert_in_range(count, 0, room);
	shape_bounds(shape, low, high);
	for (int k = 0; k < count; ++k) {
		assert_true(list[k].begin < list[k].end);
		assert_true(k == 0 || list[k].begin > list[k - 1].end);
		assert_true(list[k].begin >= low[axis] && list[k].end <= high[axis]);
	}
	*intervals = list;
	return count;
}

/* The length of a line inside. */
static inline double length_inside(const struct shape *shape, int axis, const double point[3])
{
	struct interval *intervals;
	double length = 0.0;

	for (int n = line(shape, axis, point, &intervals); n > 0; --n)
		length += intervals[n - 1].end - intervals[n - 1].begin;
	return length;
}

/* Whether the line along `axis` through a point says that the point is inside. */
static inline bool inside_along(const struct shape *shape, int axis, const double point[3])
{
	struct interval *intervals;

	for (int n = line(shape, axis, point, &intervals); n > 0; --n)
		if (point[axis] >= intervals[n - 1].begin && point[axis] < intervals[n - 1].end)
			return true;
	return false;
}

/* The volume by n x n lines along an axis, evenly but in no pattern that a surface may have. */
static inline double volume_by_lines(const struct shape *shape, int axis, int n)
{
	int u = (axis + 1) % 3, v = (axis + 2) % 3;
	double low[3], high[3], point[3] = {0.0}, sum = 0.0, golden = 0.5 * (sqrt(5.0) - 1.0);

	shape_bounds(shape, low, high);
	for (int k = 0; k < n * n; ++k) {
		point[u] = low[u] + (k + 0.5) / n / n * (high[u] - low[u]);
		point[v] = low[v] + fmod(k * golden, 1.0) * (high[v] - low[v]);
		sum += length_inside(shape, axis, point);
	}
	return sum * (high[u] - low[u]) * (high[v] - low[v]) / n / n;
}

/* Volumes by lines along x, y and z are the shape's and the expected one. */
static inline void check_volume(const struct shape *shape, double expected, double tolerance)
{
	assert_within(shape_volume(shape), expected, 1e-12 * expected, "shape volume");
	for (int axis = 0; axis < 3; ++axis)
		assert_within(volume_by_lines(shape, axis, 300), expected, tolerance * expected, "volume by lines");
}

/* Points near the shape are inside according to `is_inside`, 1 or 0, -1 if it is not known; by lines along all axes. */
static inline void check_points(const struct shape *shape, int (*is_inside)(const double point[3]))
{
	uint64_t random = 7;
	double low[3], high[3], point[3];
	int counts[2] = {0, 0};

	shape_bounds(shape, low, high);
	for (int n = 0; n < 20000; ++n) {
		for (int k = 0; k < 3; ++k)
			point[k] = low[k] + (1.2 * test_random_real(&random) - 0.1) * (high[k] - low[k]);
		int inside = is_inside(point);
		if (inside < 0)
			continue;
		++counts[inside];
		for (int axis = 0; axis < 3; ++axis)
			assert_int_equal(inside, inside_along(shape, axis, point));
		assert_int_equal(inside, shape_contains(shape, point));
	}
	assert_true(counts[0] > 100 && counts[1] > 100);
}

#endif
