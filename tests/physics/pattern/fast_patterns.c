/* The fast method against the direct sum and Laue's function: errors at all points, bits, the choice of the method. */
#include <unistd.h>

#include "physics/pattern/run_pattern.h"

#define PATCHES_BYTES 2500000 /* of a device */

static sonde_pattern_options polar(double first, double last, int64_t points, int64_t azimuths, double wavelength)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){first, last, points};
	options.phi = azimuths;
	options.wavelength = wavelength;
	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	options.amplitude = 1;
	return options;
}

static sonde_pattern_options box(sonde_grid h, sonde_grid k, sonde_grid l)
{
	sonde_pattern_options options = polar(0.0, 1.0, 2, 1, 0.0);

	options.h = h;
	options.k = k;
	options.l = l;
	options.u = (sonde_vector){1.0, 0.1, 0.0};
	options.v = (sonde_vector){-0.2, 1.1, 0.0};
	options.w = (sonde_vector){0.3, 0.1, 0.9};
	return options;
}

/* A crystal, whose peaks are the hardest test of errors relative to a random sample, and random atoms, far from the origin. */
static sonde_atoms *crystal_and_gas(void)
{
	static const double matrix[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
			    shift[3] = {200.0, -50.0, 30.0};
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 14.0);

	for (uint64_t n = 0; n < 400; ++n)
		add_atom(atoms, n % 2 == 0 ? "Fe" : "O", 80.0 * uniform_number(3, 3 * n) - 40.0,
			 50.0 * uniform_number(3, 3 * n + 1) - 25.0, 20.0 * uniform_number(3, 3 * n + 2) - 30.0);
	sonde_atoms *moved = move(atoms, matrix, shift);
	sonde_atoms_free(&atoms);
	return moved;
}

/* The largest |dF|/sqrt(sum |f|^2) of unit amplitudes, with I = |F|^2 + sum (1 - |f|^2). */
static double difference(const sonde_pattern_result *a, const sonde_pattern_result *b)
{
	double worst = 0.0;

	assert_int_equal(a->count, b->count);
	for (int64_t n = 0; n < a->count; ++n) {
		const double diffuse = a->intensity[n] - a->real[n] * a->real[n] - a->imaginary[n] * a->imaginary[n];
		const double squares = (double)a->atom_count - diffuse;
		assert_true(squares > 0.0);
		worst =
		    fmax(worst, hypot(a->real[n] - b->real[n], a->imaginary[n] - b->imaginary[n]) / sqrt(squares));
	}
	return worst;
}

static const double tolerances[] = {1e-3, 1e-5, 1e-7, 1e-9};

static void check_all_tolerances(const char *what, const sonde_atoms *atoms, sonde_pattern_options *options)
{
	options->method = SONDE_PATTERN_METHOD_DIRECT;
	sonde_pattern_result *direct = pattern(atoms, options);

	options->method = SONDE_PATTERN_METHOD_FAST;
	for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; ++k) {
		if ((k == 1 || k == 2) && strcmp(what, "sphere") != 0 && !is_thorough())
			continue;
		options->tolerance = tolerances[k];
		sonde_pattern_result *fast = pattern(atoms, options);
		const double error = difference(direct, fast);
		print_message("%s, tolerance %.0e: %.1e of sqrt(N) at %lld points, %.1e at %lld of them\n", what,
			      tolerances[k], error, (long long)fast->count, fast->largest_error,
			      (long long)fast->checked_points);
		assert_true(error < tolerances[k]);
		assert_true(fast->largest_error < tolerances[k]);
		assert_int_equal(fast->options->method, SONDE_PATTERN_METHOD_FAST);
		/* the tolerance is used, not the best accuracy at all times */
		assert_true(k == 3 || error > 1e-7 * tolerances[k]);
		sonde_pattern_result_free(&fast);
	}
	sonde_pattern_result_free(&direct);
	options->tolerance = 0.0;
}

