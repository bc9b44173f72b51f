/* Pairs whose distance is the cut-off of a periodic sample: an atom and its image, or the shells of a crystal. By rounding, they
 * are on either side of it, but no method counts them, so that sums that end there abruptly, such as that of G(r), are the same by all. */
#include "physics/physics.h"

#include <stdbool.h>

#define METHODS 3
static const int methods[METHODS] = {SONDE_DEBYE_METHOD_REFERENCE, SONDE_DEBYE_METHOD_EXACT,
				     SONDE_DEBYE_METHOD_HISTOGRAM};
static const char *const names[METHODS] = {"reference", "exact", "histogram"};

static const double cube[9] = {21, 0, 0, 0, 21, 0, 0, 0, 21};
static const double skew[9] = {16.1, 0.3, -1.7, 6.228, 8.304, 13.84, -7.1, 15.3, 2.2};
static const double skew_cutoff = 17.3; /* the length of b */
#define SALT 5.6402                     /* Angstrom: edge of the cell of NaCl */

/* Samples ------------------------------------------------------------------------------------------------------ */

static sonde_atoms *make_gas(int count, const double edges[9], uint64_t seed)
{
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < count; ++i) {
		double r[3] = {0};
		for (int k = 0; k < 9; ++k)
			r[k % 3] += edges[k] * uniform_number(seed, (uint64_t)(3 * i + k / 3));
		add_atom(atoms, i % 3 == 0 ? "O" : "H", r[0], r[1], r[2]);
	}
	set_periodic_cell(atoms, edges);
	return atoms;
}

/* NaCl turned, so that no distance is exact in binary numbers. */
static sonde_atoms *make_salt(void)
{
	static const double turn[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6};
	sonde_atoms *atoms = empty_sample();
	double edges[9];

	for (int n = 0; n < 8; ++n) {
		const int h[3] = {n & 1, n >> 1 & 1, n >> 2 & 1};
		double r[3] = {0};
		for (int k = 0; k < 9; ++k)
			r[k % 3] += 0.5 * SALT * turn[k] * h[k / 3];
		add_atom(atoms, (h[0] + h[1] + h[2]) % 2 == 0 ? "Na" : "Cl", r[0], r[1], r[2]);
	}
	for (int k = 0; k < 9; ++k)
		edges[k] = SALT * turn[k];
	set_periodic_cell(atoms, edges);
	return atoms;
}

static sonde_debye_options options_with(int method, double cutoff)
{
	sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_AUTO, 0.1, 20.0, 400);

	options.boundary = SONDE_DEBYE_BOUNDARY_PERIODIC;
	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	options.cutoff = cutoff;
	options.r = (sonde_grid){0.5, 24.0, 236};
	return options;
}

/* Comparison --------------------------------------------------------------------------------------------------- */

/* The estimate of the error of G: 2/pi int dq of that of F. */
static double estimate_of(const sonde_debye_result *result)
{
	const double step = result->q[1] - result->q[0];
	double sum = 0.0;

	for (int64_t k = 0; k < result->q_count; ++k)
		sum += 2.0 / PI * step * result->q[k] * result->error_estimate[k] / result->square_mean_amplitude[k];
	return sum;
}

static void check_distribution(const char *sample, const char *what, const sonde_debye_result *result,
			       const sonde_debye_result *truth)
{
	const double allowed = estimate_of(result) + estimate_of(truth);
	double largest = 0.0, difference = 0.0;

	for (int64_t k = 0; k < result->r_count; ++k) {
		largest = fmax(largest, fabs(truth->pair_distribution[k]));
		difference = fmax(difference, fabs(result->pair_distribution[k] - truth->pair_distribution[k]));
	}
	print_message("%-28s %-10s G differs by %.2g of %.3g, estimate %.2g\n", sample, what, difference, largest,
		      allowed);
	assert_true(difference <= allowed);
	assert_true(allowed < 1e-3 * largest);
}

/* G, and I, by all methods and with all dampings. */
static void check_methods(const char *sample, const sonde_atoms *atoms, double cutoff)
{
	for (int damping = 0; damping < 3; ++damping) {
		sonde_debye_result *results[METHODS];
		for (int m = 0; m < METHODS; ++m) {
			sonde_debye_options options = options_with(methods[m], cutoff);
			options.damping = damping;
			results[m] = run(atoms, &options);
			assert_close(results[m]->options->cutoff, results[0]->options->cutoff, 0.0, "cut-off");
		}
		for (int m = 1; m < METHODS; ++m) {
			check_distribution(sample, names[m], results[m], results[0]);
			check_against(names[m], results[m], results[0], 1e-7, 1e-4);
		}
		for (int m = 0; m < METHODS; ++m)
			sonde_debye_result_free(&results[m]);
	}
}

