/* Intersections of lines with boxes, spheres, ellipsoids, cylinders, cones and prisms. */
#include "unit/support.h"

#include <math.h>

#include "base/memory.h"
#include "unit/shapes.h"

static const double nowhere[3] = {0.0, 0.0, 0.0};
static const double somewhere[3] = {0.3, -1.7, 2.9};

/* 1, 0, or -1 near the surface. */
static int sign(double outside)
{
	return outside < -1e-9 ? 1 : outside > 1e-9 ? 0 : -1;
}

/* Turned by the angles, in the order x, y, z, written out: a body's point becomes the world's. */
static const double angles[3] = {31.0, -47.0, 112.0};

static void seen_from_the_body(const double point[3], double own[3])
{
	double x = point[0] - somewhere[0], y = point[1] - somewhere[1], z = point[2] - somewhere[2];

	for (int about = 2; about >= 0; --about) {
		double c = cos(angles[about] * PI / 180.0), s = sin(angles[about] * PI / 180.0), old_x = x, old_y = y;
		if (about == 2) {
			x = c * old_x + s * old_y;
			y = -s * old_x + c * old_y;
		} else if (about == 1) {
			x = c * old_x - s * z;
			z = s * old_x + c * z;
		} else {
			y = c * old_y + s * z;
			z = -s * old_y + c * z;
		}
	}
	own[0] = x;
	own[1] = y;
	own[2] = z;
}

static int in_box(const double point[3])
{
	double own[3];

	seen_from_the_body(point, own);
	return sign(fmax(fmax(fabs(own[0]) - 0.5, fabs(own[1]) - 1.0), fabs(own[2]) - 2.0));
}

static int in_ellipsoid(const double point[3])
{
	double own[3];

	seen_from_the_body(point, own);
	return sign(own[0] * own[0] / 0.25 + own[1] * own[1] + own[2] * own[2] / 4.0 - 1.0);
}

static int in_sphere(const double point[3])
{
	return sign(hypot(hypot(point[0] - somewhere[0], point[1] - somewhere[1]), point[2] - somewhere[2]) - 1.5);
}

static void lines_cut_boxes_exactly(void **state)
{
	const double low[3] = {1.0, 2.0, 3.0}, high[3] = {1.5, 4.0, 7.0};
	const double turned_low[3] = {-0.2, -2.7, 0.9}, turned_high[3] = {0.8, -0.7, 4.9};
	struct shape_axes axes;
	struct shape *shape;

	(void)state;
	assert_status(SONDE_OK, shape_create_box(low, high, NULL, &shape));
	check_volume(shape, 4.0, 1e-12);
	shape_free(&shape);
	assert_null(shape);
	assert_status(SONDE_OK, shape_axes_turn(angles, &axes));
	for (int k = 0; k < 3; ++k) {
		axes.of[1][k] *= -3.0; /* neither length nor sense matters */
		axes.of[2][k] *= 0.1;
	}
	assert_status(SONDE_OK, shape_create_box(turned_low, turned_high, &axes, &shape));
	check_volume(shape, 8.0, 2e-4);
	check_points(shape, in_box);
	shape_free(&shape);
}

static void right_angles_are_exact(void **state)
{
	const double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.3, 0.3, 1.1};
	struct shape_axes axes;
	struct shape *shape, *other;

	(void)state;
	for (int n = 0; n < 64; ++n) {
		const double degrees[3] = {90.0 * (n % 4) - 360.0, 90.0 * (n / 4 % 4), -90.0 * (n / 16)};
		assert_status(SONDE_OK, shape_axes_turn(degrees, &axes));
		for (int k = 0; k < 3; ++k)
			for (int i = 0; i < 3; ++i)
				assert_true(axes.of[k][i] == 0.0 || fabs(axes.of[k][i]) == 1.0);
	}
	/* a box turned about z and one not turned that fill the same */
	const double degrees[3] = {0.0, 0.0, 90.0};
	assert_status(SONDE_OK, shape_axes_turn(degrees, &axes));
	assert_within(axes.of[0][1], 1.0, 0.0, "axes of 0 1");
	assert_status(SONDE_OK, shape_create_box(low, high, &axes, &shape));
	assert_status(SONDE_OK, shape_create_box(low, high, NULL, &other));
	for (int i = -1; i < 14; ++i)
		for (int j = -1; j < 14; ++j)
			for (int axis = 0; axis < 3; ++axis) {
				double point[3] = {i * 0.1, j * 0.1, j * 0.1};
				assert_within(length_inside(shape, axis, point), length_inside(other, axis, point),
					      1e-15, "length inside");
			}
	shape_free(&shape);
	shape_free(&other);
}

