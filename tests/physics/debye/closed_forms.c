/* Few atoms, whose pattern has a closed form: one, two, coincident, complex, isotopes. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE

static const int methods[] = {EXACT, HISTOGRAM, REFERENCE};
static const char *const method_names[] = {"auto", "exact", "histogram", "reference"};

/* The histogram knows distances to 2^-21 of a bin, about 5e-10 Angstrom at q = 20. */
static double tolerance_of(int method)
{
	return method == HISTOGRAM ? 2e-9 : 1e-13;
}

static double sinc(double x)
{
	return x == 0.0 ? 1.0 : sin(x) / x;
}

static const char *title(const char *what, int method)
{
	static char text[96];

	snprintf(text, sizeof text, "%s, %s", what, method_names[method]);
	return text;
}

static void test_one_atom_scatters_its_amplitude_squared(void **state)
{
	struct table table = read_table("Au2.wk.dat");
	(void)state;

	for (int m = 0; m < 3; ++m) {
		sonde_atoms *atoms = empty_sample();
		add_atom(atoms, "Au", 1.25, -3.5, 1e5);
		sonde_debye_result *result =
		    run_simply(atoms, methods[m], SONDE_DEBYE_FACTORS_AUTO, 0.1, 20.08, 1000);
		check_intensity(title("one atom", methods[m]), result, result->mean_square_amplitude, 1e-15, 2e-9);
		for (int64_t k = 0; k < result->q_count; ++k) {
			double f2 = table_cell(&table, k, 3);
			assert_close(result->intensity[k], f2, 1e-12, "intensity");
			assert_true(result->structure_factor[k] == 1.0);
		}
		assert_int_equal(result->pair_pairs[0], 0);
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
	free_table(&table);
}

static void test_two_atoms_scatter_by_the_closed_form(void **state)
{
	struct table table = read_table("Au2.wk.dat");
	sonde_atoms *atoms = read_sample("Au2.xyz");
	double truth[1000];
	(void)state;

	for (int m = 0; m < 3; ++m) {
		sonde_debye_result *result =
		    run_simply(atoms, methods[m], SONDE_DEBYE_FACTORS_AUTO, 0.1, 20.08, 1000);
		for (int64_t k = 0; k < 1000; ++k)
			truth[k] = result->mean_square_amplitude[k] * (1.0 + sinc(result->q[k] * 2.88));
		check_intensity(title("Au2, closed form", methods[m]), result, truth, tolerance_of(methods[m]), 1e-8);
		for (int64_t k = 0; k < 1000; ++k)
			truth[k] = table_cell(&table, k, 2);
		check_intensity(title("Au2, file", methods[m]), result, truth, tolerance_of(methods[m]), 1e-8);
		assert_int_equal(result->pair_pairs[0], 1);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
	free_table(&table);
}

/* Distances from nothing to thousands of Angstrom, on a grid that begins at q = 0. */
static void test_two_atoms_at_any_distance_scatter_by_the_closed_form(void **state)
{
	static const double distances[] = {0.0, 1e-300, 1e-12, 1e-9, 1e-6, 1e-3, 0.5, 3.0, 1e3, 1e4};
	double truth[501];
	(void)state;

	for (size_t d = 0; d < sizeof distances / sizeof *distances; ++d) {
		sonde_atoms *atoms = empty_sample();
		add_atom(atoms, "Au", 0.0, 0.0, 0.0);
		add_atom(atoms, "Au", 0.0, distances[d], 0.0);
		for (int m = 0; m < 3; ++m) {
			char what[64];
			sonde_debye_result *result =
			    run_simply(atoms, methods[m], SONDE_DEBYE_FACTORS_UNIT, 0.0, 25.0, 501);
			for (int64_t k = 0; k < 501; ++k)
				truth[k] = 1.0 + sinc(result->q[k] * distances[d]);
			snprintf(what, sizeof what, "two atoms %g A apart", distances[d]);
			check_intensity(title(what, methods[m]), result, truth, tolerance_of(methods[m]), 1e-8);
			assert_true(result->intensity[0] == 4.0);
			sonde_debye_result_free(&result);
		}
		sonde_atoms_free(&atoms);
	}
}

/* Three species in one point scatter like one atom of the sum of their amplitudes. */
static void test_coincident_atoms_scatter_as_one_of_the_sum(void **state)
{
	static const char *const labels[] = {"Au", "Co2+", "O", "Au", "O"};
	(void)state;

	for (int m = 0; m < 3; ++m) {
		sonde_atoms *atoms = empty_sample();
		for (int i = 0; i < 5; ++i)
			add_atom(atoms, labels[i], 7.1, -2.3, 1000.7);
		sonde_debye_result *result = run_simply(atoms, methods[m], SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, 201);
		double truth[201];
		for (int64_t k = 0; k < 201; ++k) {
			/* <f>^2 = |sum f/N|^2 */
			truth[k] = 5.0 * result->square_mean_amplitude[k];
			assert_true(isfinite(result->structure_factor[k]));
		}
		check_intensity(title("five atoms in one point", methods[m]), result, truth, 1e-14, 1e-8);
		/* Waasmaier and Kirfel's f(0) are 78.99, 25 (an ion) and 7.9994 to 0.03 */
		assert_within(result->intensity[0], 199.0 * 199.0, 0.1 * 2.0 * 199.0, "intensity 0");
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

/* At q = 0 every atom is in phase, whatever the sample. */
static void test_all_atoms_are_in_phase_at_q_zero(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FLUORITE, "Ca2+,F1-", 5.463, 12.0);
	(void)state;

	for (int m = 0; m < 3; ++m) {
		sonde_debye_result *result = run_simply(atoms, methods[m], SONDE_DEBYE_FACTORS_AUTO, 0.0, 10.0, 11);
		double truth = result->square_mean_amplitude[0] * (double)result->atom_count;
		assert_close(result->intensity_per_atom[0], truth, 1e-13, "intensity per atom 0");
		/* S(0) = N - (<f^2> - <f>^2)/<f>^2 */
		double s = (double)result->atom_count -
			   (result->mean_square_amplitude[0] / result->square_mean_amplitude[0] - 1.0);
		assert_close(result->structure_factor[0], s, 1e-12, "structure factor 0");
		for (int64_t k = 0; k < 11; ++k)
			assert_true(isfinite(result->structure_factor[k]) && isfinite(result->error_estimate[k]));
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* Lengths b' + i b'' of Sears 1992, in fm, typed in from the paper. */
static void test_complex_lengths_are_those_of_the_table(void **state)
{
	static const struct {
		const char *label;
		double real, imaginary;
	} known[] = {{"B", 5.30, -0.213}, {"Cd", 4.87, -0.70}, {"Gd", 6.5, -13.82},
		     {"Sm", 0.80, -1.65}, {"H", -3.7390, 0.0}, {"D", 6.671, 0.0}};
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.0, 30.0, 301);
	double truth[301], r = 2.345;
	(void)state;

	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	for (int a = 0; a < 6; ++a) {
		for (int b = 0; b < 6; ++b) {
			sonde_atoms *atoms = empty_sample();
			add_atom(atoms, known[a].label, 0.0, 0.0, 0.0);
			add_atom(atoms, known[b].label, 0.0, 0.0, r);
			double aa = known[a].real * known[a].real + known[a].imaginary * known[a].imaginary;
			double bb = known[b].real * known[b].real + known[b].imaginary * known[b].imaginary;
			double ab = known[a].real * known[b].real + known[a].imaginary * known[b].imaginary;
			char what[64];
			snprintf(what, sizeof what, "neutrons, %s and %s", known[a].label, known[b].label);
			for (int m = 0; m < 3; ++m) {
				options.method = methods[m];
				sonde_debye_result *result = run(atoms, &options);
				for (int64_t k = 0; k < 301; ++k) {
					truth[k] = 0.5 * (aa + bb) + ab * sinc(result->q[k] * r);
					assert_true(result->intensity[k] >= -1e-12 * (aa + bb));
				}
				check_intensity(title(what, methods[m]), result, truth, tolerance_of(methods[m]),
						1e-8);
				sonde_debye_result_free(&result);
			}
			sonde_atoms_free(&atoms);
		}
	}
}

/* Isotopes are species of their own; 62Ni scatters with the opposite sign, D is 2H. */
static void test_isotopes_are_species_of_their_own(void **state)
{
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.5, 20.0, 40);
	double truth[40], r = 2.49;
	(void)state;

	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	sonde_atoms *atoms = empty_sample();
	add_atom(atoms, "58Ni", 0.0, 0.0, 0.0);
	add_atom(atoms, "62Ni", r, 0.0, 0.0);
	sonde_debye_result *result = run(atoms, &options);
	assert_int_equal(result->species_count, 2);
	for (int64_t k = 0; k < 40; ++k)
		truth[k] = 0.5 * (14.4 * 14.4 + 8.7 * 8.7) - 14.4 * 8.7 * sinc(result->q[k] * r);
	check_intensity("neutrons, 58Ni and 62Ni", result, truth, 1e-13, 1e-10);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);

	static const struct {
		const char *label;
		int factors;
		double length;
	} hydrogens[] = {{"D", SONDE_DEBYE_FACTORS_SEARS1992, 6.671},    {"2H", SONDE_DEBYE_FACTORS_SEARS1992, 6.671},
			 {"D", SONDE_DEBYE_FACTORS_RAUCH2003, 6.674},    {"2H", SONDE_DEBYE_FACTORS_RAUCH2003, 6.674},
			 {"1H", SONDE_DEBYE_FACTORS_SEARS1992, -3.7423}, {"T", SONDE_DEBYE_FACTORS_SEARS1992, 4.792},
			 {"H", SONDE_DEBYE_FACTORS_RAUCH2003, -3.7409},  {"Ni", SONDE_DEBYE_FACTORS_SEARS1992, 10.3},
			 {"60Ni", SONDE_DEBYE_FACTORS_AUTO, 2.8}};
	for (size_t h = 0; h < sizeof hydrogens / sizeof *hydrogens; ++h) {
		double b = hydrogens[h].length;
		atoms = empty_sample();
		add_atom(atoms, hydrogens[h].label, 0.0, 0.0, 0.0);
		add_atom(atoms, hydrogens[h].label, 0.0, r, 0.0);
		options.factors = hydrogens[h].factors;
		result = run(atoms, &options);
		for (int64_t k = 0; k < 40; ++k)
			truth[k] = b * b * (1.0 + sinc(result->q[k] * r));
		check_intensity(hydrogens[h].label, result, truth, 1e-13, 1e-10);
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_atom_scatters_its_amplitude_squared),
	    cmocka_unit_test(test_two_atoms_scatter_by_the_closed_form),
	    cmocka_unit_test(test_two_atoms_at_any_distance_scatter_by_the_closed_form),
	    cmocka_unit_test(test_coincident_atoms_scatter_as_one_of_the_sum),
	    cmocka_unit_test(test_all_atoms_are_in_phase_at_q_zero),
	    cmocka_unit_test(test_complex_lengths_are_those_of_the_table),
	    cmocka_unit_test(test_isotopes_are_species_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
