/* What a GPU keeps for many pictures: orientations of one sample, and volumes. By default the emulated device, which has the kernels for
 * GPUs. */
#include "io/containers/hdf5.h"
#include "physics/pattern/means.h"

static const char *gpu(void)
{
	return strcmp(physics_device(), "cpu") == 0 ? "emulated" : physics_device();
}

static sonde_context *context_on(const char *device, int64_t threads)
{
	sonde_context *context = make_context(threads);

	assert_int_equal(sonde_context_set_device(context, device), SONDE_OK);
	return context;
}

static sonde_atoms *crystal_and_gas(void)
{
	static const double matrix[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
			    shift[3] = {100.0, -50.0, 30.0};
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 7.0);

	for (uint64_t n = 0; n < 60; ++n)
		add_atom(atoms, n % 2 == 0 ? "Fe" : "O", 30.0 * uniform_number(3, 3 * n) - 15.0,
			 20.0 * uniform_number(3, 3 * n + 1) - 10.0, 12.0 * uniform_number(3, 3 * n + 2) - 10.0);
	sonde_atoms *moved = move(atoms, matrix, shift);
	sonde_atoms_free(&atoms);
	return moved;
}

/* The stack of shots of a run, to be freed; its checksums are verified. */
static double *shots_of(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			sonde_pattern_result **mean)
{
	struct hdf5_reader *reader;
	double *stack;
	char path[4096];
	int64_t count, left_out;

	write_file(".cxi", "", path);
	if (sonde_pattern_run_shots(context, atoms, options, path, 1, mean) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(hdf5_reader_open(&reader, path), SONDE_OK);
	assert_int_equal(hdf5_reader_check(reader, UINT64_MAX, &left_out), SONDE_OK);
	assert_int_equal(hdf5_reader_reals(reader, "/entry_1/data_1/data", &stack, &count), SONDE_OK);
	assert_int_equal(count, options->shots * (*mean)->count);
	hdf5_reader_close(&reader);
	assert_int_equal(unlink(path), 0);
	return stack;
}

static double *shots_on(const char *device, int64_t threads, const sonde_atoms *atoms,
			const sonde_pattern_options *options, sonde_pattern_result **mean)
{
	sonde_context *context = context_on(device, threads);
	double *stack = shots_of(context, atoms, options, mean);

	sonde_context_free(&context);
	return stack;
}

static sonde_pattern_options detector_options(void)
{
	sonde_pattern_options options = pattern_options(0.0, 1.0, 2, 1);

	strcpy(options.detector, "26,22");
	options.pixel_size = 3.0;
	options.distance = 40.0;
	options.wavelength = 1.0;
	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	return options;
}

/* sqrt(|F|^2 + D) differs less than F. */
static void check_stacks(const char *what, const double *fast, const double *direct, int64_t count, double squares,
			 double tolerance)
{
	double worst = 0.0;

	for (int64_t n = 0; n < count; ++n)
		worst = fmax(worst, fabs(sqrt(fast[n]) - sqrt(direct[n])) / sqrt(squares));
	print_message("%s, tolerance %.0e: %.1e of sqrt(sum |f|^2)\n", what, tolerance, worst);
	assert_true(worst < tolerance);
	assert_true(worst > 1e-7 * tolerance);
}

/* By tables of points and turned axes of the mesh; each shot has the same bits for any number of them. */
static void check_shots(const char *what, const sonde_atoms *atoms, sonde_pattern_options options, double squares)
{
	static const double tolerances[] = {1e-3, 1e-6};
	sonde_pattern_result *mean, *other;

	options.shots = 4;
	options.method = SONDE_PATTERN_METHOD_DIRECT;
	double *direct = shots_on("cpu", 2, atoms, &options, &mean);
	const int64_t count = mean->count;
	sonde_pattern_result_free(&mean);
	options.method = SONDE_PATTERN_METHOD_FAST;
	for (int k = 0; k < 2; ++k) {
		if (k == 1 && strcmp(what, "detector") != 0 && !is_thorough())
			continue;
		options.tolerance = tolerances[k];
		options.shots = 4;
		double *four = shots_on(gpu(), 2, atoms, &options, &mean);
		assert_true(mean->largest_error < tolerances[k]);
		assert_true(mean->checked_points > 0);
		check_stacks(what, four, direct, 4 * count, squares, tolerances[k]);
		options.shots = 7;
		double *more = shots_on(gpu(), 3, atoms, &options, &other);
		assert_memory_equal(four, more, (size_t)(4 * count) * sizeof(double));
		assert_true(mean->largest_error == other->largest_error);
		sonde_pattern_result_free(&mean);
		sonde_pattern_result_free(&other);
		free(four);
		free(more);
	}
	free(direct);
}

static void test_shots_have_errors_below_the_tolerance(void **state)
{
	sonde_pattern_options flat = detector_options(), polar = pattern_options(0.5, 5.0, 20, 24),
			      moving = detector_options();
	sonde_atoms *atoms = crystal_and_gas();
	const double atom_count = (double)sonde_atoms_count(atoms);
	(void)state;

	polar.factors = SONDE_PATTERN_FACTORS_UNIT;
	strcpy(moving.displacement, "Co=0.05,O=0.08,Fe=0.03");
	check_shots("detector", atoms, flat, atom_count);
	check_shots("circles", atoms, polar, atom_count);
	/* amplitudes of at least exp(-q^2 u/2), with q up to 5.2 */
	check_shots("displaced", atoms, moving, atom_count * exp(-5.2 * 5.2 * 0.08));
	sonde_atoms_free(&atoms);
}

static void stop_early(const sonde_progress *progress, void *user)
{
	if (strcmp(progress->stage, "patterns") == 0 && progress->done > 0.0)
		sonde_context_cancel(user);
}

/* Counts are those of any number of threads, and those of a run that was stopped while the host added shots. */
static void test_counts_do_not_depend_on_threads_or_stops(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 3.0, 2, 1);
	sonde_atoms *atoms = small_sample();
	sonde_pattern_result *one, *other;
	char path[4096];
	(void)state;

	strcpy(options.detector, "1024,1024");
	options.distance = 100.0;
	options.pixel_size = 0.1;
	options.fluence = 3e16;
	options.method = SONDE_PATTERN_METHOD_FAST;
	options.tolerance = 1e-3;
	options.shots = 4;
	double *stack = shots_on(gpu(), 1, atoms, &options, &one);
	const size_t bytes = (size_t)one->count * sizeof(double);
	double *again = shots_on(gpu(), 3, atoms, &options, &other);
	assert_memory_equal(stack, again, 4 * bytes);
	assert_memory_equal(one->intensity, other->intensity, bytes);
	assert_memory_equal(one->standard_error, other->standard_error, bytes);
	free(again);
	sonde_pattern_result_free(&other);

	sonde_context *context = context_on(gpu(), 2);
	write_file(".cxi", "", path);
	sonde_context_set_progress(context, stop_early, context);
	assert_int_equal(sonde_pattern_run_shots(context, atoms, &options, path, 1, &other), SONDE_SUSPENDED);
	sonde_context_set_progress(context, NULL, NULL);
	sonde_context_reset(context);
	options.resume = 1;
	if (sonde_pattern_run_shots(context, atoms, &options, path, 1, &other) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	struct hdf5_reader *reader;
	int64_t count;
	assert_int_equal(hdf5_reader_open(&reader, path), SONDE_OK);
	assert_int_equal(hdf5_reader_reals(reader, "/entry_1/data_1/data", &again, &count), SONDE_OK);
	hdf5_reader_close(&reader);
	assert_memory_equal(stack, again, 4 * bytes);
	assert_memory_equal(one->intensity, other->intensity, bytes);
	assert_memory_equal(one->standard_error, other->standard_error, bytes);
	assert_int_equal(unlink(path), 0);
	free(stack);
	free(again);
	sonde_pattern_result_free(&one);
	sonde_pattern_result_free(&other);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

/* A mean over orientations, without a file. */
static void test_means_are_those_of_the_direct_sum(void **state)
{
	sonde_pattern_options options = detector_options();
	sonde_atoms *atoms = crystal_and_gas();
	sonde_pattern_result *results[2];
	double worst = 0.0;
	(void)state;

	strcpy(options.orientations, "random:5");
	for (int k = 0; k < 2; ++k) {
		sonde_context *context = context_on(k == 0 ? "cpu" : gpu(), 2);
		options.method = k == 0 ? SONDE_PATTERN_METHOD_DIRECT : SONDE_PATTERN_METHOD_FAST;
		options.tolerance = k == 0 ? 0.0 : 1e-7;
		if (sonde_pattern_run(context, atoms, &options, &results[k]) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		sonde_context_free(&context);
	}
	for (int64_t n = 0; n < results[0]->count; ++n) {
		worst = fmax(worst, fabs(results[1]->intensity[n] / results[0]->intensity[n] - 1.0));
		worst = fmax(worst, fabs(results[1]->standard_error[n] / results[0]->standard_error[n] - 1.0));
	}
	assert_true(worst < 1e-5);
	for (int k = 0; k < 2; ++k)
		sonde_pattern_result_free(&results[k]);
	sonde_atoms_free(&atoms);
}

static sonde_pattern_result *box_on(const char *device, const sonde_atoms *atoms,
				    const sonde_pattern_options *options)
{
	sonde_context *context = context_on(device, 2);
	sonde_pattern_result *result;

	if (sonde_pattern_run(context, atoms, options, &result) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	sonde_context_free(&context);
	return result;
}

static void check_box(const char *what, const sonde_atoms *atoms, sonde_pattern_options options)
{
	options.method = SONDE_PATTERN_METHOD_DIRECT;
	sonde_pattern_result *direct = box_on("cpu", atoms, &options);
	options.method = SONDE_PATTERN_METHOD_FAST;
	options.tolerance = 1e-6;
	sonde_pattern_result *fast = box_on(gpu(), atoms, &options);
	double worst = 0.0, largest = 0.0, mean = 0.0;

	for (int64_t n = 0; n < direct->count; ++n)
		mean += direct->intensity[n] / (double)direct->count;
	for (int64_t n = 0; n < direct->count; ++n) {
		largest = fmax(largest, fabs(sqrt(fast->intensity[n]) - sqrt(direct->intensity[n])) / sqrt(mean));
		if (options.amplitude)
			worst = fmax(
			    worst, hypot(fast->real[n] - direct->real[n], fast->imaginary[n] - direct->imaginary[n]) /
				       sqrt(mean));
	}
	print_message("%s: %.1e in sqrt(I), %.1e in F, %.1e at some points\n", what, largest, worst,
		      fast->largest_error);
	assert_true(largest < 1e-6 && worst < 1e-6 && fast->largest_error < 1e-6);
	assert_true(fast->checked_points > 0);
	sonde_pattern_result_free(&direct);
	sonde_pattern_result_free(&fast);
}

/* Enough points for tables of amplitudes. */
static void test_volumes_are_those_of_the_direct_sum(void **state)
{
	sonde_pattern_options options = pattern_options(0.0, 1.0, 2, 1);
	sonde_atoms *atoms = crystal_and_gas();
	(void)state;

	options.wavelength = 0.0;
	options.h = (sonde_grid){-2.0, 2.0, 37};
	options.k = (sonde_grid){0.0, 1.0, 30};
	options.l = (sonde_grid){1.0, 4.0, 21};
	options.u = (sonde_vector){1.0, 0.1, 0.0};
	options.v = (sonde_vector){-0.2, 1.1, 0.0};
	options.w = (sonde_vector){0.3, 0.1, 0.9};
	check_box("volume", atoms, options);
	options.amplitude = 1;
	strcpy(options.displacement, "Co=0.05,O=0.08,Fe=0.03");
	check_box("displaced", atoms, options);
	options.k = (sonde_grid){0.5, 0.5, 1};
	options.h.points = 1100;
	check_box("plane", atoms, options);
	options.radiation = SONDE_PATTERN_RADIATION_NEUTRON;
	options.l.points = 22;
	check_box("neutrons", atoms, options);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_shots_have_errors_below_the_tolerance),
	    cmocka_unit_test(test_counts_do_not_depend_on_threads_or_stops),
	    cmocka_unit_test(test_means_are_those_of_the_direct_sum),
	    cmocka_unit_test(test_volumes_are_those_of_the_direct_sum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
