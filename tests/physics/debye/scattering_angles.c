/* Points that are uniform in the scattering angle, and lists of points: the same sums as at single points of q, by every
 * method. */
#include "physics/physics.h"

#include <unistd.h>

#define WAVELENGTH 1.5406
#define POINTS 37

static sonde_debye_options by_angle(int method, double first, double last)
{
	sonde_debye_options options;

	sonde_debye_options_init(&options);
	options.method = method;
	options.two_theta = (sonde_grid){first, last, POINTS};
	options.wavelength = WAVELENGTH;
	options.r = (sonde_grid){1.0, 10.0, 10};
	snprintf(options.displacement, sizeof options.displacement, "Co=0.004,O=0.009");
	return options;
}

/* Disordered cobalt oxide, with sites that exclude each other and vacancies. */
static sonde_atoms *make_sample(void)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 7.0);
	sonde_atoms *atoms = displace(crystal, 0.05, 8);
	int64_t count = sonde_atoms_count(atoms);
	double *occupancies = calloc((size_t)count + 2, sizeof *occupancies);

	assert_non_null(occupancies);
	add_atom(atoms, "Co", 20, 0, 0);
	add_atom(atoms, "O", 20, 0.3, 0);
	for (int64_t i = 0; i < count + 2; ++i)
		occupancies[i] = i >= count ? 0.5 : i % 3 == 0 ? 0.75 : 1.0;
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	free(occupancies);
	sonde_atoms_free(&crystal);
	return atoms;
}

static void test_points_are_those_of_single_runs(void **state)
{
	sonde_atoms *atoms = make_sample();
	(void)state;

	for (int method = SONDE_DEBYE_METHOD_EXACT; method <= SONDE_DEBYE_METHOD_REFERENCE; ++method) {
		sonde_debye_options options = by_angle(method, 5.0, 150.0);
		options.bin_width = 1.0 / 1024; /* of both runs */
		sonde_debye_result *all = run(atoms, &options);
		for (int64_t k = 0; k < POINTS; k += 9) {
			double angle = 5.0 + 145.0 * (double)k / (POINTS - 1);
			assert_close(all->two_theta[k], angle, 1e-15, "angle");
			assert_close(all->q[k], 4.0 * PI * sin(0.5 * angle * PI / 180.0) / WAVELENGTH, 1e-15, "q");
			sonde_debye_options one = options;
			one.two_theta = (sonde_grid){0.0, 0.0, 1};
			one.wavelength = 0.0;
			one.q = (sonde_grid){all->q[k], all->q[k], 1};
			sonde_debye_result *single = run(atoms, &one);
			assert_close(all->intensity[k], single->intensity[0], 1e-14, "I");
			for (int p = 0; p < 3; ++p)
				assert_within(all->partial_structure_factor[p * POINTS + k],
					      single->partial_structure_factor[p],
					      1e-14 * (1.0 + fabs(single->partial_structure_factor[p])), "S_ab");
			sonde_debye_result_free(&single);
		}
		sonde_debye_result_free(&all);
	}
	sonde_atoms_free(&atoms);
}

static void test_methods_agree(void **state)
{
	sonde_atoms *atoms = make_sample();
	sonde_debye_options options = by_angle(SONDE_DEBYE_METHOD_REFERENCE, 0.0, 180.0);
	sonde_debye_result *reference = run(atoms, &options);
	(void)state;

	assert_true(reference->q[0] == 0.0);
	assert_close(reference->q[POINTS - 1], 4.0 * PI / WAVELENGTH, 1e-15, "backward");
	options.method = SONDE_DEBYE_METHOD_EXACT;
	sonde_debye_result *exact = run(atoms, &options);
	options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	sonde_debye_result *histogram = run_on(1, atoms, &options), *shared = run_on(3, atoms, &options);
	check_against("angles, exact", exact, reference, 1e-13, 1e-6);
	check_against("angles, histogram", histogram, reference, 1e-7, 1e-6);
	assert_true(exact->checked_points > 1 && histogram->checked_points > 1);
	assert_true(same_bits(histogram, shared));
	sonde_debye_result *results[] = {reference, exact, histogram, shared};
	for (int k = 0; k < 4; ++k)
		sonde_debye_result_free(&results[k]);
	sonde_atoms_free(&atoms);
}

/* G(r) by the trapezoidal rule, interval by interval. */
static void check_trapezoidal_rule(const sonde_debye_result *result)
{
	assert_true(result->r_count > 0);
	for (int64_t n = 0; n < result->r_count; ++n) {
		double sum = 0.0, size = 0.0, before = 0.0;
		for (int64_t k = 0; k < result->q_count; ++k) {
			double here = result->reduced_structure_factor[k] * sin(result->q[k] * result->r[n]);
			if (k > 0)
				sum += (here + before) / PI * (result->q[k] - result->q[k - 1]);
			size += fabs(here);
			before = here;
		}
		assert_within(result->pair_distribution[n], sum, 1e-13 * size, "G");
	}
}

