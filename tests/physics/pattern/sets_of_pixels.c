/* Amplitudes of pixels that the direct sum computes in pairs and lines, and by nodes, against a plain sum, and their bits. */
#include "physics/pattern/run_pattern.h"

#include "base/constants.h"
#include "pattern/nodes.h"
#include "pattern/pattern.h"

#define ATOMS 700 /* more than two tiles */

/* No turn, and yet a turned sample, which is not computed by products of matrices (products.c of these tests). */
#define NOT_BY_PRODUCTS "0,0,0"

static sonde_atoms *random_box(double edge)
{
	sonde_atoms *atoms = empty_sample();

	for (uint64_t k = 0; k < ATOMS; ++k)
		add_atom(atoms, k % 3 == 0 ? "Fe" : "O", edge * uniform_number(7, 3 * k),
			 edge * uniform_number(7, 3 * k + 1), edge * uniform_number(7, 3 * k + 2));
	return atoms;
}

/* The largest error of F, with amplitudes 1, relative to sqrt(N), of all pixels or some of many. */
static double worst_error(const sonde_atoms *atoms, const sonde_pattern_result *result)
{
	const double *r = sonde_atoms_positions(atoms);
	const int64_t step = result->count > 3000 ? 7 : 1;
	double worst = 0.0;

	for (int64_t n = 0; n < result->count; n += step) {
		long double real = 0.0L, imaginary = 0.0L;
		double q[3];
		sonde_pattern_vector(result, n, q);
		for (int64_t i = 0; i < ATOMS; ++i) {
			const long double phase = (long double)q[0] * r[3 * i] + (long double)q[1] * r[3 * i + 1] +
						  (long double)q[2] * r[3 * i + 2];
			real += cosl(phase);
			imaginary += sinl(phase);
		}
		worst = fmax(worst, hypot(result->real[n] - (double)real, result->imaginary[n] - (double)imaginary) /
					sqrt(ATOMS));
	}
	return worst;
}