static void test_pictures_have_errors_below_the_tolerance(void **state)
{
	sonde_pattern_options sphere = polar(0.0, 7.0, 60, 70, 0.5), plane = polar(0.5, 7.0, 60, 70, 1e-9),
			      flat = polar(0.0, 7.0, 40, 70, 0.004), low = polar(0.0, 0.6, 30, 40, 1.5),
			      backward = polar(1.0, 12.56, 30, 40, 1.0), circle = polar(5.0, 5.0, 1, 500, 0.5);
	sonde_atoms *atoms = crystal_and_gas();
	(void)state;

	check_all_tolerances("sphere", atoms, &sphere);
	check_all_tolerances("plane", atoms, &plane);
	check_all_tolerances("sphere that is nearly flat", atoms, &flat);
	check_all_tolerances("sphere at small angles", atoms, &low);
	check_all_tolerances("sphere up to backward scattering", atoms, &backward);
	check_all_tolerances("circle", atoms, &circle);
	sonde_atoms_free(&atoms);
}

static void test_detectors_and_lists_have_errors_below_the_tolerance(void **state)
{
	sonde_pattern_options detector = polar(0.0, 1.0, 2, 1, 1.0), list = polar(0.0, 1.0, 2, 1, 0.0);
	sonde_atoms *atoms = crystal_and_gas();
	const char *folder = getenv("TMPDIR");
	(void)state;

	strcpy(detector.detector, "61,47");
	strcpy(detector.beam_center, "10,60");
	detector.distance = 40.0;
	detector.pixel_size = 1.0;
	check_all_tolerances("detector", atoms, &detector);
	snprintf(list.q_list, sizeof list.q_list, "%s/sonde-vectors-XXXXXX", folder != NULL ? folder : "/tmp");
	const int descriptor = mkstemp(list.q_list);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	for (uint64_t n = 0; n < 1500; ++n) /* two clouds, a point of which is given twice */
		fprintf(file, "%.17g %.17g %.17g\n", 4.0 * uniform_number(5, 3 * (n / 2)) + (n % 3 == 0 ? 30.0 : 0.0),
			4.0 * uniform_number(5, 3 * (n / 2) + 1), -3.0 * uniform_number(5, 3 * (n / 2) + 2));
	assert_int_equal(fclose(file), 0);
	check_all_tolerances("list", atoms, &list);
	assert_int_equal(unlink(list.q_list), 0);
	sonde_atoms_free(&atoms);
}

static void test_boxes_have_errors_below_the_tolerance(void **state)
{
	sonde_pattern_options line = box((sonde_grid){-3.0, 5.0, 333}, (sonde_grid){2.0, 2.0, 1}, (sonde_grid){0}),
			      plane = box((sonde_grid){-6.0, 6.0, 64}, (sonde_grid){1.5, 1.5, 1},
					  (sonde_grid){-7.0, 5.0, 73}),
			      volume = box((sonde_grid){-2.0, 2.0, 17}, (sonde_grid){0.0, 1.0, 30},
					   (sonde_grid){1.0, 9.0, 12}),
			      narrow = box((sonde_grid){3.0, 3.02, 20}, (sonde_grid){0.0, 6.0, 2},
					   (sonde_grid){-0.1, 0.1, 15});
	sonde_atoms *atoms = crystal_and_gas();
	(void)state;

	line.l = (sonde_grid){1.0, 1.0, 1};
	check_all_tolerances("line", atoms, &line);
	check_all_tolerances("hkl plane", atoms, &plane);
	check_all_tolerances("volume", atoms, &volume);
	check_all_tolerances("narrow volume", atoms, &narrow);
	sonde_atoms_free(&atoms);
}

/* Atoms far from each other: every patch has few points, and its extents across are those of rounding, 4e-16 1/Angstrom, which makes
 * phases above the error of the window at 3e4 Angstrom. */