/* Every point of a grid is in exactly one of bodies that touch. */
static void check_tiling(struct shape *const *shapes, int count, const double low[3], const double high[3], int n)
{
	for (int i = 0; i <= n; ++i)
		for (int j = 0; j <= n; ++j)
			for (int k = 0; k <= n; ++k) {
				const double point[3] = {low[0] + (high[0] - low[0]) * i / n,
							 low[1] + (high[1] - low[1]) * j / n,
							 low[2] + (high[2] - low[2]) * k / n};
				int around[4] = {0, 0, 0, 0}, expected = i < n && j < n && k < n;
				for (int s = 0; s < count; ++s) {
					for (int axis = 0; axis < 3; ++axis)
						around[axis] += inside_along(shapes[s], axis, point);
					around[3] += shape_contains(shapes[s], point);
				}
				for (int way = 0; way < 4; ++way)
					assert_int_equal(expected, around[way]);
			}
}

static void touching_bodies_share_no_point(void **state)
{
	static const double places[5] = {0.1, 0.3, 0.7, 0.9, 1.1};
	struct shape *shapes[64];
	int count = 0;

	(void)state;
	for (int n = 0; n < 64; ++n) {
		int i = n % 4, j = n / 4 % 4, k = n / 16;
		const double low[3] = {places[i], places[j], places[k]},
			     high[3] = {places[i + 1], places[j + 1], places[k + 1]};
		assert_status(SONDE_OK, shape_create_box(low, high, NULL, &shapes[count++]));
	}
	const double low[3] = {0.1, 0.1, 0.1}, high[3] = {1.1, 1.1, 1.1};
	check_tiling(shapes, count, low, high, 20);
	for (int n = 0; n < count; ++n)
		shape_free(&shapes[n]);

	/* prisms that share zigzags: a square in three parts, the edges of which meet the grid's points */
	static const double parts[3][16] = {{0, 0, 1, 0, 0.75, 0.25, 0.5, 0.125, 0.25, 0.25, 0, 0},
					    {0, 0, 0.25, 0.25, 0.5, 0.125, 0.75, 0.25, 1, 0, 1, 1, 0.5, 0.375, 0, 1},
					    {0, 1, 0.5, 0.375, 1, 1}};
	static const int64_t sizes[3] = {6, 8, 3};
	for (int axis = 0; axis < 3; ++axis) {
		for (int n = 0; n < 3; ++n)
			assert_status(SONDE_OK, shape_create_prism(axis, parts[n], sizes[n], 0.0, 1.0, &shapes[n]));
		const double one[3] = {1.0, 1.0, 1.0};
		check_tiling(shapes, 3, nowhere, one, 32);
		for (int n = 0; n < 3; ++n)
			shape_free(&shapes[n]);
	}
}

static void stacked_cylinders_share_no_point(void **state)
{
	static const double radii[2] = {1.0, 1.0};
	struct shape *shapes[2];

	(void)state;
	for (int axis = 0; axis < 3; ++axis) {
		double direction[3] = {0.0, 0.0, 0.0}, center[3] = {0.0, 0.0, 0.0};
		for (int n = 0; n < 2; ++n) {
			direction[axis] = n == 0 ? 2.0 : -1.0;
			center[axis] = n == 0 ? 0.25 : 0.75;
			assert_status(SONDE_OK, shape_create_cylinder(center, direction, 0.5, radii, &shapes[n]));
		}
		for (int n = 0; n <= 20; ++n) {
			double point[3] = {0.3, 0.3, 0.3};
			point[axis] = 0.05 * n;
			for (int along = 0; along < 3; ++along)
				assert_int_equal(n < 20, inside_along(shapes[0], along, point) +
							     inside_along(shapes[1], along, point));
		}
		shape_free(&shapes[0]);
		shape_free(&shapes[1]);
	}
}