static void check_to(const char *what, sonde_pattern_options *options, double limit, double single)
{
	sonde_atoms *atoms = random_box(25.0);

	options->factors = SONDE_PATTERN_FACTORS_UNIT;
	options->amplitude = 1;
	for (int precision = 0; precision < 2; ++precision) {
		options->precision = precision;
		sonde_pattern_result *result = pattern_on(1, atoms, options);
		const double error = worst_error(atoms, result);
		print_message("%s, %s: F wrong by %.1e\n", what, precision == 0 ? "float64" : "float32", error);
		assert_true(error < (precision == 0 ? limit : single));
		sonde_pattern_result *again = pattern_on(3, atoms, options);
		assert_memory_equal(result->real, again->real, (size_t)result->count * sizeof(double));
		assert_memory_equal(result->imaginary, again->imaginary, (size_t)result->count * sizeof(double));
		sonde_pattern_result_free(&again);
		sonde_pattern_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

static void check(const char *what, sonde_pattern_options *options, double single)
{
	check_to(what, options, 1e-13, single);
}

/* In how many windows the points of the axes have nodes; 0: they have none. */
static void find_windows(const sonde_pattern_options *options, bool single, int *along, int *across)
{
	const struct tile_reach reach = {17.0, {12.5, 10.0, 10.0}};
	sonde_context *context = make_context(1);
	sonde_atoms *atoms = random_box(25.0);
	struct pattern_plan *plan = calloc(1, sizeof *plan);
	struct pixel_nodes nodes;
	struct pixel_sets sets;

	assert_non_null(plan);
	assert_int_equal(pattern_plan_make(context, atoms, options, plan), SONDE_OK);
	assert_int_equal(pixel_nodes_make(&plan->pixels, single, &reach, ATOMS / 4.0, &sets, &nodes), SONDE_OK);
	*along = nodes.along.axis >= 0 ? nodes.along.windows : 0;
	*across = nodes.across.axis >= 0 ? nodes.across.windows : 0;
	pixel_nodes_free(&nodes);
	pattern_plan_free(plan);
	free(plan);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

static int windows_of(const sonde_pattern_options *options, bool single)
{
	int along, across;

	find_windows(options, single, &along, &across);
	return along;
}

/* Pairs in float64, lines in float32; the last sets of a line and of a circle share pixels with others. */
static void test_circles_near_each_other(void **state)
{
	sonde_pattern_options options;
	(void)state;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){4.0, 4.2, 21};
	options.phi = 14;
	options.wavelength = 0.8;
	check("near circles", &options, 2e-5);
	options.q.points = 12;
	check("few near circles", &options, 2e-5);
}

static void test_circles_far_apart(void **state)
{
	sonde_pattern_options options;
	(void)state;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){0.5, 12.0, 11};
	options.phi = 10;
	options.wavelength = 0.9;
	check("far circles", &options, 5e-5);
	options.phi = 38; /* pairs of more points */
	check("far circles with many azimuths", &options, 5e-5);
}

static void test_a_box(void **state)
{
	sonde_pattern_options options;
	(void)state;

	sonde_pattern_options_init(&options);
	options.u = (sonde_vector){1.0, 0.2, 0.0};
	options.v = (sonde_vector){-0.3, 1.1, 0.1};
	options.w = (sonde_vector){0.0, 0.1, 0.9};
	options.h = (sonde_grid){-3.0, 2.0, 19};
	options.k = (sonde_grid){-1.0, 4.0, 5};
	options.l = (sonde_grid){0.0, 2.0, 3};
	check("box", &options, 5e-5);
	options.h.points = 11; /* lines of fewer points */
	check("small box", &options, 5e-5);
}

static void test_a_detector(void **state)
{
	sonde_pattern_options options;
	(void)state;

	sonde_pattern_options_init(&options);
	strcpy(options.detector, "21,9");
	options.distance = 100.0;
	options.pixel_size = 0.2;
	options.wavelength = 1.0;
	check("detector", &options, 5e-5);
}

/* Nodes of circles, of which the last sets share pixels with others; without pairs; in several windows; almost up to backward
 * scattering, where the sphere curves most along q. */
static void test_nodes_of_circles(void **state)
{
	sonde_pattern_options options;
	(void)state;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){2.0, 3.0, 97};
	options.phi = 38;
	options.wavelength = 0.8;
	assert_int_equal(windows_of(&options, false), 1);
	assert_int_equal(windows_of(&options, true), 1);
	check("nodes of circles", &options, 2e-5);
	options.phi = 14;
	check("nodes of short circles", &options, 2e-5);
	options.phi = 19;
	assert_int_equal(windows_of(&options, false), 1);
	check("nodes without pairs", &options, 2e-5);
	options.q = (sonde_grid){0.5, 12.0, 1201};
	options.phi = 6;
	options.wavelength = 1.0;
	assert_true(windows_of(&options, false) > 1);
	check_to("nodes in windows", &options, 1e-12, 5e-5);
	options.q = (sonde_grid){0.0, 3.99 * PI / 1.2, 600};
	options.wavelength = 1.2;
	assert_true(windows_of(&options, false) > 0);
	/* vectors themselves are known to 1e-14 there */
	check_to("nodes almost up to backward scattering", &options, 1e-12, 5e-5);
}

static void test_nodes_of_a_box(void **state)
{
	sonde_pattern_options options;
	(void)state;

	sonde_pattern_options_init(&options);
	options.u = (sonde_vector){1.0, 0.2, 0.0};
	options.v = (sonde_vector){-0.3, 1.1, 0.1};
	options.w = (sonde_vector){0.0, 0.1, 0.9};
	options.h = (sonde_grid){-3.0, 2.0, 19};
	options.k = (sonde_grid){-0.5, 0.5, 80};
	options.l = (sonde_grid){0.0, 2.0, 3};
	strcpy(options.orientation, NOT_BY_PRODUCTS);
	assert_int_equal(windows_of(&options, false), 1);
	check("nodes of planes", &options, 5e-5);
	options.k.points = 3;
	options.l = (sonde_grid){0.0, 1.0, 80};
	assert_int_equal(windows_of(&options, false), 1);
	check("nodes across planes", &options, 5e-5);
}

