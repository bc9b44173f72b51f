/* Patterns: a reference file, Laue's function, sums by other code, symmetries, files. */
#include "physics/pattern/pictures.h"

static void test_c60_agrees_with_the_file(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 7.0, 128, 128, 0.5);
	sonde_atoms *atoms = read_sample("C60.xyz");
	FILE *file = fopen(TEST_DATA "/C60_pattern_polar.dat", "r");
	double *truth = calloc(128 * 128, sizeof *truth), largest = 0.0;
	(void)state;

	assert_non_null(file);
	assert_non_null(truth);
	for (int n = 0; n < 128 * 128; ++n) {
		assert_int_equal(fscanf(file, "%lf", &truth[n]), 1);
		largest = fmax(largest, truth[n]);
	}
	(void)fclose(file);
	for (int precision = 0; precision < 2; ++precision) {
		double error = 0.0;
		options.precision = precision;
		sonde_pattern_result *result = pattern(atoms, &options);
		assert_int_equal(result->sizes[0], 128);
		assert_int_equal(result->sizes[1], 128);
		for (int n = 0; n < 128 * 128; ++n)
			error = fmax(error, fabs(result->intensity[n] - truth[n]) / largest);
		print_message("C60 on the Ewald sphere, %s: %.1e of the maximum\n",
			      precision == 0 ? "float64" : "float32", error);
		/* the file has 11 digits */
		assert_true(error < (precision == 0 ? 2e-11 : 2e-6));
		assert_true(result->largest_error < (precision == 0 ? 1e-13 : 1e-5));
		sonde_pattern_result_free(&result);
	}
	free(truth);
	sonde_atoms_free(&atoms);
}

/* |F|^2 of a lattice of n^3 points is the product of sin^2(n q a/2)/sin^2(q a/2) for x, y, and z. */
static void test_a_lattice_has_laues_function(void **state)
{
	struct table table = read_table("laue_sc40_a2.81.csv");
	sonde_pattern_options options = pattern_options(0.1, 1.0, 2, 1, 0.0);
	sonde_atoms *atoms = empty_sample();
	double *vectors = calloc(3 * (size_t)table.rows, sizeof *vectors), worst = 0.0;
	(void)state;

	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	assert_non_null(vectors);
	for (int i = 0; i < 40; ++i)
		for (int j = 0; j < 40; ++j)
			for (int k = 0; k < 40; ++k)
				add_atom(atoms, "C", 2.81 * i, 2.81 * j, 2.81 * k);
	for (int64_t row = 0; row < table.rows; ++row)
		for (int k = 0; k < 3; ++k)
			vectors[3 * row + k] = table_cell(&table, row, k);
	sonde_pattern_result *result = pattern_at(atoms, vectors, table.rows, &options);
	for (int64_t row = 0; row < table.rows; ++row)
		/* that of F, relative to sqrt(sum |f|^2), as far as the amplitude is the root of the intensity */
		worst = fmax(worst,
			     fabs(sqrt(result->intensity[row]) - sqrt(table_cell(&table, row, 3))) / sqrt(64000.0));
	print_message("40^3 lattice: F wrong by %.1e of sqrt(N)\n", worst);
	assert_true(worst < 1e-10);
	sonde_pattern_result_free(&result);
	sonde_atoms_free(&atoms);
	free(vectors);
	free_table(&table);
}

/* The plain sum with amplitudes 1. */
static void plain_sum(const sonde_atoms *atoms, const double q[3], long double *real, long double *imaginary)
{
	const double *r = sonde_atoms_positions(atoms);

	*real = *imaginary = 0.0L;
	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
		const long double phase = (long double)q[0] * r[3 * i] + (long double)q[1] * r[3 * i + 1] +
					  (long double)q[2] * r[3 * i + 2];
		*real += cosl(phase);
		*imaginary += sinl(phase);
	}
}

