/* On which side of a body's surface boxes lie: certain answers agree with all lines through them. */
#include "unit/support.h"

#include <math.h>

#include "unit/shapes.h"

enum { BOXES = 4000, LINES = 12 };

/* Between -1 and 1, always the same. */
static double number(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/* Whether a line's intervals contain all of a range (1), nothing of it (0), or a part (-1). */
static int share_of(const struct interval *intervals, int count, double begin, double end)
{
	int share = 0;

	for (int n = 0; n < count; ++n)
		if (intervals[n].begin <= begin && intervals[n].end >= end)
			share = 1;
		else if (intervals[n].begin < end && intervals[n].end > begin)
			return -1;
	return share;
}

/* A random box near the body, of a size that is often small, and random lines through it. */
static void check_box(const struct shape *shape, uint64_t *seed, int found[3])
{
	double from[3], to[3], low[3], high[3];
	struct interval intervals[64];

	shape_bounds(shape, from, to);
	const double size = pow(10.0, -2.0 + 2.0 * number(seed));
	for (int a = 0; a < 3; ++a) {
		const double middle = 0.5 * (from[a] + to[a]) + 0.6 * (to[a] - from[a]) * number(seed),
			     half = 0.5 * size * (to[a] - from[a]) * fabs(number(seed));
		low[a] = middle - half;
		high[a] = middle + half;
	}
	const enum shape_side side = shape_side_of_box(shape, low, high);
	++found[side];
	for (int n = 0; n < 3 * LINES && side != SHAPE_PERHAPS_ACROSS; ++n) {
		double point[3];
		for (int a = 0; a < 3; ++a) /* often along an edge of the box */
			point[a] = 0.5 * (low[a] + high[a]) +
				   0.5 * (high[a] - low[a]) * fmax(-1.0, fmin(1.0, 1.5 * number(seed)));
		const int count = shape_line(shape, n % 3, point, intervals, 64);
		assert_true(count >= 0);
		assert_int_equal(share_of(intervals, count, low[n % 3], high[n % 3]), side == SHAPE_INSIDE);
	}
}

/* Lines that are found at once, some of which miss the body, are those found one by one. */
static void check_lines(const struct shape *shape, uint64_t *seed)
{
	double from[3], to[3], u[LINES], v[LINES];
	struct interval intervals[LINES], one;

	shape_bounds(shape, from, to);
	for (int axis = 0; axis < 3; ++axis) {
		const int b = (axis + 1) % 3, c = (axis + 2) % 3;
		for (int n = 0; n < LINES; ++n) {
			u[n] = 0.5 * (from[b] + to[b]) + 0.6 * (to[b] - from[b]) * number(seed);
			v[n] = 0.5 * (from[c] + to[c]) + 0.6 * (to[c] - from[c]) * number(seed);
		}
		shape_lines(shape, axis, LINES, u, v, intervals);
		for (int n = 0; n < LINES; ++n) {
			double point[3];
			point[axis] = from[axis];
			point[b] = u[n];
			point[c] = v[n];
			if (shape_line(shape, axis, point, &one, 1) == 1)
				assert_memory_equal(&intervals[n], &one, sizeof one);
			else
				assert_true(intervals[n].begin == intervals[n].end);
		}
	}
}

/* Most boxes that are small compared with the body are on one side of it. */
static void check(struct shape *shape, int least)
{
	uint64_t seed = 7;
	int found[3] = {0};

	for (int n = 0; n < BOXES; ++n)
		check_box(shape, &seed, found);
	for (int n = 0; n < BOXES / LINES && shape_room(shape) == 1; ++n)
		check_lines(shape, &seed);
	assert_true(found[SHAPE_OUTSIDE] > BOXES / 4);
	assert_true(found[SHAPE_INSIDE] >= least);
	shape_free(&shape);
}

static void sides_of_convex_bodies(void **state)
{
	const double center[3] = {0.3, -1.7, 2.9}, radii[3] = {0.5, 1.0, 2.0}, low[3] = {1.0, 2.0, 3.0},
		     high[3] = {1.5, 4.0, 3.75}, direction[3] = {1.0, -0.4, 0.7};
	struct shape_axes axes;
	struct shape *shape;
	(void)state;

	assert_status(SONDE_OK, shape_axes_turn((const double[3]){31.0, -47.0, 112.0}, &axes));
	assert_status(SONDE_OK, shape_create_sphere(center, 1.3, &shape));
	check(shape, BOXES / 10);
	assert_status(SONDE_OK, shape_create_ellipsoid(center, radii, &axes, &shape));
	check(shape, BOXES / 100);
	assert_status(SONDE_OK, shape_create_box(low, high, NULL, &shape));
	check(shape, BOXES / 10);
	assert_status(SONDE_OK, shape_create_box(low, high, &axes, &shape));
	check(shape, BOXES / 100);
	assert_status(SONDE_OK, shape_create_cylinder(center, direction, 2.0, (const double[2]){0.7, 0.7}, &shape));
	check(shape, BOXES / 100);
	assert_status(SONDE_OK, shape_create_cylinder(center, direction, 2.0, (const double[2]){0.7, 0.0}, &shape));
	check(shape, BOXES / 400);
	assert_status(SONDE_OK, shape_create_cylinder(center, (const double[3]){0.0, 0.0, 1.0}, 2.0,
						      (const double[2]){0.4, 0.9}, &shape));
	check(shape, BOXES / 100);
}

static void sides_of_shells(void **state)
{
	const double center[3] = {0.3, -1.7, 2.9};
	struct shape *shape, *outer, *inner;
	(void)state;

	assert_status(SONDE_OK, shape_create_sphere(center, 1.3, &outer));
	assert_status(SONDE_OK, shape_create_sphere(center, 0.8, &inner));
	assert_status(SONDE_OK, shape_create_shell(&outer, &inner, 7.0, &shape));
	check(shape, BOXES / 100);
}

/* Two polygons, one with edges along the axes, along each axis. */
static void sides_of_prisms(void **state)
{
	const double star[] = {0.0, 1.0, 0.3, 0.3, 1.0, 0.2, 0.4, -0.1, 0.6, -1.0, 0.0, -0.3, -0.7, -0.9, -0.4, 0.1},
		     steps[] = {0.0, 0.0, 2.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.0, 2.0};
	struct shape *shape;
	(void)state;

	for (int axis = 0; axis < 3; ++axis) {
		assert_status(SONDE_OK, shape_create_prism(axis, star, 8, -0.3, 0.9, &shape));
		check(shape, BOXES / 100);
		assert_status(SONDE_OK, shape_create_prism(axis, steps, 6, -0.3, 0.9, &shape));
		check(shape, BOXES / 20);
	}
}

/* A tetrahedron, and a cube, whose faces are seen from their edges along the axes. */
static void sides_of_meshes(void **state)
{
	static const double corners[4][3] = {{0.1, 0.2, 0.3}, {2.0, 0.1, 0.0}, {0.3, 1.7, 0.2}, {0.4, 0.5, 2.1}};
	static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
	double triangles[12][3][3];
	struct shape *shape;
	(void)state;

	for (int n = 0; n < 12; ++n)
		for (int a = 0; a < 3; ++a)
			triangles[n / 3][n % 3][a] = corners[faces[n / 3][n % 3]][a];
	assert_status(SONDE_OK, shape_create_mesh(&triangles[0][0][0], 4, 1.0, (const double[3]){0.0}, &shape));
	check(shape, BOXES / 400);
	for (int face = 0; face < 6; ++face) {
		const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
		const double at[4][2] = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
		for (int n = 0; n < 6; ++n) {
			const int order[6] = {0, 1, 2, 0, 2, 3}, corner = order[face % 2 == 1 ? n : 5 - n];
			double *to = triangles[2 * face + n / 3][n % 3];
			to[axis] = face % 2;
			to[u] = at[corner][0];
			to[v] = at[corner][1];
		}
	}
	assert_status(SONDE_OK, shape_create_mesh(&triangles[0][0][0], 12, 1.0, (const double[3]){0.0}, &shape));
	check(shape, BOXES / 10);
}

/* A box that touches a face from outside contains lines of the face. */
static void faces_are_not_outside(void **state)
{
	const double low[3] = {0.0, 0.0, 0.0}, high[3] = {1.0, 1.0, 1.0}, before[3] = {-1.0, 0.25, 0.25},
		     end[3] = {0.0, 0.5, 0.5};
	struct shape *shape;
	(void)state;

	assert_status(SONDE_OK, shape_create_box(low, high, NULL, &shape));
	assert_int_equal(shape_side_of_box(shape, before, end), SHAPE_PERHAPS_ACROSS);
	assert_int_equal(shape_side_of_box(shape, before, (const double[3]){-1e-9, 0.5, 0.5}), SHAPE_OUTSIDE);
	assert_int_equal(
	    shape_side_of_box(shape, (const double[3]){1e-9, 0.25, 0.25}, (const double[3]){0.5, 0.5, 0.5}),
	    SHAPE_INSIDE);
	shape_free(&shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sides_of_convex_bodies), cmocka_unit_test(sides_of_shells),
	    cmocka_unit_test(sides_of_prisms),        cmocka_unit_test(sides_of_meshes),
	    cmocka_unit_test(faces_are_not_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