/* The default of the cut-off is the edge: each atom has six images there. */
static void test_atoms_and_their_images(void **state)
{
	sonde_atoms *gas = make_gas(150, cube, 1);
	(void)state;

	check_methods("gas, cut-off its edge", gas, 0.0);
	sonde_atoms_free(&gas);
}

static void test_shells_of_a_crystal(void **state)
{
	sonde_atoms *salt = make_salt();
	(void)state;

	check_methods("NaCl, cut-off 2.5 a", salt, 2.5 * SALT);
	sonde_atoms_free(&salt);
}

static void test_triclinic_cell(void **state)
{
	sonde_atoms *gas = make_gas(60, skew, 2);
	(void)state;

	check_methods("gas, triclinic", gas, skew_cutoff);
	sonde_atoms_free(&gas);
}

/* Cut-offs anywhere in a bin of the histogram, which are no distances of the sample. */
static void test_any_other_cutoff(void **state)
{
	static const double cutoffs[] = {17.3001, 17.3012, 17.305};
	sonde_atoms *gas = make_gas(150, cube, 3);
	(void)state;

	for (int k = 0; k < 3; ++k) {
		char name[32];
		snprintf(name, sizeof name, "gas, cut-off %g A", cutoffs[k]);
		check_methods(name, gas, cutoffs[k]);
	}
	sonde_atoms_free(&gas);
}

/* Periodic along two edges, and along one. */
static void test_slabs_and_rods(void **state)
{
	static const int periodic[2][3] = {{1, 1, 0}, {0, 0, 1}};
	(void)state;

	for (int body = 0; body < 2; ++body) {
		sonde_atoms *gas = make_gas(60, body == 0 ? skew : cube, 4);
		assert_int_equal(sonde_atoms_set_cell(gas, body == 0 ? skew : cube, periodic[body]), SONDE_OK);
		check_methods(body == 0 ? "slab" : "rod", gas, body == 0 ? skew_cutoff : 21.0);
		sonde_atoms_free(&gas);
	}
}

static void test_means_over_samples(void **state)
{
	sonde_debye_result *results[METHODS];
	(void)state;

	for (int m = 0; m < METHODS; ++m) {
		sonde_context *context = make_context(1);
		sonde_debye_options options = options_with(methods[m], 0.0);
		struct sonde_debye_mean *mean = begin_mean(context, &options, SONDE_DEBYE_FRAMES, 2);
		for (uint64_t seed = 5; seed < 7; ++seed) {
			sonde_atoms *gas = make_gas(80, cube, seed);
			add_to_mean(mean, gas, 1.0);
			sonde_atoms_free(&gas);
		}
		results[m] = finish_mean(&mean);
		sonde_context_free(&context);
	}
	for (int m = 1; m < METHODS; ++m)
		check_distribution("mean over two gases", names[m], results[m], results[0]);
	for (int m = 0; m < METHODS; ++m)
		sonde_debye_result_free(&results[m]);
}

/* Neighbors at the cut-off itself are not counted, in bins of any width: n(r_c) is the number of those that are closer. */
static void test_neighbors_at_the_cutoff(void **state)
{
	sonde_atoms *salt = make_salt();
	const double cutoff = 2.5 * SALT;
	sonde_debye_options options = options_with(SONDE_DEBYE_METHOD_HISTOGRAM, cutoff);
	double closer = 0.0;
	(void)state;

	for (int h = -6; h <= 6; ++h)
		for (int k = -6; k <= 6; ++k)
			for (int l = -6; l <= 6; ++l) {
				const int square = h * h + k * k + l * l;
				closer += square > 0 && square < 25 ? 1.0 : 0.0;
			}
	options.counts = 1;
	options.r = (sonde_grid){0.0, 2.0 * cutoff, 101};
	for (int n = 0; n < 6; ++n) {
		options.damping = n % 3;
		options.bin_width = n < 3 ? 0.0 : 0.1;
		sonde_debye_result *result = run(salt, &options);
		assert_within(result->running_coordination[49], closer, 1e-9, "n below r_c");
		assert_within(result->running_coordination[50], closer, 1e-9, "n(r_c)");
		assert_true(isnan(result->running_coordination[51]));
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&salt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_atoms_and_their_images),  cmocka_unit_test(test_shells_of_a_crystal),
	    cmocka_unit_test(test_triclinic_cell),          cmocka_unit_test(test_any_other_cutoff),
	    cmocka_unit_test(test_slabs_and_rods),          cmocka_unit_test(test_means_over_samples),
	    cmocka_unit_test(test_neighbors_at_the_cutoff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
