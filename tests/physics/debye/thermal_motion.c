/* Debye-Waller factors: closed forms, the average of displaced atoms, limits, and the agreement of the methods. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define AUTO SONDE_DEBYE_FACTORS_AUTO
#define UNIT SONDE_DEBYE_FACTORS_UNIT

static double sinc(double x)
{
	return x == 0.0 ? 1.0 : sin(x) / x;
}

static sonde_debye_result *run_moving(const sonde_atoms *atoms, int method, int factors, sonde_grid q,
				      const char *displacement)
{
	sonde_debye_options options = options_of(method, factors, q.first, q.last, q.points);

	snprintf(options.displacement, sizeof options.displacement, "%s", displacement);
	return run(atoms, &options);
}

/* I of a cobalt and an oxygen at 2.13 Angstrom, from those of one atom. */
static void test_two_atoms_have_the_closed_form(void **state)
{
	static const int methods[] = {EXACT, HISTOGRAM, REFERENCE};
	const sonde_grid q = {0.0, 20.0, 81};
	const double r = 2.13, u = 0.5 * (0.005 + 0.011);
	sonde_atoms *pair = empty_sample(), *cobalt = empty_sample(), *oxygen = empty_sample();
	(void)state;

	add_atom(cobalt, "Co", 0, 0, 0);
	add_atom(oxygen, "O", 0, 0, 0);
	add_atom(pair, "Co", 0, 0, 0);
	add_atom(pair, "O", 0, 0, r);
	sonde_debye_result *one = run_moving(cobalt, EXACT, AUTO, q, "0.005");
	sonde_debye_result *other = run_moving(oxygen, EXACT, AUTO, q, "O=0.011");
	for (int m = 0; m < 3; ++m) {
		sonde_debye_result *both = run_moving(pair, methods[m], AUTO, q, " O=0.011, Co=0.005 ");
		for (int64_t k = 0; k < q.points; ++k) {
			double x = both->q[k], self = one->intensity[k] + other->intensity[k];
			double cross = 2.0 * sqrt(one->intensity[k] * other->intensity[k]) * exp(-x * x * u);
			/* the bins of a single distance round it to 2^-21 of their width */
			double allowed = (m == 1 ? 1e-9 * x : 0.0) + 1e-13;
			assert_within(both->intensity[k], self + cross * sinc(x * r), allowed * self, "intensity");
			assert_within(both->partial_structure_factor[q.points + k],
				      1.0 + 2.0 * exp(-x * x * u) * sinc(x * r), 2.0 * allowed, "partial");
			assert_true(both->error_estimate[k] <= both->error_bound[k]);
		}
		sonde_debye_result_free(&both);
	}
	sonde_debye_result_free(&one);
	sonde_debye_result_free(&other);
	sonde_atoms_free(&pair);
	sonde_atoms_free(&cobalt);
	sonde_atoms_free(&oxygen);
}

#define SNAPSHOTS 300
#define POINTS 30
#define MOST 64

/* I of unit amplitudes, pair by pair, of atoms at these positions. */
static double intensity_at(double q, const double (*r)[3], int atoms)
{
	double sum = atoms;

	for (int i = 0; i < atoms; ++i)
		for (int j = 0; j < i; ++j)
			sum += 2.0 * sinc(q * sqrt((r[i][0] - r[j][0]) * (r[i][0] - r[j][0]) +
						   (r[i][1] - r[j][1]) * (r[i][1] - r[j][1]) +
						   (r[i][2] - r[j][2]) * (r[i][2] - r[j][2])));
	return sum;
}

/* Random displacements of each atom with the width of its species. */
static void draw_snapshot(const sonde_atoms *atoms, const double *sigma, int snapshot, double (*r)[3])
{
	const double *at = sonde_atoms_positions(atoms);

	for (int i = 0; i < sonde_atoms_count(atoms); ++i)
		for (int k = 0; k < 3; ++k)
			r[i][k] = at[3 * i + k] + sigma[sonde_atoms_species(atoms)[i]] *
						      normal_number(2, (uint64_t)((snapshot * MOST + i) * 3 + k));
}