static void lines_cut_ellipsoids_exactly(void **state)
{
	static const double semi_axes[3] = {0.5, 1.0, 2.0}, ball[3] = {1.5, 1.5, 1.5};
	struct shape_axes axes;
	struct shape *shape, *other;
	struct interval *intervals;

	(void)state;
	assert_status(SONDE_OK, shape_create_sphere(somewhere, 1.5, &shape));
	check_volume(shape, 4.0 / 3.0 * PI * 3.375, 2e-4);
	check_points(shape, in_sphere);
	assert_int_equal(1, line(shape, 1, somewhere, &intervals));
	assert_within(intervals[0].begin, -3.2, 1e-15, "begin");
	assert_within(intervals[0].end, -0.2, 1e-15, "end");
	assert_status(SONDE_OK, shape_create_ellipsoid(somewhere, ball, NULL, &other));
	for (int n = 0; n < 100; ++n) {
		const double point[3] = {somewhere[0] + 0.02 * n, somewhere[1] + 0.01 * n, somewhere[2] - 0.005 * n};
		for (int axis = 0; axis < 3; ++axis)
			assert_within(length_inside(other, axis, point), length_inside(shape, axis, point), 1e-7,
				      "length inside");
	}
	shape_free(&shape);
	shape_free(&other);
	/* tangents do not touch */
	assert_status(SONDE_OK, shape_create_sphere(nowhere, 0.1, &shape));
	const double tangent[3] = {0.0, 0.1, 0.0};
	assert_int_equal(0, line(shape, 0, tangent, &intervals));
	assert_int_equal(0, line(shape, 2, tangent, &intervals));
	shape_free(&shape);

	assert_status(SONDE_OK, shape_axes_turn(angles, &axes));
	assert_status(SONDE_OK, shape_create_ellipsoid(somewhere, semi_axes, &axes, &shape));
	check_volume(shape, 4.0 / 3.0 * PI, 3e-4);
	check_points(shape, in_ellipsoid);
	/* the bounds are tight */
	double low[3], high[3];
	shape_bounds(shape, low, high);
	for (int axis = 0; axis < 3; ++axis) {
		double longest = 0.0;
		for (int i = -200; i <= 200; ++i)
			for (int j = -200; j <= 200; ++j) {
				double point[3];
				point[(axis + 1) % 3] = somewhere[(axis + 1) % 3] + 0.01 * i;
				point[(axis + 2) % 3] = somewhere[(axis + 2) % 3] + 0.01 * j;
				if (line(shape, axis, point, &intervals) > 0)
					longest = fmax(longest, intervals[0].end - somewhere[axis]);
			}
		assert_within(longest, high[axis] - somewhere[axis], 2e-4, "longest");
		assert_within(somewhere[axis] - low[axis], high[axis] - somewhere[axis], 1e-14, "somewhere low");
	}
	shape_free(&shape);
}

/* Properties of the next cylinder. */
static struct {
	double direction[3], height, radii[2];
} cylinder;

static int in_cylinder(const double point[3])
{
	double length = hypot(hypot(cylinder.direction[0], cylinder.direction[1]), cylinder.direction[2]);
	double along = 0.0, square = 0.0;

	for (int k = 0; k < 3; ++k)
		along += (point[k] - somewhere[k]) * cylinder.direction[k] / length;
	for (int k = 0; k < 3; ++k) {
		double across = point[k] - somewhere[k] - along * cylinder.direction[k] / length;
		square += across * across;
	}
	double part = along / cylinder.height + 0.5;
	return sign(fmax(sqrt(square) - (cylinder.radii[0] + part * (cylinder.radii[1] - cylinder.radii[0])),
			 fabs(along) - 0.5 * cylinder.height));
}

