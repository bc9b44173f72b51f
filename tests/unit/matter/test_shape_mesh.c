/* Intersections of lines with closed surfaces of triangles, also through edges and corners. */
#include "unit/support.h"

#include <math.h>

#include "base/memory.h"
#include "unit/shapes.h"

static const double nowhere[3] = {0.0, 0.0, 0.0};

/* A shape of the triangles, which are released. */
static struct shape *make(struct triangles *triangles)
{
	struct shape *shape;

	assert_status(SONDE_OK, shape_create_mesh(triangles->corners, triangles->count, 1.0, nowhere, &shape));
	free(triangles->corners);
	*triangles = (struct triangles){.count = 0};
	return shape;
}

static void refuse(const char *words, struct triangles *triangles)
{
	struct shape *shape;

	assert_invalid(words, shape_create_mesh(triangles->corners, triangles->count, 1.0, nowhere, &shape));
	assert_null(shape);
}

static void a_cube_is_a_box(void **state)
{
	const double low[3] = {-1.0, 0.25, 3.0}, high[3] = {1.0, 1.25, 3.5};
	struct triangles triangles = {.count = 0};
	struct shape *mesh, *box;
	struct interval *found, interval;

	(void)state;
	add_box(&triangles, low, high);
	mesh = make(&triangles);
	assert_status(SONDE_OK, shape_create_box(low, high, NULL, &box));
	assert_within(shape_volume(mesh), 1.0, 1e-15, "shape volume");
	/* through corners, edges and the faces' diagonals exactly */
	for (int i = -2; i <= 18; ++i)
		for (int j = -2; j <= 18; ++j)
			for (int axis = 0; axis < 3; ++axis) {
				int u = (axis + 1) % 3, v = (axis + 2) % 3;
				double point[3] = {-0.9, 0.3, 3.1};
				point[u] = low[u] + (high[u] - low[u]) * i / 16.0;
				point[v] = low[v] + (high[v] - low[v]) * j / 16.0;
				int expected = shape_line(box, axis, point, &interval, 1);
				assert_int_equal(expected, i >= 0 && i < 16 && j >= 0 && j < 16);
				assert_int_equal(expected, line(mesh, axis, point, &found));
				if (expected == 1) {
					assert_within(found[0].begin, interval.begin, 0.0, "begin");
					assert_within(found[0].end, interval.end, 0.0, "end");
				}
				for (int n = -1; n <= 17; ++n) {
					point[axis] = low[axis] + (high[axis] - low[axis]) * n / 16.0;
					assert_int_equal(shape_contains(box, point), shape_contains(mesh, point));
				}
			}
	shape_free(&mesh);
	shape_free(&box);
}

static int in_unit_ball(const double point[3])
{
	double radius = hypot(hypot(point[0], point[1]), point[2]);

	return radius < 0.998 ? 1 : radius > 1.0 ? 0 : -1;
}

/* Lines through each corner, the middle of each edge and of each triangle, along all axes, and a little
 * beyond: nearly as long, never torn. */
static void check_special_lines(const struct triangles *triangles, const struct shape *shape, int most)
{
	struct interval *intervals;

	for (int64_t n = 0; n < triangles->count; n += 3)
		for (int which = 0; which < 7; ++which)
			for (int axis = 0; axis < 3; ++axis) {
				const double *corners = &triangles->corners[9 * n];
				double point[3], beside[3];
				for (int k = 0; k < 3; ++k) {
					double a = corners[k], b = corners[3 + k], c = corners[6 + k];
					double places[7] = {
					    a, b, c, 0.5 * (a + b), 0.5 * (a + c), 0.5 * (b + c), (a + b + c) / 3.0};
					point[k] = places[which];
					beside[k] = point[k] + 1e-13;
				}
				int count = line(shape, axis, point, &intervals);
				assert_in_range(count, 0, most);
				double length = length_inside(shape, axis, point);
				assert_within(length, length_inside(shape, axis, beside), 2e-6, "length");
			}
}