static void test_distribution_is_the_trapezoidal_rule(void **state)
{
	sonde_atoms *atoms = make_sample();
	sonde_debye_options options = by_angle(SONDE_DEBYE_METHOD_EXACT, 2.0, 160.0);
	sonde_debye_result *result = run(atoms, &options);
	(void)state;

	check_trapezoidal_rule(result);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void test_files_have_the_angles(void **state)
{
	sonde_atoms *atoms = make_sample();
	sonde_debye_options options = by_angle(SONDE_DEBYE_METHOD_EXACT, 2.0, 160.0);
	sonde_debye_result *one = run(atoms, &options), *again;
	char path[64];
	(void)state;

	snprintf(path, sizeof path, "angles-%d.h5", (int)getpid());
	assert_int_equal(sonde_debye_result_write(one, path, 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(NULL, path, &again), SONDE_OK);
	unlink(path);
	assert_true(same_bits(one, again));
	assert_memory_equal(one->two_theta, again->two_theta, POINTS * sizeof(double));
	assert_memory_equal(one->q, again->q, POINTS * sizeof(double));
	/* options of a file describe a run */
	options = *again->options;
	sonde_debye_result *repeated = run(atoms, &options);
	assert_true(same_bits(one, repeated));
	sonde_debye_result_free(&one);
	sonde_debye_result_free(&again);
	sonde_debye_result_free(&repeated);
	sonde_atoms_free(&atoms);
}

#define LOGARITHMIC 12
#define LINEAR 1500

/* A logarithmic part for small angles and a linear one: each point has the sums of a run of its own, and uniform points
 * those of a grid. */
static void test_lists_join_parts(void **state)
{
	sonde_atoms *atoms = make_sample();
	(void)state;

	for (int method = SONDE_DEBYE_METHOD_EXACT; method <= SONDE_DEBYE_METHOD_HISTOGRAM; ++method) {
		sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_AUTO, 0.1, 20.0, LINEAR);
		options.bin_width = method == SONDE_DEBYE_METHOD_HISTOGRAM ? 1.0 / 1024 : 0.0;
		options.r = (sonde_grid){1.0, 10.0, 5};
		sonde_debye_result *grid = run(atoms, &options);
		sonde_debye_options_init(&options);
		options.method = method;
		options.bin_width = grid->bin_width;
		options.r = (sonde_grid){1.0, 10.0, 5};
		strcpy(options.q_list, "log:1e-3:0.1:12+lin:0.1:20:1500");
		sonde_debye_result *list = run(atoms, &options), *shared = run_on(3, atoms, &options);
		assert_int_equal(list->q_count, LOGARITHMIC + LINEAR - 1);
		assert_true(same_bits(list, shared) && list->q[0] == 1e-3 && list->q[LOGARITHMIC - 1] == 0.1);
		for (int k = 0; k < LOGARITHMIC; ++k)
			assert_close(list->q[k], 1e-3 * pow(100.0, k / 11.0), 1e-14, "q");
		for (int k = 0; k < LINEAR; ++k) {
			assert_true(list->q[LOGARITHMIC - 1 + k] == grid->q[k]);
			assert_close(list->intensity[LOGARITHMIC - 1 + k], grid->intensity[k], 1e-11, "I");
		}
		check_trapezoidal_rule(list);
		for (int k = 0; k < LOGARITHMIC; k += 5) {
			sonde_debye_options one = options;
			one.q_list[0] = '\0';
			one.q = (sonde_grid){list->q[k], list->q[k], 1};
			sonde_debye_result *single = run(atoms, &one);
			assert_close(list->intensity[k], single->intensity[0], 1e-13, "I");
			sonde_debye_result_free(&single);
		}
		/* options of a result describe a run */
		options = *list->options;
		sonde_debye_result *repeated = run(atoms, &options);
		assert_true(same_bits(list, repeated));
		sonde_debye_result *results[] = {grid, list, shared, repeated};
		for (int k = 0; k < 4; ++k)
			sonde_debye_result_free(&results[k]);
	}
	sonde_atoms_free(&atoms);
}

/* Points with the axes of instruments: angles, and q in 1/nm. */
static void test_lists_are_files(void **state)
{
	sonde_atoms *atoms = make_sample();
	sonde_debye_options options = by_angle(SONDE_DEBYE_METHOD_EXACT, 5.0, 150.0);
	sonde_debye_result *truth = run(atoms, &options);
	char path[64];
	(void)state;

	options.two_theta = (sonde_grid){0.0, 0.0, 1};
	for (int nanometers = 0; nanometers < 2; ++nanometers) {
		snprintf(path, sizeof path, "points-%d.dat", (int)getpid());
		FILE *file = fopen(path, "w");
		assert_non_null(file);
		fputs(nanometers ? "# wavelength 0.15406\n# q_nm^-1  I\n" : "# 2th_deg  I  sigma\n", file);
		for (int64_t k = 0; k < POINTS; ++k)
			fprintf(file, nanometers ? "%.17g 1\n" : "%.17g 1 0.5\n",
				nanometers ? 10.0 * truth->q[k] : truth->two_theta[k]);
		fclose(file);
		snprintf(options.q_list, sizeof options.q_list, "%s", path);
		sonde_debye_result *list = run(atoms, &options);
		unlink(path);
		assert_int_equal(list->q_count, POINTS);
		assert_int_equal(list->options->file_axis,
				 nanometers ? SONDE_DEBYE_FILE_AXIS_Q_NM : SONDE_DEBYE_FILE_AXIS_TWO_THETA);
		assert_true((list->two_theta == NULL) == (nanometers == 1));
		for (int64_t k = 0; k < POINTS; ++k) {
			assert_close(list->q[k], truth->q[k], 4e-16, "q");
			assert_close(list->intensity[k], truth->intensity[k], 1e-12, "I");
		}
		sonde_debye_result_free(&list);
	}
	sonde_debye_result_free(&truth);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_points_are_those_of_single_runs),
	    cmocka_unit_test(test_methods_agree),
	    cmocka_unit_test(test_distribution_is_the_trapezoidal_rule),
	    cmocka_unit_test(test_files_have_the_angles),
	    cmocka_unit_test(test_lists_join_parts),
	    cmocka_unit_test(test_lists_are_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
