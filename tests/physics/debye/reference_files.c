/* Samples compared with tests/data: fcc gold and CoO, X-rays and neutrons, every method; the pair distribution
 * function. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO

/* Runs on every `stride`-th q of the file and checks all its columns. */
static void check_file(const char *what, const sonde_atoms *atoms, const char *file, sonde_debye_options options,
		       int64_t stride, double tolerance, double absurd)
{
	struct table table = read_table(file);
	int64_t points = (table.rows - 1) / stride + 1;
	double *truth = malloc((size_t)points * sizeof *truth);

	assert_non_null(truth);
	assert_int_equal(table.columns, 6);
	options.q = (sonde_grid){table_cell(&table, 0, 0), table_cell(&table, (points - 1) * stride, 0), points};
	sonde_debye_result *result = run_on(2, atoms, &options);
	for (int64_t k = 0; k < points; ++k) {
		int64_t row = k * stride;
		double f2 = table_cell(&table, row, 3), mean2 = table_cell(&table, row, 4),
		       s = table_cell(&table, row, 5);
		truth[k] = table_cell(&table, row, 2);
		assert_within(result->q[k], table_cell(&table, row, 0), 1e-14 * result->q[k], "result q");
		assert_close(result->mean_square_amplitude[k], f2, 2e-12, "mean square amplitude");
		assert_close(result->square_mean_amplitude[k], mean2, 2e-12, "square mean amplitude");
		/* S inherits the error of I/N, over <f>^2; the column has 12 decimals */
		double allowed = tolerance * (f2 + truth[k]) / mean2 + 2e-12 * fmax(1.0, fabs(s));
		assert_within(result->structure_factor[k], s, allowed, "structure factor");
		assert_within(result->reduced_structure_factor[k], result->q[k] * (s - 1.0), result->q[k] * allowed,
			      "reduced structure factor");
		assert_within(result->intensity[k], table_cell(&table, row, 1),
			      tolerance * (f2 + truth[k]) * (double)result->atom_count, "intensity");
	}
	check_intensity(what, result, truth, tolerance, absurd);
	sonde_debye_result_free(&result);
	free(truth);
	free_table(&table);
}

static void test_gold_agrees_with_the_files(void **state)
{
	sonde_atoms *atoms = read_sample("Au_fcc_1k.xyz");
	(void)state;

	check_count(atoms, 959);
	check_file("Au 959, exact", atoms, "Au_fcc_1k.wk.dat", options_of(EXACT, AUTO, 0, 1, 2), 1, 1e-11, 1e-10);
	check_file("Au 959, histogram", atoms, "Au_fcc_1k.wk.dat", options_of(HISTOGRAM, AUTO, 0, 1, 2), 1, 1e-6,
		   1e-6);
	check_file("Au 959, reference", atoms, "Au_fcc_1k.wk.dat", options_of(REFERENCE, AUTO, 0, 1, 2), 37, 1e-11,
		   1e-11);
	check_file("Au 959, unit, exact", atoms, "Au_fcc_1k.unit.dat", options_of(EXACT, UNIT, 0, 1, 2), 1, 1e-11,
		   1e-10);
	check_file("Au 959, unit, histogram", atoms, "Au_fcc_1k.unit.dat", options_of(HISTOGRAM, UNIT, 0, 1, 2), 1,
		   1e-6, 1e-6);
	sonde_atoms_free(&atoms);
}

/* Exact sums at half of the q of the file are made by windows of distances, those at few by themselves: for neutrons, which have the
 * same sums over pairs and other factors. */
static void test_cobalt_oxide_agrees_with_the_files(void **state)
{
	sonde_atoms *atoms = read_sample("CoO_R40.xyz.gz");
	(void)state;

	check_count(atoms, 27633);
	check_file("CoO 27,633, exact", atoms, "CoO_R40.wk.dat", options_of(EXACT, AUTO, 0, 1, 2), 2, 1e-11, 1e-9);
	check_file("CoO 27,633, histogram", atoms, "CoO_R40.wk.dat", options_of(HISTOGRAM, AUTO, 0, 1, 2), 1, 1e-6,
		   1e-6);
	sonde_atoms_free(&atoms);
}

static void test_neutrons_agree_with_the_files(void **state)
{
	sonde_atoms *atoms = read_sample("CoO_R40.xyz.gz");
	sonde_debye_options options = options_of(EXACT, AUTO, 0, 1, 2);
	(void)state;

	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	check_file("CoO 27,633, neutrons, exact", atoms, "CoO_R40.neutron.dat", options, is_thorough() ? 5 : 40,
		   1e-11, 1e-9);
	options.method = HISTOGRAM;
	check_file("CoO 27,633, neutrons, histogram", atoms, "CoO_R40.neutron.dat", options, 1, 1e-6, 1e-6);
	sonde_atoms_free(&atoms);
}

