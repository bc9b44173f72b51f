/* Parts of pictures of sonde fdtd: layers of monitors, and outlines of bodies. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fdtd/output/outlines.h"
#include "fdtd/output/result_layer.h"
#include "sonde/context.h"
#include "sonde/fdtd.h"

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

static void outline_of_a_disk_is_a_circle(void **state)
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
			assert_within(hypot(lines[n].from[0] - 40.3, lines[n].from[1] - 29.6), 20.0,
				      isinf(insides[k]) ? 1.0 : 0.15, "lines from");
		/* stairs of a conductor are longer than a circle */
		double most = isinf(insides[k]) ? 1.2 : 1.01;
		assert_in_range((int)(1000.0 * length_of(lines, count) / (2.0 * M_PI * 20.0)), 990,
				(int)(1000 * most));
		free(lines);
	}
}

/* Where two media meet there is one line, though means lie between them. */
static void face_of_two_media_is_one_line(void **state)
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
		assert_within(lines[n].from[0], 30.0, 1e-12, "from 0");
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

static void saddles_lose_their_high_corners_and_uniform_maps_have_no_lines(void **state)
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
		assert_within(length_of(lines, count), sqrt(2.0), 1e-12, "length of");
		for (int n = 0; n < 2; ++n) {
			double x = 0.5 * (lines[n].from[0] + lines[n].to[0]),
			       y = 0.5 * (lines[n].from[1] + lines[n].to[1]);
			assert_within(fabs(x - 0.5), 0.25, 1e-12, "x");
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

static void layer_is_the_middle_of_a_monitor(void **state)
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
			assert_within(layer.low[k], -2.0, 0.0, "low");
			assert_within(layer.step[k], layer.axes[k] + 1, 0.0, "step");
		}
		assert_within(result_layer_value(&layer, &of.arrays[4], 2, layer.count[0] - 1, layer.count[1] - 1),
			      cases[n].last, 0.0, "result layer value");
		assert_within(result_layer_largest(&layer, &of.arrays[4]), cases[n].last, 0.0,
			      "result layer largest");
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
static void few_largest_values_do_not_set_the_range(void **state)
{
	enum { SIDE = 100 };
	static double values[SIDE * SIDE];
	const double at = 0.0;
	sonde_fdtd_array array = {.rank = 4, .values = values};
	const struct result_layer layer = {
	    .axes = {0, 1}, .count = {SIDE, SIDE}, .stride = {SIDE, 1}, .size = SIDE * SIDE, .frames = 1, .at = &at};
	(void)state;

	assert_within(result_layer_range(&layer, &array), 1.0, 0.0, "result layer range");
	for (int n = 0; n < SIDE * SIDE; ++n)
		values[n] = n % 2 == 0 ? 2.0 : -1.0;
	assert_within(result_layer_range(&layer, &array), 2.0, 1e-12, "result layer range");
	for (int n = 0; n < 9; ++n)
		values[1000 * n] = -1e4;
	assert_within(result_layer_range(&layer, &array), 2.0, 0.1, "result layer range");
	for (int n = 0; n < 9; ++n)
		values[1000 * n + 1] = 1e4;
	assert_within(result_layer_range(&layer, &array), 1e4, 500.0, "result layer range");
}

/* Permittivity -------------------------------------------------------------------------------- */

enum { BODIES = 3 };
static sonde_fdtd_material_options materials[BODIES];
static sonde_body_options bodies[BODIES];
static sonde_fdtd_source_options source;
static sonde_fdtd_monitor_options monitor;
static sonde_fdtd_boundary_options walls;

/* Boxes of 200 nm: glass off the middle along x, a conductor along y, a metal along z; in a medium of index 1.5. */
static void make_job(sonde_fdtd_job *job, sonde_vector size)
{
	static const char *const names[BODIES] = {"glass", "mirror", "metal"};
	const double off = 200e-9;

	sonde_fdtd_job_init(job);
	job->options.size = size;
	job->options.cell = (sonde_vector){50e-9, 50e-9, 50e-9};
	job->options.steps = 30;
	job->options.background = 1.5;
	for (int n = 0; n < BODIES; ++n) {
		sonde_fdtd_material_init(&materials[n]);
		sonde_body_init(&bodies[n]);
		strcpy(materials[n].name, names[n]);
		strcpy(bodies[n].material, names[n]);
		bodies[n].shape = SONDE_BODY_SHAPE_BOX;
		bodies[n].size = (sonde_vector){off, off, off};
	}
	materials[0].permittivity = (sonde_vector){4.0, 4.0, 4.0};
	materials[1].conductor = 1;
	strcpy(materials[2].drude, "1000 THz,1 THz");
	bodies[0].center = (sonde_vector){off, 0.0, 0.0};
	bodies[1].center = (sonde_vector){0.0, off, 0.0};
	bodies[2].center = (sonde_vector){0.0, 0.0, off};
	sonde_fdtd_source_init(&source);
	source.kind = SONDE_FDTD_SOURCE_KIND_DIPOLE;
	source.center = (sonde_vector){-off, -off, -off};
	source.frequency = 500e12;
	sonde_fdtd_monitor_init(&monitor);
	monitor.kind = SONDE_FDTD_MONITOR_KIND_SNAPSHOT;
	monitor.size = size;
	monitor.every = 1e-15;
	strcpy(monitor.name, "all");
	sonde_fdtd_boundary_init(&walls);
	walls.kind = SONDE_FDTD_BOUNDARY_KIND_CONDUCTOR;
	job->materials.items = materials;
	job->materials.count = job->bodies.count = BODIES;
	job->bodies.items = bodies;
	job->sources.items = &source;
	job->monitors.items = &monitor;
	job->boundaries.items = &walls;
	job->sources.count = job->monitors.count = job->boundaries.count = 1;
}