static void triangulated_ball_has_its_volume(void **state)
{
	struct triangles triangles = {.count = 0};
	struct shape *shape;

	(void)state;
	add_ball(&triangles, nowhere, 1.0, 5);
	assert_int_equal(8192, triangles.count);
	assert_status(SONDE_OK, shape_create_mesh(triangles.corners, triangles.count, 1.0, nowhere, &shape));
	double volume = shape_volume(shape);
	assert_within(volume, 4.0 / 3.0 * PI, 0.007, "volume");
	check_volume(shape, volume, 1e-3);
	check_points(shape, in_unit_ball);
	check_special_lines(&triangles, shape, 1);
	shape_free(&shape);

	/* scaled and shifted */
	const double shift[3] = {1e-6, -3e-6, 0.0};
	double low[3], high[3];
	assert_status(SONDE_OK, shape_create_mesh(triangles.corners, triangles.count, 1e-9, shift, &shape));
	assert_within(shape_volume(shape), 1e-27 * volume, 1e-39, "shape volume");
	shape_bounds(shape, low, high);
	for (int k = 0; k < 3; ++k) {
		assert_within(low[k], shift[k] - 1e-9, 1e-21, "low");
		assert_within(high[k], shift[k] + 1e-9, 1e-21, "high");
		assert_within(volume_by_lines(shape, k, 300), 1e-27 * volume, 1e-30 * volume, "volume by lines");
	}
	shape_free(&shape);

	/* inside out: the same */
	turn_over(&triangles, 0);
	shape = make(&triangles);
	assert_within(shape_volume(shape), volume, 1e-12, "shape volume");
	assert_true(shape_contains(shape, nowhere));
	shape_free(&shape);
}

static void lines_cut_a_torus_in_two_intervals(void **state)
{
	enum { ROUND = 90, ACROSS = 50 };
	struct triangles triangles = {.count = 0};
	struct shape *shape;
	struct interval *intervals;

	(void)state;
	add_torus(&triangles, 2.0, 0.5, ROUND, ACROSS);
	assert_status(SONDE_OK, shape_create_mesh(triangles.corners, triangles.count, 1.0, nowhere, &shape));
	assert_within(shape_volume(shape), 2.0 * PI * 2.0 * PI * 0.25, 0.05, "shape volume");
	check_volume(shape, shape_volume(shape), 2e-3);
	assert_int_equal(2, line(shape, 0, nowhere, &intervals));
	assert_within(intervals[0].begin, -2.5, 1e-12, "begin");
	assert_within(intervals[0].end, -1.5, 1e-12, "end");
	assert_within(intervals[1].begin, 1.5, 1e-12, "begin");
	assert_within(intervals[1].end, 2.5, 1e-12, "end");
	assert_int_equal(-1, shape_line(shape, 0, nowhere, intervals, 3));
	assert_int_equal(0, line(shape, 2, nowhere, &intervals));
	shape_free(&shape);

	/* turned, so that no triangle is parallel to lines */
	const double degrees[3] = {20.0, 33.0, 47.0};
	struct shape_axes axes;
	assert_status(SONDE_OK, shape_axes_turn(degrees, &axes));
	for (int64_t n = 0; n < 3 * triangles.count; ++n) {
		double *corner = &triangles.corners[3 * n], p[3];
		memcpy(p, corner, sizeof p);
		for (int k = 0; k < 3; ++k)
			corner[k] = axes.of[0][k] * p[0] + axes.of[1][k] * p[1] + axes.of[2][k] * p[2];
	}
	assert_status(SONDE_OK, shape_create_mesh(triangles.corners, triangles.count, 1.0, nowhere, &shape));
	check_volume(shape, shape_volume(shape), 2e-3);
	check_special_lines(&triangles, shape, 4); /* 2 of a smooth one */
	free(triangles.corners);
	shape_free(&shape);
}

