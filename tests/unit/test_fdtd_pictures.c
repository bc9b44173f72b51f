/* What pictures of sonde fdtd are made of: layers of monitors, and lines round bodies. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "fdtd/outlines.h"
#include "fdtd/result_layer.h"

/* Outlines ---------------------------------------------------------------------------------- */

enum { ACROSS = 80, UP = 60 };

static double length_of(const struct outline *lines, size_t count)
{
	double sum = 0.0;

	for (size_t n = 0; n < count; ++n)
		sum += hypot(lines[n].to[0] - lines[n].from[0], lines[n].to[1] - lines[n].from[1]);
	return sum;
}

static size_t find(const double *map, struct outline **lines)
{
	static const int64_t count[2] = {ACROSS, UP};
	size_t found;

	assert_status(SONDE_OK, outlines_find(map, count, lines, &found));
	return found;
}

/* A disc of `inside` in `outside`, means between. */
static void fill_disc(double *map, double radius, double inside, double outside)
{
	for (int i = 0; i < ACROSS; ++i)
		for (int j = 0; j < UP; ++j) {
			double beyond = hypot(i - 40.3, j - 29.6) - radius, part = fmin(fmax(0.5 - beyond, 0.0), 1.0);
			map[i * UP + j] = isinf(inside) && part >= 0.5 ? INFINITY
					  : isinf(inside)              ? outside
								       : part * inside + (1.0 - part) * outside;
		}
}

static void round_discs(void **state)
{
	static const double insides[] = {4.0, 1.5, -20.0, INFINITY};
	double map[ACROSS * UP];
	struct outline *lines;
	(void)state;

	for (size_t k = 0; k < COUNT(insides); ++k) {
		fill_disc(map, 20.0, insides[k], 1.0);
		size_t count = find(map, &lines);
		assert_true(count > 40);
		for (size_t n = 0; n < count; ++n)
			assert_near(20.0, hypot(lines[n].from[0] - 40.3, lines[n].from[1] - 29.6),
				    isinf(insides[k]) ? 1.0 : 0.15);
		/* stairs of a conductor are longer than a circle */
		double most = isinf(insides[k]) ? 1.2 : 1.01;
		assert_in_range((int)(1000.0 * length_of(lines, count) / (2.0 * M_PI * 20.0)), 990,
				(int)(1000 * most));
		free(lines);
	}
}

/* Where two media meet there is one line, though means lie between them. */
static void flat_faces(void **state)
{
	double map[ACROSS * UP];
	struct outline *lines;
	(void)state;

	for (int i = 0; i < ACROSS; ++i)
		for (int j = 0; j < UP; ++j)
			map[i * UP + j] = i < 30 ? 1.0 : i == 30 ? 2.5 : 4.0;
	size_t count = find(map, &lines);
	assert_int_equal(UP - 1, count);
	for (size_t n = 0; n < count; ++n)
		assert_near(30.0, lines[n].from[0], 1e-12);
	free(lines);
	/* three: a line at each face */
	for (int i = 50; i < ACROSS; ++i)
		for (int j = 0; j < UP; ++j)
			map[i * UP + j] = 9.0;
	count = find(map, &lines);
	assert_true(count >= 2 * (UP - 1));
	for (size_t n = 0; n < count; ++n)
		assert_true(fabs(lines[n].from[0] - 30.0) < 1.1 || fabs(lines[n].from[0] - 49.5) < 0.6);
	free(lines);
	/* a film of one row of nodes */
	for (int i = 0; i < ACROSS; ++i)
		for (int j = 0; j < UP; ++j)
			map[i * UP + j] = i == 33 ? 3.0 : 1.0;
	assert_int_equal(2 * (UP - 1), find(map, &lines));
	free(lines);
}

static void corners_and_nothing(void **state)
{
	static const int64_t two[2] = {2, 2}, one[2] = {1, 1};
	const double saddle[4] = {2.0, 1.0, 1.0, 2.0}, other[4] = {1.0, 2.0, 2.0, 1.0};
	double map[ACROSS * UP];
	struct outline *lines;
	size_t count;
	(void)state;

	for (int n = 0; n < ACROSS * UP; ++n)
		map[n] = 1.0 + 1e-4 * (n % 7);
	assert_int_equal(0, find(map, &lines));
	assert_null(lines);
	for (int k = 0; k < 2; ++k) { /* each high corner is cut off */
		assert_status(SONDE_OK, outlines_find(k == 0 ? saddle : other, two, &lines, &count));
		assert_int_equal(2, count);
		assert_near(sqrt(2.0), length_of(lines, count), 1e-12);
		for (int n = 0; n < 2; ++n) {
			double x = 0.5 * (lines[n].from[0] + lines[n].to[0]),
			       y = 0.5 * (lines[n].from[1] + lines[n].to[1]);
			assert_near(0.25, fabs(x - 0.5), 1e-12);
			assert_true(k == 0 ? (x > 0.5) == (y > 0.5) : (x > 0.5) != (y > 0.5));
		}
		free(lines);
	}
	assert_status(SONDE_OK, outlines_find(saddle, one, &lines, &count));
	assert_int_equal(0, count);
}

/* Layers -------------------------------------------------------------------------------------- */

struct monitor {
	sonde_fdtd_monitor monitor;
	sonde_fdtd_array arrays[5];
	double times[3], places[3][8], values[3 * 8 * 8 * 8];
};