static void test_nodes_of_a_detector(void **state)
{
	sonde_pattern_options options;
	(void)state;

	sonde_pattern_options_init(&options);
	strcpy(options.detector, "9,120");
	options.detector_rotation = (sonde_vector){10.0, -5.0, 30.0};
	options.distance = 100.0;
	options.pixel_size = 0.2;
	options.wavelength = 1.0;
	assert_int_equal(windows_of(&options, false), 1);
	check("nodes of a detector", &options, 5e-5);
}

static sonde_pattern_options wide_detector(void)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	strcpy(options.detector, "263,64");
	options.detector_rotation = (sonde_vector){10.0, -5.0, 30.0};
	options.distance = 100.0;
	options.pixel_size = 1.1;
	options.wavelength = 1.0;
	return options;
}

/* Both axes, with columns in two windows, the last of which has fewer. */
static void test_nodes_of_both_axes(void **state)
{
	sonde_pattern_options options = wide_detector();
	int along, across;
	(void)state;

	for (int precision = 0; precision < 2; ++precision) {
		find_windows(&options, precision == 1, &along, &across);
		assert_int_equal(along, 1);
		assert_int_equal(across, 2);
	}
	check("nodes of both axes", &options, 5e-5);
}

static sonde_pattern_result *pattern_by(const char *devices, const sonde_atoms *atoms,
					const sonde_pattern_options *options)
{
	sonde_context *context = make_context(1);
	sonde_pattern_result *result = NULL;

	assert_int_equal(sonde_context_set_device(context, devices), SONDE_OK);
	if (sonde_pattern_run(context, atoms, options, &result) != SONDE_OK)
		print_message("%s: %s\n", devices, sonde_status_message());
	sonde_context_free(&context);
	return result;
}

/* Sums at nodes are the same on all devices, and however many share the columns. */
static void test_devices_have_the_same_bits(void **state)
{
	static const char *const lists[] = {"emulated", "opencl:0", "cpu,emulated", "emulated,opencl:0,cpu"};
	sonde_pattern_options all[3] = {wide_detector()};
	sonde_atoms *atoms = random_box(25.0);
	(void)state;

	sonde_pattern_options_init(&all[1]); /* circles */
	all[1].q = (sonde_grid){2.0, 3.0, 97};
	all[1].phi = 72;
	all[1].wavelength = 0.8;
	sonde_pattern_options_init(&all[2]); /* a plane */
	all[2].u.x = all[2].v.y = all[2].w.z = 1.0;
	all[2].h = (sonde_grid){-3.0, 2.0, 67};
	all[2].k = (sonde_grid){-0.5, 0.5, 80};
	strcpy(all[2].orientation, NOT_BY_PRODUCTS);
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
		all[k].factors = SONDE_PATTERN_FACTORS_UNIT;
		all[k].amplitude = 1;
		assert_true(windows_of(&all[k], false) > 0);
		sonde_pattern_result *one = pattern_by("cpu", atoms, &all[k]);
		assert_non_null(one);
		for (size_t d = 0; d < sizeof lists / sizeof *lists; ++d) {
			sonde_pattern_result *other = pattern_by(lists[d], atoms, &all[k]);
			const size_t bytes = (size_t)one->count * sizeof(double);
			if (other == NULL && strstr(lists[d], "opencl") != NULL)
				continue; /* not here */
			assert_non_null(other);
			assert_memory_equal(one->real, other->real, bytes);
			assert_memory_equal(one->imaginary, other->imaginary, bytes);
			assert_memory_equal(one->intensity, other->intensity, bytes);
			sonde_pattern_result_free(&other);
		}
		sonde_pattern_result_free(&one);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_nodes_of_circles),
	    cmocka_unit_test(test_nodes_of_a_box),
	    cmocka_unit_test(test_nodes_of_a_detector),
	    cmocka_unit_test(test_circles_near_each_other),
	    cmocka_unit_test(test_circles_far_apart),
	    cmocka_unit_test(test_a_box),
	    cmocka_unit_test(test_a_detector),
	    cmocka_unit_test(test_nodes_of_both_axes),
	    cmocka_unit_test(test_devices_have_the_same_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