/* A drum: its ends are fans of triangles, each as long as the drum is wide. Against a prism. */
static void drum(int sides, double tilt, struct triangles *triangles, double *polygon)
{
	const double below[3] = {0.3, 0.2, -1.0}, above[3] = {0.3, 0.2, 1.0};

	for (int n = 0; n < sides; ++n) {
		polygon[2 * n] = cos(2.0 * PI * n / sides) + tilt * sin(2.0 * PI * n / sides);
		polygon[2 * n + 1] = sin(2.0 * PI * n / sides);
	}
	for (int n = 0; n < sides; ++n) {
		const double *p = &polygon[2 * n], *q = &polygon[n + 1 < sides ? 2 * n + 2 : 0];
		const double a[3] = {p[0], p[1], -1.0}, b[3] = {q[0], q[1], -1.0}, c[3] = {q[0], q[1], 1.0},
			     d[3] = {p[0], p[1], 1.0};
		add_quadrilateral(triangles, a, b, c, d);
		add_triangle(triangles, below, b, a);
		add_triangle(triangles, above, d, c);
	}
}

static void fans_of_thin_triangles(void **state)
{
	enum { SIDES = 6000 };
	static double polygon[2 * SIDES];
	struct triangles triangles = {.count = 0};
	struct shape *mesh, *prism;
	struct interval *intervals, expected[8];
	uint64_t random = 3;

	(void)state;
	drum(SIDES, 1.5, &triangles, polygon);
	mesh = make(&triangles);
	assert_status(SONDE_OK, shape_create_prism(2, polygon, SIDES, -1.0, 1.0, &prism));
	assert_within(shape_volume(mesh), shape_volume(prism), 1e-12, "shape volume");
	int hits = 0;
	for (int n = 0; n < 60000; ++n) {
		int axis = n % 3;
		double point[3] = {4.0 * test_random_real(&random) - 2.0, 2.2 * test_random_real(&random) - 1.1,
				   2.2 * test_random_real(&random) - 1.1};
		if (n % 7 == 0) /* exactly at a corner's place */
			memcpy(point, &polygon[2 * (test_random(&random) % SIDES)], 2 * sizeof *point);
		struct interval room[4096];
		assert_in_range(shape_room(prism), 1, 4096);
		int count = shape_line(prism, axis, point, room, 4096);
		assert_in_range(count, 0, 1);
		expected[0] = room[0];
		assert_int_equal(count, line(mesh, axis, point, &intervals));
		if (count > 0) {
			assert_within(intervals[0].begin, expected[0].begin, 1e-10, "begin");
			assert_within(intervals[0].end, expected[0].end, 1e-10, "end");
		}
		hits += count;
	}
	assert_in_range(hits, 20000, 50000);
	shape_free(&mesh);
	shape_free(&prism);
}

static void overlapping_parts_are_solid_and_inverted_ones_hollow(void **state)
{
	const double a[3] = {0, 0, 0}, b[3] = {2, 2, 2}, c[3] = {1, 1, 1}, d[3] = {3, 3, 3}, e[3] = {2, 0, 0},
		     f[3] = {4, 2, 2}, g[3] = {0.5, 0.5, 0.5}, h[3] = {1.5, 1.5, 1.5}, i[3] = {2, 2, 0},
		     j[3] = {3, 3, 2};
	struct triangles triangles = {.count = 0};
	struct interval *intervals;

	(void)state;
	/* that overlap */
	add_box(&triangles, a, b);
	add_box(&triangles, c, d);
	struct shape *shape = make(&triangles);
	const double middle[3] = {1.5, 1.5, 1.5};
	for (int axis = 0; axis < 3; ++axis) {
		assert_int_equal(1, line(shape, axis, middle, &intervals));
		assert_within(intervals[0].end - intervals[0].begin, 3.0, 0.0, "intervals end begin");
		assert_within(volume_by_lines(shape, axis, 300), 15.0, 1e-3, "volume by lines");
	}
	shape_free(&shape);
	/* that share a face: one interval */
	add_box(&triangles, a, b);
	add_box(&triangles, e, f);
	shape = make(&triangles);
	assert_int_equal(1, line(shape, 0, c, &intervals));
	assert_within(intervals[0].end - intervals[0].begin, 4.0, 0.0, "intervals end begin");
	assert_within(volume_by_lines(shape, 2, 256), 16.0, 1e-12, "volume by lines");
	shape_free(&shape);
	/* that share an edge */
	add_box(&triangles, a, b);
	add_box(&triangles, i, j);
	shape = make(&triangles);
	assert_within(shape_volume(shape), 10.0, 1e-12, "shape volume");
	assert_within(volume_by_lines(shape, 0, 300), 10.0, 1e-3, "volume by lines");
	shape_free(&shape);
	/* a hollow; turned inside out as a whole, the same */
	for (int turned = 0; turned < 2; ++turned) {
		add_box(&triangles, a, b);
		add_box(&triangles, g, h);
		turn_over(&triangles, 12);
		if (turned)
			turn_over(&triangles, 0);
		shape = make(&triangles);
		assert_within(shape_volume(shape), 7.0, 1e-12, "shape volume");
		check_volume(shape, 7.0, 0.01);
		assert_int_equal(2, line(shape, 1, c, &intervals));
		assert_false(shape_contains(shape, c));
		shape_free(&shape);
	}
}