/* Another program's curve: DebyeCalculator's in float64, times two; rows of q and I. */
static void check_peer(const char *what, const char *sample, const char *file, int64_t count)
{
	struct table table = read_table(file);
	sonde_atoms *atoms = read_sample(sample);
	double *truth = malloc((size_t)table.rows * sizeof *truth);

	assert_non_null(truth);
	check_count(atoms, count);
	assert_int_equal(table.columns, 2);
	for (int64_t k = 0; k < table.rows; ++k)
		truth[k] = table_cell(&table, k, 1) / (double)count;
	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_result *result =
		    run_simply(atoms, method, SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL, table_cell(&table, 0, 0),
			       table_cell(&table, table.rows - 1, 0), table.rows);
		double error = largest_error(result, truth);
		print_message("%s, method %d: %.1e from DebyeCalculator\n", what, method, error);
		assert_true(error <= (method == EXACT ? 1e-12 : 1e-6));
		sonde_debye_result_free(&result);
	}
	free(truth);
	sonde_atoms_free(&atoms);
	free_table(&table);
}

static void test_other_programs_agree(void **state)
{
	(void)state;
	check_peer("Au 959", "Au_fcc_1k.xyz", "peers/debyecalculator_Au_fcc_1k.dat", 959);
	check_peer("C60", "C60.xyz", "peers/debyecalculator_C60.dat", 60);
}

/* The sphere that Sonde builds is that of the file. */
static void test_built_sphere_is_that_of_the_file(void **state)
{
	sonde_atoms *read = read_sample("CoO_R40.xyz.gz");
	sonde_atoms *built = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 40.0);
	sonde_debye_result *a = run_simply(read, HISTOGRAM, AUTO, 0.1, 20.0, 200);
	sonde_debye_result *b = run_simply(built, HISTOGRAM, AUTO, 0.1, 20.0, 200);
	(void)state;

	check_count(built, 27633);
	check_against("CoO 27,633, built", b, a, 1e-6, 1e-6);
	sonde_debye_result_free(&a);
	sonde_debye_result_free(&b);
	sonde_atoms_free(&read);
	sonde_atoms_free(&built);
}

/* G(r) of the files' S over its own grid. */
static void test_pair_distribution_is_that_of_the_files(void **state)
{
	struct table table = read_table("Au_fcc_1k.wk.Gr.dat");
	sonde_atoms *atoms = read_sample("Au_fcc_1k.xyz");
	(void)state;

	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_options options = options_of(method, AUTO, 0.1, 20.08, 1000);
		options.r = (sonde_grid){0.5, 30.0, 2951};
		sonde_debye_result *result = run(atoms, &options);
		double largest = 0.0, peak = 0.0;
		assert_int_equal(result->r_count, table.rows);
		for (int64_t k = 0; k < table.rows; ++k) {
			assert_within(result->r[k], table_cell(&table, k, 0), 1e-12, "result r");
			largest = fmax(largest, fabs(result->pair_distribution[k] - table_cell(&table, k, 1)));
			peak = fmax(peak, fabs(table_cell(&table, k, 1)));
		}
		print_message("G(r) of Au 959, method %d: error %.1e of a peak of %.3g\n", method, largest, peak);
		assert_true(largest <= (method == EXACT ? 1e-10 : 1e-6) * peak);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
	free_table(&table);
}

static double window_of(int window, double q, double last)
{
	double x = PI * q / last;

	return window == SONDE_DEBYE_WINDOW_LORCH && x != 0.0 ? sin(x) / x : 1.0;
}

/* Lorch's window and Qdamp, by the trapezoid rule over the result's own S; also from q = 0. */
static void test_windows_are_as_the_trapezoid_rule_has_them(void **state)
{
	static const double firsts[] = {0.0, 0.1}, damping[] = {0.0, 0.05};
	sonde_atoms *atoms = read_sample("C60.xyz");
	(void)state;

	for (int variant = 0; variant < 8; ++variant) {
		sonde_debye_options options = options_of(EXACT, AUTO, firsts[variant & 1], 25.0, 498);
		options.window = variant & 2 ? SONDE_DEBYE_WINDOW_LORCH : SONDE_DEBYE_WINDOW_NONE;
		options.qdamp = damping[variant >> 2];
		options.r = (sonde_grid){0.0, 15.0, 301};
		sonde_debye_result *result = run(atoms, &options);
		double step = (25.0 - firsts[variant & 1]) / 497.0, largest = 0.0, peak = 0.0;
		for (int64_t i = 0; i < 301; ++i) {
			double r = 15.0 * (double)i / 300.0, g = 0.0;
			for (int64_t k = 0; k < 498; ++k) {
				double end = k == 0 || k == 497 ? 0.5 : 1.0, q = result->q[k];
				g += end * step * q * (result->structure_factor[k] - 1.0) * sin(q * r) *
				     window_of(options.window, q, 25.0);
			}
			g *= 2.0 / PI * exp(-0.5 * (r * options.qdamp) * (r * options.qdamp));
			largest = fmax(largest, fabs(result->pair_distribution[i] - g));
			peak = fmax(peak, fabs(g));
		}
		assert_true(peak > 1.0 && largest <= 1e-12 * peak);
		assert_true(result->pair_distribution[0] == 0.0);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_gold_agrees_with_the_files),
	    cmocka_unit_test(test_cobalt_oxide_agrees_with_the_files),
	    cmocka_unit_test(test_neutrons_agree_with_the_files),
	    cmocka_unit_test(test_built_sphere_is_that_of_the_file),
	    cmocka_unit_test(test_pair_distribution_is_that_of_the_files),
	    cmocka_unit_test(test_windows_are_as_the_trapezoid_rule_has_them),
	    cmocka_unit_test(test_other_programs_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