/* Three times; values say where they are: frame, x, y, z as digits. */
static void make_monitor(struct monitor *of, const char *kind, const int64_t sizes[3])
{
	int64_t at = 0;

	memset(of, 0, sizeof *of);
	of->monitor = (sonde_fdtd_monitor){.arrays = of->arrays, .array_count = 5};
	strcpy(of->monitor.kind, kind);
	of->arrays[0] = (sonde_fdtd_array){.rank = 1, .sizes = {3}, .values = of->times};
	strcpy(of->arrays[0].name, strcmp(kind, "snapshot") == 0 ? "time" : "frequency");
	for (int u = 0; u < 3; ++u) {
		of->arrays[1 + u] = (sonde_fdtd_array){.rank = 1, .sizes = {sizes[u]}, .values = of->places[u]};
		of->arrays[1 + u].name[0] = "xyz"[u];
		for (int64_t n = 0; n < sizes[u]; ++n)
			of->places[u][n] = -2.0 + (u + 1) * (double)n;
	}
	of->arrays[4] =
	    (sonde_fdtd_array){.rank = 4, .sizes = {3, sizes[0], sizes[1], sizes[2]}, .values = of->values};
	strcpy(of->arrays[4].name, "Ez");
	for (int64_t f = 0; f < 3; ++f)
		for (int64_t i = 0; i < sizes[0]; ++i)
			for (int64_t j = 0; j < sizes[1]; ++j)
				for (int64_t k = 0; k < sizes[2]; ++k)
					of->values[at++] = (double)(1000 * f + 100 * i + 10 * j + k);
}

static void layers(void **state)
{
	static const struct {
		int64_t sizes[3];
		int axes[2];
		double last; /* value of the last node of the last frame */
	} cases[] = {{{4, 3, 1}, {0, 1}, 2320.0}, {{4, 1, 5}, {0, 2}, 2304.0},  {{1, 3, 5}, {1, 2}, 2024.0},
		     {{4, 3, 5}, {0, 1}, 2322.0}, {{4, 1, 1}, {0, -1}, 2300.0}, {{1, 3, 1}, {1, -1}, 2020.0},
		     {{1, 1, 5}, {2, -1}, 2004.0}};
	static struct monitor of;
	struct result_layer layer;
	(void)state;

	for (size_t n = 0; n < COUNT(cases); ++n) {
		make_monitor(&of, "snapshot", cases[n].sizes);
		assert_true(result_layer_of(&of.monitor, &layer));
		assert_true(layer.snapshot);
		assert_int_equal(3, layer.frames);
		for (int k = 0; k < 2; ++k) {
			assert_int_equal(cases[n].axes[k], layer.axes[k]);
			if (layer.axes[k] < 0)
				continue;
			assert_int_equal(cases[n].sizes[layer.axes[k]], layer.count[k]);
			assert_near(-2.0, layer.low[k], 0.0);
			assert_near(layer.axes[k] + 1, layer.step[k], 0.0);
		}
		assert_near(cases[n].last,
			    result_layer_value(&layer, &of.arrays[4], 2, layer.count[0] - 1, layer.count[1] - 1),
			    0.0);
		assert_near(cases[n].last, result_layer_largest(&layer, &of.arrays[4]), 0.0);
	}
	make_monitor(&of, "fields", cases[0].sizes);
	assert_true(result_layer_of(&of.monitor, &layer));
	assert_false(layer.snapshot);
	make_monitor(&of, "flux", cases[0].sizes);
	assert_false(result_layer_of(&of.monitor, &layer));
	make_monitor(&of, "snapshot", (const int64_t[3]){1, 1, 1});
	assert_false(result_layer_of(&of.monitor, &layer));
	make_monitor(&of, "snapshot", cases[0].sizes);
	of.arrays[0].sizes[0] = 0;
	assert_false(result_layer_of(&of.monitor, &layer));
	assert_true(result_is_field(&of.arrays[4]));
	assert_false(result_is_field(&of.arrays[1]));
}

/* The few largest values do not make the range. */
static void ranges(void **state)
{
	enum { SIDE = 100 };
	static double values[SIDE * SIDE];
	const double at = 0.0;
	sonde_fdtd_array array = {.rank = 4, .values = values};
	const struct result_layer layer = {
	    .axes = {0, 1}, .count = {SIDE, SIDE}, .stride = {SIDE, 1}, .size = SIDE * SIDE, .frames = 1, .at = &at};
	(void)state;

	assert_near(1.0, result_layer_range(&layer, &array), 0.0);
	for (int n = 0; n < SIDE * SIDE; ++n)
		values[n] = n % 2 == 0 ? 2.0 : -1.0;
	assert_near(2.0, result_layer_range(&layer, &array), 1e-12);
	for (int n = 0; n < 9; ++n)
		values[1000 * n] = -1e4;
	assert_near(2.0, result_layer_range(&layer, &array), 0.1);
	for (int n = 0; n < 9; ++n)
		values[1000 * n + 1] = 1e4;
	assert_near(1e4, result_layer_range(&layer, &array), 500.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(round_discs), cmocka_unit_test(flat_faces), cmocka_unit_test(corners_and_nothing),
	    cmocka_unit_test(layers),      cmocka_unit_test(ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