static double permittivity_at(const sonde_fdtd_monitor *of, double x, double y, double z)
{
	static const char *const names[3] = {"x", "y", "z"};
	const sonde_fdtd_array *map = sonde_fdtd_find_array(of, "permittivity");
	const double wanted[3] = {x, y, z};
	int64_t at = 0;

	assert_non_null(map);
	for (int u = 0; u < 3; ++u) {
		const sonde_fdtd_array *places = sonde_fdtd_find_array(of, names[u]);
		int64_t n = 0;
		assert_int_equal(places->sizes[0], map->sizes[u]);
		while (n < places->sizes[0] && fabs(places->values[n] - wanted[u]) > 1e-12)
			++n;
		assert_true(n < places->sizes[0]);
		at = at * places->sizes[0] + n;
	}
	return map->values[at];
}

static void check_bodies(const sonde_fdtd_monitor *of, const bool full[3])
{
	const double off = 200e-9, background = 2.25;

	assert_within(permittivity_at(of, full[0] ? -off : 0.0, full[1] ? -off : 0.0, full[2] ? -off : 0.0),
		      background, 1e-12, "permittivity at");
	if (full[0]) {
		assert_within(permittivity_at(of, off, 0.0, 0.0), 4.0, 1e-12, "permittivity at");
		/* a face across x: the edges along both other axes have the mean, of those across one has either medium */
		assert_within(permittivity_at(of, 300e-9, 0.0, 0.0), 0.5 * (4.0 + background), 1e-12,
			      "permittivity at");
		assert_within(permittivity_at(of, 350e-9, 0.0, 0.0), background, 1e-12, "permittivity at");
	}
	if (full[1]) {
		assert_true(isinf(permittivity_at(of, 0.0, off, 0.0)));
		assert_true(isinf(permittivity_at(of, 0.0, 100e-9, 0.0)));
		assert_within(permittivity_at(of, 0.0, 350e-9, 0.0), background, 1e-12, "permittivity at");
	}
	if (full[2]) /* 1 - (1000/500)^2, but for the steps of time */
		assert_within(permittivity_at(of, 0.0, 0.0, off), -3.0, 0.1, "permittivity at");
}

static void permittivity_of_bodies_is_stored_and_drawn(void **state)
{
	static const bool full[][3] = {{true, true, true},  {true, true, false},  {true, false, true},
				       {false, true, true}, {true, false, false}, {false, true, false},
				       {false, false, true}};
	static sonde_fdtd_job job;
	sonde_fdtd_result *result;
	sonde_context *context;
	(void)state;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, 1));
	for (size_t n = 0; n < COUNT(full); ++n) {
		make_job(&job, (sonde_vector){full[n][0] ? 1e-6 : 0.0, full[n][1] ? 0.8e-6 : 0.0,
					      full[n][2] ? 0.7e-6 : 0.0});
		assert_status(SONDE_OK, sonde_fdtd_run(context, &job, &result));
		check_bodies(&result->monitors[0], full[n]);
		sonde_fdtd_result_free(&result);
	}
	make_job(&job, (sonde_vector){1e-6, 0.8e-6, 0.0});
	snprintf(job.options.frames, sizeof job.options.frames, "%s", test_path("frames"));
	snprintf(job.options.vtk, sizeof job.options.vtk, "%s", test_path("vtk"));
	assert_status(SONDE_OK, sonde_fdtd_run(context, &job, &result));
	int before = test_folder_entries();
	assert_status(SONDE_OK, sonde_fdtd_result_write_folders(context, result, 0));
	assert_int_equal(before + 2, test_folder_entries());
	assert_invalid("exists already", sonde_fdtd_result_write_folders(context, result, 0));
	assert_status(SONDE_OK, sonde_fdtd_result_write_folders(NULL, result, 1));
	assert_invalid("null", sonde_fdtd_result_write_folders(context, NULL, 1));
	sonde_fdtd_result_free(&result);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(outline_of_a_disk_is_a_circle),
	    cmocka_unit_test(face_of_two_media_is_one_line),
	    cmocka_unit_test(saddles_lose_their_high_corners_and_uniform_maps_have_no_lines),
	    cmocka_unit_test(layer_is_the_middle_of_a_monitor),
	    cmocka_unit_test(few_largest_values_do_not_set_the_range),
	    cmocka_unit_test(permittivity_of_bodies_is_stored_and_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