/* The mean over snapshots is that of the factors, within its statistical error; that of atoms at rest is not. */
static void test_mean_of_displaced_atoms(void **state)
{
	const sonde_grid q = {0.5, 15.0, POINTS};
	const double sigma[] = {sqrt(0.01), sqrt(0.03)};
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.64, 5.0);
	double sum[POINTS] = {0}, squares[POINTS] = {0}, total = 0.0, r[MOST][3];
	int count = (int)sonde_atoms_count(atoms);
	(void)state;

	assert_true(count > 20 && count <= MOST);
	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Na");
	sonde_debye_result *moving = run_moving(atoms, EXACT, UNIT, q, "Na=0.01,Cl=0.03");
	sonde_debye_result *resting = run_moving(atoms, EXACT, UNIT, q, "");
	for (int s = 0; s < SNAPSHOTS; ++s) {
		draw_snapshot(atoms, sigma, s, r);
		for (int k = 0; k < POINTS; ++k) {
			double value = intensity_at(moving->q[k], (const double(*)[3])r, count);
			sum[k] += value;
			squares[k] += value * value;
		}
	}
	double farthest = 0.0;
	for (int k = 0; k < POINTS; ++k) {
		double mean = sum[k] / SNAPSHOTS;
		double error = sqrt((squares[k] / SNAPSHOTS - mean * mean) / (SNAPSHOTS - 1));
		double deviation = (moving->intensity[k] - mean) / error;
		assert_within(moving->intensity[k], mean, 3.0 * error, "mean of snapshots");
		total += deviation * deviation / POINTS;
		farthest = fmax(farthest, fabs(resting->intensity[k] - mean) / error);
	}
	print_message("snapshots: rms deviation %.2f standard errors; atoms at rest: up to %.0f\n", sqrt(total),
		      farthest);
	assert_true(total > 0.1 && total < 2.5 && farthest > 30.0);
	sonde_debye_result_free(&moving);
	sonde_debye_result_free(&resting);
	sonde_atoms_free(&atoms);
}

/* Far out only the atoms themselves remain: I/N = <f^2>, and S_ab = 1. */
static void test_large_q_is_incoherent(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 8.0);
	(void)state;

	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_result *result =
		    run_moving(atoms, method, AUTO, (sonde_grid){18.0, 20.0, 5}, "Co=0.3,O=0.5");
		for (int64_t k = 0; k < result->q_count; ++k) {
			assert_close(result->intensity_per_atom[k], result->mean_square_amplitude[k], 1e-14, "I/N");
			for (int p = 0; p < 3; ++p)
				assert_close(result->partial_structure_factor[p * 5 + k], 1.0, 1e-14, "S_ab");
		}
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* All methods give the same within their error estimates, and on any number of threads the same bits. */
static void test_methods_agree(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 9.5);
	sonde_atoms *atoms = displace(crystal, 0.03, 5);
	const sonde_grid q = {0.2, 20.0, 100};
	(void)state;

	sonde_debye_result *exact = run_moving(atoms, EXACT, AUTO, q, "Co=0.004,O=0.009");
	sonde_debye_result *histogram = run_moving(atoms, HISTOGRAM, AUTO, q, "Co=0.004,O=0.009");
	sonde_debye_result *reference = run_moving(atoms, REFERENCE, AUTO, q, "Co=0.004,O=0.009");
	check_against("motion, exact", exact, reference, 1e-13, 1e-6);
	check_against("motion, histogram", histogram, reference, 1e-7, 1e-6);
	sonde_debye_options options = *histogram->options;
	sonde_debye_result *alone = run_on(1, atoms, &options), *shared = run_on(3, atoms, &options);
	assert_true(same_bits(alone, histogram) && same_bits(shared, histogram));
	/* the step to curves has the factors: sums and errors of the same bins are smaller than at rest */
	sonde_debye_result *resting = run_moving(atoms, HISTOGRAM, AUTO, q, "0");
	for (int64_t k = 0; k < q.points; ++k)
		assert_true(histogram->error_bound[k] <= resting->error_bound[k]);
	assert_true(histogram->error_bound[q.points - 1] < 0.5 * resting->error_bound[q.points - 1]);
	sonde_debye_result *all[] = {exact, histogram, reference, alone, shared, resting};
	for (int k = 0; k < 6; ++k)
		sonde_debye_result_free(&all[k]);
	sonde_atoms_free(&crystal);
	sonde_atoms_free(&atoms);
}