static void lines_cut_cylinders_and_cones_exactly(void **state)
{
	static const double directions[][3] = {{0, 0, 1}, {0, -1, 0}, {2, 0, 0},        {1, 1, 0},
					       {1, 2, 3}, {0, 1, 1},  {1e-9, 0.0, 1.0}, {-1, 1, 1}};
	static const double sizes[][3] = {{2.0, 0.7, 0.7}, {2.0, 1.0, 0.0}, {1.0, 0.25, 1.25},
					  {0.1, 2.0, 0.0}, {9.0, 0.0, 0.5}, {1.0, 1.5, 0.5}};
	struct shape *shape;

	(void)state;
	for (size_t d = 0; d < COUNT(directions); ++d)
		for (size_t s = 0; s < COUNT(sizes); ++s) {
			double r = sizes[s][1], t = sizes[s][2];
			memcpy(cylinder.direction, directions[d], sizeof cylinder.direction);
			cylinder.height = sizes[s][0];
			cylinder.radii[0] = r;
			cylinder.radii[1] = t;
			assert_status(SONDE_OK, shape_create_cylinder(somewhere, cylinder.direction, cylinder.height,
								      cylinder.radii, &shape));
			check_volume(shape, PI / 3.0 * cylinder.height * (r * r + r * t + t * t), 0.02);
			check_points(shape, in_cylinder);
			shape_free(&shape);
		}
}

/* Lines that go along a cone's surface or through its tip. */
static void cones_along_their_sides(void **state)
{
	static const double up[3] = {1.0, 0.0, 1.0}, radii[2] = {1.0, 0.0};
	struct shape *shape;
	struct interval *intervals;

	(void)state;
	/* height 1, radius 1: the sides go along x and z */
	assert_status(SONDE_OK, shape_create_cylinder(nowhere, up, 1.0, radii, &shape));
	double tip = 0.5 / sqrt(2.0);
	for (int n = -40; n < 40; ++n) {
		const double point[3] = {tip - 0.01 * n, 0.0, tip - 0.01 * n};
		for (int axis = 0; axis < 3; axis += 2) {
			int count = line(shape, axis, point, &intervals);
			if (n == 0)
				continue;
			assert_int_equal(n > 0, count);
			if (n > 0) /* from the base, x + z = -2 tip, up to the side */
				assert_within(intervals[0].begin, -2.0 * tip - point[2 - axis], 1e-12, "begin");
			if (n > 0)
				assert_within(intervals[0].end, tip, 1e-7, "end");
		}
	}
	shape_free(&shape);
}

static int in_star(const double point[3])
{
	double angle = atan2(point[2], point[1]), sector = PI / 5.0;
	/* from a tip at radius 1 to a notch at radius 0.4 */
	angle = fabs(angle - 2.0 * sector * round(angle / (2.0 * sector)));
	double x = hypot(point[1], point[2]) * cos(angle), y = hypot(point[1], point[2]) * sin(angle);
	double notch_x = 0.4 * cos(sector), notch_y = 0.4 * sin(sector);
	return sign(fmax((x - 1.0) * notch_y - y * (notch_x - 1.0), fabs(point[0] - 1.0) - 2.0));
}

static void lines_cut_prisms_exactly(void **state)
{
	static const double comb[] = {0, 0, 7, 0, 7, 2, 6, 2, 6, 1, 5, 1, 5, 2, 4, 2, 4, 1,
				      3, 1, 3, 2, 2, 2, 2, 1, 1, 1, 1, 2, 0, 2, 0, 0, 0, 0};
	double star[20];
	struct shape *shape;
	struct interval *intervals;

	(void)state;
	for (int axis = 0; axis < 3; ++axis) {
		assert_status(SONDE_OK, shape_create_prism(axis, comb, COUNT(comb) / 2, -1.0, 2.0, &shape));
		check_volume(shape, 33.0, 0.02);
		double point[3] = {0.0, 0.0, 0.0};
		int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
		point[v] = 1.0; /* along the floors between the teeth: the floors' points are outside */
		assert_int_equal(4, line(shape, u, point, &intervals));
		for (int n = 0; n < 4; ++n) {
			assert_within(intervals[n].begin, 2.0 * n, 0.0, "begin");
			assert_within(intervals[n].end, 2.0 * n + 1.0, 0.0, "end");
		}
		point[v] = 0.0;
		assert_int_equal(1, line(shape, u, point, &intervals));
		assert_within(intervals[0].end, 7.0, 0.0, "end");
		point[v] = 2.0;
		assert_int_equal(0, line(shape, u, point, &intervals));
		point[v] = 1.5;
		assert_int_equal(-1, shape_line(shape, u, point, intervals, 3));
		point[u] = 6.5;
		assert_int_equal(1, line(shape, axis, point, &intervals));
		assert_within(intervals[0].begin, -1.0, 0.0, "begin");
		assert_within(intervals[0].end, 2.0, 0.0, "end");
		shape_free(&shape);
	}
	for (int n = 0; n < 10; ++n) {
		star[2 * n] = (n % 2 == 0 ? 1.0 : 0.4) * cos(-PI / 5.0 * n);
		star[2 * n + 1] = (n % 2 == 0 ? 1.0 : 0.4) * sin(-PI / 5.0 * n);
	}
	assert_status(SONDE_OK, shape_create_prism(0, star, 10, -1.0, 3.0, &shape));
	check_volume(shape, 4.0 * 10 * 0.5 * 0.4 * sin(PI / 5.0), 2e-3);
	check_points(shape, in_star);
	shape_free(&shape);
}