/* Two halves of a ball's surroundings share every point of their common surface's lines. */
static void touching_meshes_share_no_point(void **state)
{
	const double low[3] = {-1.5, -1.5, -1.5}, high[3] = {1.5, 1.5, 1.5};
	struct triangles triangles = {.count = 0};
	struct shape *ball, *around;
	struct interval *intervals, in_ball;

	(void)state;
	add_ball(&triangles, nowhere, 1.0, 3);
	ball = make(&triangles);
	add_box(&triangles, low, high);
	int64_t first = triangles.count;
	add_ball(&triangles, nowhere, 1.0, 3);
	turn_over(&triangles, first);
	around = make(&triangles);
	for (int i = -24; i <= 24; ++i)
		for (int j = -24; j <= 24; ++j)
			for (int axis = 0; axis < 3; ++axis) {
				double point[3] = {0.0, 0.0, 0.0};
				point[(axis + 1) % 3] = i / 16.0;
				point[(axis + 2) % 3] = j / 16.0;
				int inside = line(ball, axis, point, &intervals);
				in_ball = intervals[0];
				int count = line(around, axis, point, &intervals);
				assert_int_equal(i == 24 || j == 24 ? 0 : 1 + inside, count);
				if (inside == 1) {
					assert_within(intervals[0].end, in_ball.begin, 0.0, "end");
					assert_within(intervals[1].begin, in_ball.end, 0.0, "begin");
				}
			}
	shape_free(&ball);
	shape_free(&around);
}

static void joins_corners_that_nearly_meet(void **state)
{
	const double center[3] = {5.0, 6.0, 7.0};
	struct triangles triangles = {.count = 0};
	uint64_t random = 5;
	struct shape *shape;

	(void)state;
	add_ball(&triangles, center, 1.0, 4);
	for (int64_t n = 0; n < 9 * triangles.count; ++n)
		triangles.corners[n] += 4e-7 * (test_random_real(&random) - 0.5);
	assert_status(SONDE_OK, shape_create_mesh(triangles.corners, triangles.count, 1.0, nowhere, &shape));
	assert_within(shape_volume(shape), 4.0 / 3.0 * PI, 0.03, "shape volume");
	for (int axis = 0; axis < 3; ++axis)
		assert_within(volume_by_lines(shape, axis, 200), shape_volume(shape), 0.01, "volume by lines");
	shape_free(&shape);
	triangles.corners[4] += 1e-4;
	refuse("the surface is not closed: 4 open edges", &triangles);
	free(triangles.corners);
	/* a triangle that has become a line, and -0 beside 0 */
	const double low[3] = {-1.0, -1.0, 0.0}, high[3] = {1.0, 1.0, 1.0}, minus_zero = -0.0;
	triangles = (struct triangles){.count = 0};
	add_box(&triangles, low, high);
	add_triangle(&triangles, low, high, low);
	for (int64_t n = 2; n < 9 * triangles.count; n += 9)
		if (triangles.corners[n] == 0.0)
			triangles.corners[n] = minus_zero;
	shape = make(&triangles);
	assert_within(shape_volume(shape), 4.0, 1e-14, "shape volume");
	shape_free(&shape);
}