static void test_random_atoms_agree_with_a_plain_sum(void **state)
{
	(void)state;
	for (int precision = 0; precision < 2; ++precision) {
		sonde_pattern_options options = pattern_options(0.3, 12.0, 9, 7, 0.7);
		sonde_atoms *atoms = random_ball(3000, 60.0, 5);
		double worst = 0.0;
		options.factors = SONDE_PATTERN_FACTORS_UNIT;
		options.amplitude = 1;
		options.precision = precision;
		sonde_pattern_result *result = pattern(atoms, &options);
		for (int64_t n = 0; n < result->count; ++n) {
			long double real, imaginary;
			double q[3];
			sonde_pattern_vector(result, n, q);
			plain_sum(atoms, q, &real, &imaginary);
			worst = fmax(worst,
				     hypot(result->real[n] - (double)real, result->imaginary[n] - (double)imaginary) /
					 sqrt(3000.0));
			assert_close(result->intensity[n],
				     result->real[n] * result->real[n] + result->imaginary[n] * result->imaginary[n],
				     1e-12, "I");
			assert_close(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), result->axes[0][n / 7], 1e-14,
				     "q");
			/* elastic: |k + q| = |k| */
			const double k = 2.0 * PI / 0.7;
			assert_close(sqrt(q[0] * q[0] + q[1] * q[1] + (q[2] - k) * (q[2] - k)), k, 1e-14, "k");
		}
		print_message("3000 random atoms, %s: F wrong by %.1e, estimate %.1e\n",
			      precision == 0 ? "float64" : "float32", worst, result->largest_error);
		assert_true(worst < (precision == 0 ? 1e-13 : 5e-5));
		assert_true(result->largest_error >= 0.5 * worst); /* of 63 points, all are checked */
		sonde_pattern_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

static void test_a_plane_has_friedels_symmetry(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 9.0, 12, 16, 1e-9);
	sonde_atoms *atoms = random_ball(200, 12.0, 8);
	double here = 0.0, sphere = 0.0;
	(void)state;

	for (int short_wave = 1; short_wave >= 0; --short_wave) {
		options.wavelength = short_wave ? 1e-9 : 0.5;
		sonde_pattern_result *result = pattern(atoms, &options);
		double *difference = short_wave ? &here : &sphere;
		for (int64_t k = 0; k < 12; ++k)
			for (int64_t m = 0; m < 8; ++m)
				*difference = fmax(
				    *difference,
				    fabs(result->intensity[16 * k + m] / result->intensity[16 * k + m + 8] - 1.0));
		sonde_pattern_result_free(&result);
	}
	assert_true(here < 1e-5);
	assert_true(sphere > 0.1);
	sonde_atoms_free(&atoms);
}

static void test_turning_the_sample_turns_the_picture(void **state)
{
	const double angle = 2.0 * PI * 3.0 / 16.0, c = cos(angle), s = sin(angle);
	const double matrix[3][3] = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}, shift[3] = {3.0, -40.0, 7.5};
	sonde_pattern_options options = pattern_options(0.5, 9.0, 6, 16, 0.9);
	sonde_atoms *atoms = random_ball(500, 20.0, 3), *turned = move(atoms, matrix, shift);
	sonde_pattern_result *result = pattern(atoms, &options), *other = pattern(turned, &options);
	(void)state;

	for (int64_t k = 0; k < 6; ++k)
		for (int64_t m = 0; m < 16; ++m)
			assert_within(other->intensity[16 * k + (m + 3) % 16], result->intensity[16 * k + m],
				      1e-9 * 500.0 * 26.0 * 26.0, "I");
	sonde_pattern_result_free(&result);
	sonde_pattern_result_free(&other);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&turned);
}