static void test_patches_that_are_flat_but_for_rounding(void **state)
{
	sonde_pattern_options sphere = polar(0.2, 7.0, 23, 41, 0.5);
	sonde_atoms *atoms = empty_sample();
	(void)state;

	for (uint64_t n = 0; n < 999; ++n)
		add_atom(atoms, "Fe", 30.0 * uniform_number(7, 3 * n), 30.0 * uniform_number(7, 3 * n + 1),
			 30.0 * uniform_number(7, 3 * n + 2));
	add_atom(atoms, "O", 3e4, 3e4, 3e4);
	check_all_tolerances("atoms far apart", atoms, &sphere);
	sonde_atoms_free(&atoms);
}

/* The hardest case of rounding: atoms and points at the corners of their boxes, where the transforms of windows that are divided out
 * are smallest. */
static void test_corners_have_errors_below_the_tolerance(void **state)
{
	sonde_pattern_options list = polar(0.0, 1.0, 2, 1, 0.0);
	sonde_atoms *atoms = empty_sample();
	const char *folder = getenv("TMPDIR");
	(void)state;

	for (int n = 0; n < 1999; ++n)
		add_atom(atoms, "Fe", 30.0, 24.0, 18.0);
	add_atom(atoms, "Fe", -30.0, -24.0, -18.0);
	snprintf(list.q_list, sizeof list.q_list, "%s/sonde-corners-XXXXXX", folder != NULL ? folder : "/tmp");
	const int descriptor = mkstemp(list.q_list);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	for (int n = 0; n < 8; ++n)
		fprintf(file, "%g %g %g\n", n % 2 == 0 ? -1.5 : 1.5, n / 2 % 2 == 0 ? -1.95 : 1.95,
			n / 4 == 0 ? -2.55 : 2.55);
	for (uint64_t n = 0; n < 2992; ++n)
		fprintf(file, "%.17g %.17g %.17g\n", 3.0 * uniform_number(9, 3 * n) - 1.5,
			3.9 * uniform_number(9, 3 * n + 1) - 1.95, 5.1 * uniform_number(9, 3 * n + 2) - 2.55);
	assert_int_equal(fclose(file), 0);
	check_all_tolerances("corners", atoms, &list);
	assert_int_equal(unlink(list.q_list), 0);
	sonde_atoms_free(&atoms);
}

/* An atom far outside is not among the evenly chosen ones by which patches are planned, but it determines their meshes. */
static void test_a_single_atom_far_outside(void **state)
{
	sonde_pattern_options sphere = polar(0.5, 7.0, 12, 12, 0.5);
	sonde_atoms *atoms = empty_sample();
	(void)state;

	for (uint64_t n = 0; n < 5000; ++n)
		if (n == 4998)
			add_atom(atoms, "O", 3e4, 1e4, -2e4);
		else
			add_atom(atoms, "Fe", 20.0 * uniform_number(8, 3 * n), 20.0 * uniform_number(8, 3 * n + 1),
				 20.0 * uniform_number(8, 3 * n + 2));
	check_all_tolerances("an atom far outside", atoms, &sphere);
	sonde_atoms_free(&atoms);
}

/* Peaks of |F| = N = 8000 between zeros: sin(n x/2)/sin(x/2) for x, y, and z, with atoms at 0, 1 ... n - 1. */
static double laue(double x, int n)
{
	const double half = 0.5 * x, s = sin(half);

	return fabs(s) < 1e-9 ? n : sin(n * half) / s;
}