static void refuses_what_is_no_shape(void **state)
{
	const double bad[3] = {0.0, (double)NAN, 0.0}, far[3] = {0.0, 0.0, -1e31}, one[3] = {1.0, 1.0, 1.0},
		     flat[3] = {1.0, 0.0, 1.0};
	struct shape_axes axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0.1, 1}}};
	struct shape *shape = NULL;

	(void)state;
	assert_invalid("center y = nan", shape_create_sphere(bad, 1.0, &shape));
	assert_invalid("center z = -1e+31", shape_create_sphere(far, 1.0, &shape));
	assert_invalid("radius = 0: must be a finite number above 0", shape_create_sphere(nowhere, 0.0, &shape));
	assert_invalid("radius = -1", shape_create_sphere(nowhere, -1.0, &shape));
	assert_invalid("radius = nan", shape_create_sphere(nowhere, (double)NAN, &shape));
	assert_invalid("radius = inf", shape_create_sphere(nowhere, (double)INFINITY, &shape));
	assert_invalid("radius = 1e-31: must lie between", shape_create_sphere(nowhere, 1e-31, &shape));
	assert_invalid("size x = 0", shape_create_box(one, one, NULL, &shape));
	assert_invalid("size y = -1", shape_create_box(nowhere, (double[3]){1.0, -1.0, 1.0}, NULL, &shape));
	assert_invalid("corner y = nan", shape_create_box(nowhere, bad, NULL, &shape));
	assert_invalid("axes: are not perpendicular", shape_create_box(nowhere, one, &axes, &shape));
	axes.of[1][1] = 0.0;
	assert_invalid("second axis: has no length", shape_create_box(nowhere, one, &axes, &shape));
	axes.of[1][1] = (double)NAN;
	assert_invalid("second axis y = nan", shape_create_ellipsoid(nowhere, one, &axes, &shape));
	assert_invalid("second semi-axis = 0", shape_create_ellipsoid(nowhere, flat, NULL, &shape));
	assert_invalid("angle about y = nan", shape_axes_turn(bad, &axes));
	assert_invalid("direction: has no length", shape_create_cylinder(one, nowhere, 1.0, one, &shape));
	assert_invalid("height = 0", shape_create_cylinder(one, one, 0.0, one, &shape));
	assert_invalid("radius = 0", shape_create_cylinder(one, one, 1.0, nowhere, &shape));
	assert_invalid("radius = nan", shape_create_cylinder(one, one, 1.0, bad, &shape));
	assert_null(shape);
}