static void test_miller_indices_are_those_of_the_cell(void **state)
{
	static const double cell[9] = {4.0, 0.0, 0.0, 1.0, 5.0, 0.0, -0.7, 0.4, 3.0};
	static const int periodic[3] = {1, 1, 1};
	sonde_pattern_options options;
	sonde_atoms *atoms = empty_sample();
	(void)state;

	for (int n = 0; n < 125; ++n) {
		const int i = n % 5, j = n / 5 % 5, k = n / 25;
		add_atom(atoms, "C", cell[0] * i + cell[3] * j + cell[6] * k, cell[4] * j + cell[7] * k, cell[8] * k);
	}
	assert_int_equal(sonde_atoms_set_cell(atoms, cell, periodic), SONDE_OK);
	sonde_pattern_options_init(&options);
	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	options.h = (sonde_grid){-2.0, 2.0, 41};
	options.k = (sonde_grid){-1.0, 1.0, 21};
	options.l = (sonde_grid){0.0, 1.0, 3};
	sonde_pattern_result *result = pattern(atoms, &options);
	assert_int_equal(result->geometry, SONDE_PATTERN_BOX);
	assert_true(result->axis_count == 3 && result->sizes[0] == 3 && result->sizes[1] == 21 &&
		    result->sizes[2] == 41);
	for (int64_t n = 0; n < result->count; ++n) {
		double q[3], product = 1.0;
		sonde_pattern_vector(result, n, q);
		const double indices[3] = {result->axes[2][n % 41], result->axes[1][n / 41 % 21],
					   result->axes[0][n / 41 / 21]};
		for (int k = 0; k < 3; ++k) {
			/* q.a = 2 pi h */
			assert_within(q[0] * cell[3 * k] + q[1] * cell[3 * k + 1] + q[2] * cell[3 * k + 2],
				      2.0 * PI * indices[k], 1e-12, "q.a");
			const double s = sin(PI * indices[k]);
			product *=
			    fabs(s) < 1e-9 ? 25.0 : sin(5.0 * PI * indices[k]) * sin(5.0 * PI * indices[k]) / (s * s);
		}
		assert_within(result->intensity[n], product, 1e-8, "Laue's function");
	}
	sonde_pattern_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* A pixel sees the direction in which it lies, with the wave number of the beam. */
static void test_a_detector_sees_the_sphere(void **state)
{
	sonde_pattern_options options;
	sonde_atoms *atoms = read_sample("C60.xyz");
	const double wave = 2.0 * PI / 0.7;
	(void)state;

	sonde_pattern_options_init(&options);
	options.wavelength = 0.7;
	options.distance = 50.0;
	options.pixel_size = 2.0;
	strcpy(options.detector, "31,21");
	strcpy(options.beam_center, "3,10.5");
	sonde_pattern_result *result = pattern(atoms, &options);
	assert_int_equal(result->geometry, SONDE_PATTERN_DETECTOR);
	assert_true(result->axis_count == 2 && result->sizes[0] == 21 && result->sizes[1] == 31);
	for (int64_t n = 0; n < result->count; ++n) {
		const double x = 2.0 * ((double)(n % 31) - 3.0), y = 2.0 * ((double)(n / 31) - 10.5),
			     far = sqrt(x * x + y * y + 2500.0);
		double q[3];
		sonde_pattern_vector(result, n, q);
		assert_within(q[0], wave * x / far, 1e-13, "qx");
		assert_within(q[1], wave * y / far, 1e-13, "qy");
		assert_within(q[2], wave * (1.0 - 50.0 / far), 1e-13, "qz");
	}
	/* at the place of a point of the polar picture, its intensity */
	sonde_pattern_options polar = pattern_options(1.0, 3.0, 2, 1, 0.7);
	sonde_pattern_result *circle = pattern(atoms, &polar);
	const double angle = 2.0 * asin(3.0 * 0.7 / (4.0 * PI));
	strcpy(options.detector, "1,1");
	snprintf(options.beam_center, sizeof options.beam_center, "%.17g,0", -25.0 * tan(angle));
	sonde_pattern_result *pixel = pattern(atoms, &options);
	assert_close(pixel->intensity[0], circle->intensity[1], 1e-10, "I");
	sonde_pattern_result_free(&pixel);
	sonde_pattern_result_free(&circle);
	sonde_pattern_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void test_results_do_not_depend_on_threads(void **state)
{
	/* pixels for several pieces, atoms for several segments; and few pixels, for which segments are shared */
	static const int64_t points[] = {40, 1}, azimuths[] = {64, 3};
	(void)state;

	for (int k = 0; k < 2; ++k)
		for (int precision = 0; precision < 2; ++precision) {
			sonde_pattern_options options =
			    pattern_options(k == 0 ? 0.5 : 9.0, 9.0, points[k], azimuths[k], 0.9);
			sonde_atoms *atoms = random_ball(40000, 50.0, 3);
			options.precision = precision;
			sonde_pattern_result *one = pattern_on(1, atoms, &options);
			for (int threads = 2; threads <= 3; ++threads) {
				sonde_pattern_result *result = pattern_on(threads, atoms, &options);
				assert_memory_equal(one->intensity, result->intensity,
						    (size_t)one->count * sizeof(double));
				sonde_pattern_result_free(&result);
			}
			sonde_pattern_result_free(&one);
			sonde_atoms_free(&atoms);
		}
}

static void check_file(const char *path, const sonde_pattern_result *result)
{
	const size_t bytes = (size_t)result->count * sizeof(double);
	sonde_pattern_result *read;

	assert_int_equal(sonde_pattern_result_write(result, path, 0), SONDE_OK);
	if (sonde_pattern_result_read(NULL, path, &read) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(unlink(path), 0);
	assert_int_equal(read->geometry, result->geometry);
	assert_int_equal(read->count, result->count);
	assert_int_equal(read->axis_count, result->axis_count);
	for (int axis = 0; axis < result->axis_count; ++axis) {
		assert_int_equal(read->sizes[axis], result->sizes[axis]);
		assert_memory_equal(read->axes[axis], result->axes[axis],
				    (size_t)result->sizes[axis] * sizeof(double));
	}
	assert_memory_equal(read->intensity, result->intensity, bytes);
	assert_memory_equal(read->real, result->real, bytes);
	assert_memory_equal(read->imaginary, result->imaginary, bytes);
	assert_true(read->atom_count == 60 && read->largest_error == result->largest_error);
	for (int64_t n = 0; n < result->count; ++n) {
		double here[3], there[3];
		sonde_pattern_vector(result, n, here);
		sonde_pattern_vector(read, n, there);
		assert_memory_equal(here, there, sizeof here);
	}
	sonde_pattern_result_free(&read);
}

static void test_a_file_returns_the_result(void **state)
{
	static const double vectors[] = {1.0, 2.0, 3.0, -1.5, 0.25, 0.0};
	sonde_atoms *atoms = read_sample("C60.xyz");
	const char *folder = getenv("TMPDIR");
	char path[4096];
	(void)state;

	snprintf(path, sizeof path, "%s/sonde-pattern-%ld.h5", folder != NULL ? folder : "/tmp", (long)getpid());
	for (int geometry = 0; geometry < 4; ++geometry) {
		sonde_pattern_options options = pattern_options(0.5, 9.0, 5, 8, 0.9);
		sonde_pattern_result *result;
		options.amplitude = 1;
		options.distance = 10.0;
		if (geometry == SONDE_PATTERN_DETECTOR)
			strcpy(options.detector, "5,3");
		if (geometry == SONDE_PATTERN_BOX) {
			options.h = (sonde_grid){-1.0, 2.0, 4};
			options.u = (sonde_vector){1.0, 0.5, 0.0};
		}
		if (geometry == SONDE_PATTERN_LIST)
			result = pattern_at(atoms, vectors, 2, &options);
		else
			result = pattern(atoms, &options);
		assert_int_equal(result->geometry, geometry);
		check_file(path, result);
		sonde_pattern_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_c60_agrees_with_the_file),
	    cmocka_unit_test(test_a_lattice_has_laues_function),
	    cmocka_unit_test(test_random_atoms_agree_with_a_plain_sum),
	    cmocka_unit_test(test_a_plane_has_friedels_symmetry),
	    cmocka_unit_test(test_turning_the_sample_turns_the_picture),
	    cmocka_unit_test(test_miller_indices_are_those_of_the_cell),
	    cmocka_unit_test(test_a_detector_sees_the_sphere),
	    cmocka_unit_test(test_results_do_not_depend_on_threads),
	    cmocka_unit_test(test_a_file_returns_the_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