static void test_a_lattice_has_laues_function(void **state)
{
	sonde_pattern_options options =
	    box((sonde_grid){-2.0, 2.0, 81}, (sonde_grid){0.0, 1.0, 21}, (sonde_grid){0.0, 0.5, 11});
	sonde_atoms *atoms = empty_sample();
	double worst = 0.0;
	(void)state;

	options.u = (sonde_vector){2.0 * PI / 3.0, 0.0, 0.0};
	options.v = (sonde_vector){0.0, 2.0 * PI / 3.0, 0.0};
	options.w = (sonde_vector){0.0, 0.0, 2.0 * PI / 3.0};
	options.method = SONDE_PATTERN_METHOD_FAST;
	options.tolerance = 1e-9;
	for (int i = 0; i < 20; ++i)
		for (int j = 0; j < 20; ++j)
			for (int k = 0; k < 20; ++k)
				add_atom(atoms, "C", 3.0 * i, 3.0 * j, 3.0 * k);
	sonde_pattern_result *result = pattern(atoms, &options);
	for (int64_t n = 0; n < result->count; ++n) {
		const int64_t h = n % 81, k = n / 81 % 21, l = n / (81 * 21);
		const double truth = laue(2.0 * PI * result->axes[2][h], 20) *
				     laue(2.0 * PI * result->axes[1][k], 20) *
				     laue(2.0 * PI * result->axes[0][l], 20);
		worst = fmax(worst, fabs(hypot(result->real[n], result->imaginary[n]) - fabs(truth)));
	}
	worst /= sqrt(8000.0);
	print_message("20^3 lattice, tolerance 1e-9: F wrong by %.1e of sqrt(N)\n", worst);
	assert_true(worst < 1e-9);
	sonde_pattern_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* Occupancies, sites that exclude each other, tensors, and f' + i f'' are those of the direct sum. */
static void test_classes_are_those_of_the_direct_sum(void **state)
{
	sonde_pattern_options options = polar(0.5, 6.0, 40, 50, 0.0);
	sonde_atoms *atoms = crystal_and_gas();
	double worst = 0.0, mean = 0.0;
	(void)state;

	for (int64_t n = 0; n < 40; ++n) /* pairs of sites that exclude each other */
		add_atom(atoms, n % 2 == 0 ? "Ni" : "Co", 180.0 + 3.0 * (double)(n / 2) + 0.1 * (double)(n % 2),
			 -90.0, 30.0);
	const int64_t all = sonde_atoms_count(atoms);
	double *occupancies = calloc((size_t)all, sizeof *occupancies),
	       *displacements = calloc(6 * (size_t)all, sizeof *displacements);
	assert_non_null(occupancies);
	assert_non_null(displacements);
	for (int64_t n = 0; n < all; ++n) {
		occupancies[n] = n % 3 == 0 || n >= all - 40 ? 0.5 : n % 7 == 0 ? 0.25 : 1.0;
		for (int k = 0; k < 3; ++k)
			displacements[6 * n + k] = n % 2 == 0 ? 0.01 : 0.02 + 0.01 * k;
		displacements[6 * n + 4] = n % 2 == 0 ? 0.0 : 0.005;
	}
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	assert_int_equal(sonde_atoms_set_displacements(atoms, displacements, 6), SONDE_OK);
	options.factors = SONDE_PATTERN_FACTORS_AUTO;
	options.anomalous = SONDE_PATTERN_ANOMALOUS_HENKE;
	strcpy(options.energy, "7.72keV");
	strcpy(options.displacement, "sample");
	options.method = SONDE_PATTERN_METHOD_DIRECT;
	sonde_pattern_result *direct = pattern(atoms, &options);
	options.method = SONDE_PATTERN_METHOD_FAST;
	options.tolerance = 1e-9;
	sonde_pattern_result *fast = pattern(atoms, &options);
	for (int64_t n = 0; n < fast->count; ++n) {
		worst = fmax(worst, fabs(fast->intensity[n] - direct->intensity[n]));
		mean += direct->intensity[n] / (double)fast->count;
	}
	print_message("occupancies, tensors, f' + i f'': I wrong by %.1e of its mean\n", worst / mean);
	assert_true(worst < 1e-8 * mean);
	assert_true(fast->largest_error < 1e-9);
	sonde_pattern_result_free(&direct);
	sonde_pattern_result_free(&fast);
	sonde_atoms_free(&atoms);
	free(occupancies);
	free(displacements);
}

/* Few transforms serve for many classes of displacements. */
static void test_many_displacements_have_errors_below_the_tolerance(void **state)
{
	sonde_pattern_options options = polar(0.1, 6.0, 40, 50, 0.5), gentle = polar(0.1, 2.0, 40, 50, 0.5);
	sonde_atoms *atoms = crystal_and_gas();
	const int64_t count = sonde_atoms_count(atoms);
	double *displacements = calloc(6 * (size_t)count, sizeof *displacements);
	(void)state;

	assert_non_null(displacements);
	strcpy(options.displacement, "sample");
	strcpy(gentle.displacement, "sample");
	for (int64_t i = 0; i < count; ++i)
		displacements[i] = 0.001 * (double)(3 + i * 37 % 150);
	assert_int_equal(sonde_atoms_set_displacements(atoms, displacements, 1), SONDE_OK);
	check_all_tolerances("150 displacements", atoms, &options);
	for (int64_t i = 0; i < count; ++i) {
		for (int k = 0; k < 3; ++k)
			displacements[6 * i + k] = 0.01 + 0.002 * (double)((i % 60 + 5 * k) % (9 + k));
		displacements[6 * i + 3] = 0.001 * (double)(i % 60 % 4);
		displacements[6 * i + 4] = displacements[6 * i + 5] = 0.0;
	}
	assert_int_equal(sonde_atoms_set_displacements(atoms, displacements, 6), SONDE_OK);
	check_all_tolerances("many tensors", atoms, &gentle);
	free(displacements);
	sonde_atoms_free(&atoms);
}

static void test_threads_do_not_change_the_bits(void **state)
{
	sonde_pattern_options options[] = {
	    polar(0.5, 7.0, 90, 90, 0.5),
	    box((sonde_grid){-2.0, 2.0, 30}, (sonde_grid){0.0, 1.0, 30}, (sonde_grid){1.0, 3.0, 12})};
	sonde_atoms *atoms = crystal_and_gas();
	(void)state;

	for (int k = 0; k < 2; ++k) {
		options[k].method = SONDE_PATTERN_METHOD_FAST;
		options[k].tolerance = 1e-6;
		sonde_pattern_result *one = pattern_on(1, atoms, &options[k]);
		const size_t bytes = (size_t)one->count * sizeof(double);
		for (int64_t threads = 2; threads <= 3; ++threads) {
			sonde_pattern_result *other = pattern_on(threads, atoms, &options[k]);
			assert_memory_equal(one->intensity, other->intensity, bytes);
			assert_memory_equal(one->real, other->real, bytes);
			assert_memory_equal(one->imaginary, other->imaginary, bytes);
			assert_true(one->largest_error == other->largest_error);
			sonde_pattern_result_free(&other);
		}
		sonde_pattern_result_free(&one);
	}
	sonde_atoms_free(&atoms);
}

static sonde_pattern_result *pattern_by(const char *devices, const sonde_atoms *atoms,
					const sonde_pattern_options *options)
{
	sonde_context *context = make_context(2);
	sonde_pattern_result *result = NULL;

	assert_int_equal(sonde_context_set_device(context, devices), SONDE_OK);
	/* several patches, whose number the memory for meshes determines */
	assert_int_equal(sonde_context_set_device_memory(context, PATCHES_BYTES), SONDE_OK);
	if (sonde_pattern_run(context, atoms, options, &result) != SONDE_OK)
		print_message("%s: %s\n", devices, sonde_status_message());
	sonde_context_free(&context);
	return result;
}

/* Patches are shared by devices that run the kernels for GPUs. */
static void test_devices_do_not_change_the_bits(void **state)
{
	static const char *const lists[] = {"opencl:0", "opencl:0,1,2", "emulated,cpu,opencl:1"};
	sonde_pattern_options options[] = {
	    polar(0.5, 5.0, 40, 50, 0.5),
	    box((sonde_grid){-4.0, 4.0, 60}, (sonde_grid){0.0, 4.0, 30}, (sonde_grid){1.0, 3.0, 12})};
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 14.0);
	(void)state;

	for (int k = 0; k < 2; ++k) {
		options[k].method = SONDE_PATTERN_METHOD_FAST;
		options[k].tolerance = 1e-6;
		sonde_pattern_result *one = pattern_by("emulated", atoms, &options[k]);
		assert_non_null(one);
		const size_t bytes = (size_t)one->count * sizeof(double);
		for (size_t list = 0; list < sizeof lists / sizeof *lists; ++list) {
			sonde_pattern_result *other = pattern_by(lists[list], atoms, &options[k]);
			if (other == NULL && strstr(lists[list], "opencl") != NULL)
				continue; /* not here */
			assert_non_null(other);
			assert_memory_equal(one->intensity, other->intensity, bytes);
			assert_memory_equal(one->real, other->real, bytes);
			assert_memory_equal(one->imaginary, other->imaginary, bytes);
			/* sums of other work-items */
			assert_within(other->largest_error, one->largest_error, 1e-11, lists[list]);
			sonde_pattern_result_free(&other);
		}
		sonde_pattern_result_free(&one);
	}
	sonde_atoms_free(&atoms);
}