static void refuses_what_is_no_surface(void **state)
{
	const double low[3] = {0.0, 0.0, 0.0}, high[3] = {1.0, 2.0, 3.0};
	struct triangles triangles = {.count = 0};
	struct shape *shape;

	(void)state;
	refuse("has no triangles", &triangles);
	add_box(&triangles, low, high);
	int64_t whole = triangles.count;
	triangles.count = whole - 1;
	refuse("the surface is not closed: 3 open edges, one from (", &triangles);
	triangles.count = whole - 2;
	refuse("the surface is not closed: 4 open edges", &triangles);
	triangles.count = 1;
	refuse("the surface is not closed: 3 open edges", &triangles);
	triangles.count = whole;
	turn_over(&triangles, whole - 1);
	refuse("the triangles of the surface are not consistently oriented: 6 edges have no partner of opposite "
	       "direction",
	       &triangles);
	turn_over(&triangles, whole - 1);
	add_triangle(&triangles, low, high, &triangles.corners[3]);
	refuse("the surface is not closed", &triangles);
	triangles.count = whole;
	triangles.corners[9 * 4 + 2] = (double)NAN;
	refuse("triangle 5: z = nan is not a finite number", &triangles);
	triangles.corners[9 * 4 + 2] = 1e61;
	refuse("triangle 5: z = 1e+61 is not a finite number", &triangles);
	triangles.count = 1;
	add_triangle(&triangles, triangles.corners, triangles.corners + 6, triangles.corners + 3);
	refuse("encloses no volume", &triangles);
	triangles.count = 0;
	add_triangle(&triangles, low, low, low);
	refuse("encloses no volume", &triangles);
	triangles.count = 0;
	add_box(&triangles, low, high);
	assert_invalid("scale = 0", shape_create_mesh(triangles.corners, whole, 0.0, nowhere, &shape));
	assert_invalid("scale = -1", shape_create_mesh(triangles.corners, whole, -1.0, nowhere, &shape));
	assert_invalid("shift z = 3e+30",
		       shape_create_mesh(triangles.corners, whole, 1.0, (double[3]){0, 0, 3e30}, &shape));
	assert_invalid("its upper corner's y = 2e+30",
		       shape_create_mesh(triangles.corners, whole, 1e30, nowhere, &shape));
	assert_invalid("its size = 0", shape_create_mesh(triangles.corners, whole, 1e-20, high, &shape));
	assert_null(shape);
	free(triangles.corners);
}

static void survives_failing_allocations(void **state)
{
	const double low[3] = {0.0, 0.0, 0.0}, high[3] = {1.0, 2.0, 3.0};
	struct triangles triangles = {.count = 0};
	struct shape *shape;
	int fails = 0;

	(void)state;
	add_box(&triangles, low, high);
	triangles.corners[0] += 1e-8; /* joined at the second attempt */
	for (int64_t n = 1;; ++n, ++fails) {
		memory_fail_after(n);
		sonde_status status = shape_create_mesh(triangles.corners, triangles.count, 1.0, nowhere, &shape);
		memory_fail_after(0);
		if (status == SONDE_OK)
			break;
		assert_status(SONDE_RESOURCE, status);
		assert_null(shape);
	}
	assert_int_equal(14, fails);
	shape_free(&shape);
	free(triangles.corners);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_cube_is_a_box),
	    cmocka_unit_test(triangulated_ball_has_its_volume),
	    cmocka_unit_test(lines_cut_a_torus_in_two_intervals),
	    cmocka_unit_test(fans_of_thin_triangles),
	    cmocka_unit_test(overlapping_parts_are_solid_and_inverted_ones_hollow),
	    cmocka_unit_test(touching_meshes_share_no_point),
	    cmocka_unit_test(joins_corners_that_nearly_meet),
	    cmocka_unit_test(refuses_what_is_no_surface),
	    cmocka_unit_test(survives_failing_allocations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