static void refuses_what_is_no_polygon(void **state)
{
	static const struct {
		const char *words;
		int64_t count;
		double vertices[16];
	} wrong[] = {
	    {"has 0 different vertices", 0, {0}},
	    {"has 2 different vertices", 2, {0, 0, 1, 1}},
	    {"has 2 different vertices", 5, {0, 0, 0, 0, 1, 1, 1, 1, 0, 0}},
	    {"touch or cross: the one from (0, 0) to (1, 1) and the one from (1, 0) to (0, 1)",
	     4,
	     {0, 0, 1, 1, 1, 0, 0, 1}},
	    {"touch or cross", 3, {0, 0, 1, 1, 2, 2}},
	    {"touch or cross", 4, {0, 0, 1, 0, 2, 0, 1, 0}},
	    {"touch or cross", 5, {0, 0, 2, 0, 2, 2, 1, 0, 0, 2}},
	    {"touch or cross", 6, {0, 0, 2, 0, 1, 1, 2, 2, 0, 2, 1, 1}},
	    {"touch or cross", 4, {0, 0, 4, 0, 4, 1, 2, 0}},
	    {"vertex 2 (nan, 0) must have finite numbers", 3, {0, 0, (double)NAN, 0, 1, 1}},
	    {"vertex 3 (1, inf) must have finite numbers", 3, {0, 0, 1, 0, 1, (double)INFINITY}},
	};
	static const double triangle[6] = {0, 0, 1, 0, 0, 1}, thin[8] = {0, 0, 1, 0, 1, 1e-14, 0, 1e-14},
			    needle[6] = {0, 0, 1, 1, 2, 2.0 + 1e-13};
	struct shape *shape = NULL;

	(void)state;
	for (size_t n = 0; n < COUNT(wrong); ++n) {
		assert_invalid(wrong[n].words,
			       shape_create_prism(2, wrong[n].vertices, wrong[n].count, 0.0, 1.0, &shape));
		assert_null(shape);
	}
	assert_invalid("axis = 3", shape_create_prism(3, triangle, 3, 0.0, 1.0, &shape));
	assert_invalid("extent = 0", shape_create_prism(2, triangle, 3, 1.0, 1.0, &shape));
	assert_invalid("extent from 0 to nan", shape_create_prism(2, triangle, 3, 0.0, (double)NAN, &shape));
	assert_invalid("has no area", shape_create_prism(2, needle, 3, 0.0, 1.0, &shape));
	assert_status(SONDE_OK, shape_create_prism(2, thin, 4, 0.0, 1.0, &shape));
	assert_within(shape_volume(shape), 1e-14, 1e-28, "shape volume");
	shape_free(&shape);
}

static void prisms_may_have_many_vertices(void **state)
{
	enum { MANY = 20000 };
	static double vertices[2 * MANY];
	struct shape *shape;

	(void)state;
	for (int n = 0; n < MANY; ++n) {
		vertices[2 * n] = cos(2.0 * PI * n / MANY);
		vertices[2 * n + 1] = sin(2.0 * PI * n / MANY);
	}
	assert_status(SONDE_OK, shape_create_prism(1, vertices, MANY, 0.0, 1.0, &shape));
	assert_true(shape_room(shape) < 2000);
	assert_within(shape_volume(shape), 0.5 * MANY * sin(2.0 * PI / MANY), 1e-12, "shape volume");
	check_volume(shape, shape_volume(shape), 1e-3);
	shape_free(&shape);
	for (int n = 0; n < MANY; ++n) { /* a comb: every line along it meets all teeth */
		vertices[2 * n] = n < MANY / 2 ? n : MANY - 1 - n;
		vertices[2 * n + 1] = n < MANY / 2 ? (n % 2) + 1.0 : 0.0;
	}
	assert_status(SONDE_OK, shape_create_prism(1, vertices, MANY, 0.0, 1.0, &shape));
	struct interval *intervals;
	const double point[3] = {0.0, 0.5, 1.5};
	assert_int_equal(MANY / 4, line(shape, 0, point, &intervals));
	shape_free(&shape);
}

static void survives_failing_allocations(void **state)
{
	static const double triangle[6] = {0, 0, 1, 0, 0, 1};
	struct shape *shape;
	int fails = 0;

	(void)state;
	for (int64_t n = 1;; ++n, ++fails) {
		memory_fail_after(n);
		sonde_status status = shape_create_prism(2, triangle, 3, 0.0, 1.0, &shape);
		memory_fail_after(0);
		if (status == SONDE_OK)
			break;
		assert_status(SONDE_RESOURCE, status);
		assert_null(shape);
	}
	assert_int_equal(8, fails);
	shape_free(&shape);
	shape_free(&shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_cut_boxes_exactly),        cmocka_unit_test(right_angles_are_exact),
	    cmocka_unit_test(touching_bodies_share_no_point), cmocka_unit_test(stacked_cylinders_share_no_point),
	    cmocka_unit_test(lines_cut_ellipsoids_exactly),   cmocka_unit_test(lines_cut_cylinders_and_cones_exactly),
	    cmocka_unit_test(cones_along_their_sides),        cmocka_unit_test(lines_cut_prisms_exactly),
	    cmocka_unit_test(refuses_what_is_no_shape),       cmocka_unit_test(refuses_what_is_no_polygon),
	    cmocka_unit_test(prisms_may_have_many_vertices),  cmocka_unit_test(survives_failing_allocations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