static int method_of(const sonde_atoms *atoms, const sonde_pattern_options *options)
{
	sonde_pattern_result *result = pattern(atoms, options);
	const int method = result->options->method;

	sonde_pattern_result_free(&result);
	return method;
}

static void test_the_method_is_chosen_by_its_time(void **state)
{
	sonde_pattern_options few = polar(0.5, 7.0, 3, 3, 0.5), many = polar(0.5, 7.0, 200, 200, 0.5);
	sonde_atoms *atoms = crystal_and_gas(), *small = empty_sample();
	(void)state;

	add_atom(small, "C", 0.0, 0.0, 0.0);
	add_atom(small, "C", 1.4, 0.0, 0.0);
	assert_int_equal(method_of(small, &many), SONDE_PATTERN_METHOD_DIRECT);
	few.tolerance = many.tolerance = 1e-4;
	assert_int_equal(method_of(atoms, &few), SONDE_PATTERN_METHOD_DIRECT);
	assert_int_equal(method_of(small, &many), SONDE_PATTERN_METHOD_DIRECT);
	sonde_atoms_free(&small);
	sonde_atoms_free(&atoms);
	/* for more atoms and points, Fourier transforms take less time on a GPU as well */
	const bool gpu = strcmp(physics_device(), "cpu") != 0;
	if (gpu)
		many.q.points = many.phi = 1000;
	atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.08, gpu ? 110.0 : 35.0);
	assert_int_equal(method_of(atoms, &many), SONDE_PATTERN_METHOD_FAST);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	setenv("POCL_DEVICES", "pthread pthread pthread", 0);
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pictures_have_errors_below_the_tolerance),
	    cmocka_unit_test(test_detectors_and_lists_have_errors_below_the_tolerance),
	    cmocka_unit_test(test_boxes_have_errors_below_the_tolerance),
	    cmocka_unit_test(test_patches_that_are_flat_but_for_rounding),
	    cmocka_unit_test(test_corners_have_errors_below_the_tolerance),
	    cmocka_unit_test(test_a_single_atom_far_outside),
	    cmocka_unit_test(test_a_lattice_has_laues_function),
	    cmocka_unit_test(test_classes_are_those_of_the_direct_sum),
	    cmocka_unit_test(test_many_displacements_have_errors_below_the_tolerance),
	    cmocka_unit_test(test_threads_do_not_change_the_bits),
	    cmocka_unit_test(test_devices_do_not_change_the_bits),
	    cmocka_unit_test(test_the_method_is_chosen_by_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