/* A displacement of 0 is an atom at rest, to the last bit. */
static void test_no_displacement_is_rest(void **state)
{
	sonde_atoms *atoms = read_sample("C60.xyz");
	const sonde_grid q = {0.0, 20.0, 41};
	(void)state;

	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_result *zero = run_moving(atoms, method, AUTO, q, "0");
		sonde_debye_result *none = run_moving(atoms, method, AUTO, q, "");
		assert_true(same_bits(zero, none));
		sonde_debye_result_free(&zero);
		sonde_debye_result_free(&none);
	}
	sonde_atoms_free(&atoms);
}

/* A cobalt or an oxygen at 0.3 Angstrom from it, never both, and an oxygen at 5: the mean of two configurations. */
static void test_sites_that_exclude_each_other(void **state)
{
	sonde_atoms *atoms = empty_sample();
	const sonde_grid q = {0.0, 10.0, 21};
	(void)state;

	add_atom(atoms, "Co", 0, 0, 0);
	add_atom(atoms, "O", 0, 0, 0.3);
	add_atom(atoms, "O", 0, 0, 5);
	assert_int_equal(sonde_atoms_set_occupancies(atoms, (const double[]){0.5, 0.5, 1.0}), SONDE_OK);
	sonde_debye_result *result = run_moving(atoms, EXACT, UNIT, q, "Co=0.02,O=0.05");
	for (int64_t k = 0; k < q.points; ++k) {
		double x = result->q[k];
		double first = 2.0 + 2.0 * exp(-x * x * 0.035) * sinc(5.0 * x);
		double second = 2.0 + 2.0 * exp(-x * x * 0.05) * sinc(4.7 * x);
		assert_within(result->intensity[k], 0.5 * (first + second), 1e-13, "intensity");
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void test_bad_displacements_are_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {{"Co=0.1", "none for 'O'"},      {"Co=0.1,O=0.1,Cu=1", "has no 'Cu'"},
		   {"Co=0.1,Co=0.2", "twice"},      {"-0.1", "mean square displacement"},
		   {"Co=0.1,O=", "displacement"},   {"Co=0.1,,O=1", "displacement"},
		   {"11", "displacement"},          {"nan", "displacement"},
		   {"Co=0.1,O=1e9", "displacement"}};
	sonde_context *context = make_context(1);
	sonde_atoms *atoms = empty_sample();
	(void)state;

	add_atom(atoms, "Co", 0, 0, 0);
	add_atom(atoms, "O", 0, 0, 2);
	for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
		sonde_debye_options options = options_of(EXACT, AUTO, 1.0, 10.0, 10);
		sonde_debye_result *result;
		snprintf(options.displacement, sizeof options.displacement, "%s", bad[k].text);
		assert_int_equal(sonde_debye_run(context, atoms, &options, &result), SONDE_INVALID);
		assert_null(result);
		assert_non_null(strstr(sonde_status_message(), bad[k].message));
	}
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_two_atoms_have_the_closed_form),
	    cmocka_unit_test(test_mean_of_displaced_atoms),
	    cmocka_unit_test(test_large_q_is_incoherent),
	    cmocka_unit_test(test_methods_agree),
	    cmocka_unit_test(test_no_displacement_is_rest),
	    cmocka_unit_test(test_sites_that_exclude_each_other),
	    cmocka_unit_test(test_bad_displacements_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
