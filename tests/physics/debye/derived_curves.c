/* Curves derived from others: structure factors of Bhatia and Thornton compared with sums over atoms, correlation
 * functions, and factors on intensities at angles whose factors are known. */
#include "physics/physics.h"

#include <unistd.h>

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define POINTS 25

/* A random cluster of 20 titaniums and 31 zirconiums. */
static sonde_atoms *make_alloy(void)
{
	sonde_atoms *atoms = empty_sample();

	for (uint64_t i = 0; i < 51; ++i)
		add_atom(atoms, i % 5 < 2 && i < 50 ? "Ti" : "Zr", 12.0 * uniform_number(3, 3 * i),
			 12.0 * uniform_number(3, 3 * i + 1), 12.0 * uniform_number(3, 3 * i + 2));
	return atoms;
}

/* 1/N sum_ij w_i v_j sin(q r)/(q r), i = j included, with w, v = 1 for number and c2 or -c1 for concentration. */
static double correlation(const sonde_atoms *atoms, double q, const double *w, const double *v)
{
	const double *r = sonde_atoms_positions(atoms);
	const uint16_t *s = sonde_atoms_species(atoms);
	int64_t n = sonde_atoms_count(atoms);
	double sum = 0.0;

	for (int64_t i = 0; i < n; ++i) {
		for (int64_t j = 0; j < n; ++j) {
			double square = 0.0;
			for (int k = 0; k < 3; ++k)
				square += (r[3 * i + k] - r[3 * j + k]) * (r[3 * i + k] - r[3 * j + k]);
			double x = q * sqrt(square);
			sum += w[s[i]] * v[s[j]] * (x > 0.0 ? sin(x) / x : 1.0);
		}
	}
	return sum / (double)n;
}

static sonde_debye_options alloy_options(void)
{
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.2, 15.0, POINTS);

	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	options.bhatia_thornton = 1;
	return options;
}

static void test_number_and_concentration_correlate(void **state)
{
	sonde_atoms *atoms = make_alloy();
	sonde_debye_options options = alloy_options();
	const double c1 = 20.0 / 51.0, c2 = 31.0 / 51.0;
	/* in the order of species of the sample: Ti, Zr */
	const double number[] = {1.0, 1.0}, concentration[] = {c2, -c1};
	(void)state;

	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Ti");
	sonde_debye_result *result = run(atoms, &options);
	assert_int_equal(result->species_atoms[0], 20);
	for (int64_t k = 0; k < POINTS; ++k) {
		double q = result->q[k];
		assert_within(result->structure_factor_nn[k], correlation(atoms, q, number, number), 1e-13 * 51,
			      "NN");
		assert_within(result->structure_factor_nc[k], correlation(atoms, q, number, concentration),
			      1e-13 * 51, "NC");
		assert_within(result->structure_factor_cc[k], correlation(atoms, q, concentration, concentration),
			      1e-13 * 51, "CC");
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* I/N = <b>^2 S_NN + 2 <b> (b1 - b2) S_NC + (b1 - b2)^2 S_CC, with the lengths of single atoms. */
static void test_intensity_follows_from_the_three(void **state)
{
	sonde_atoms *atoms = make_alloy();
	sonde_debye_options options = alloy_options();
	double b[2];
	(void)state;

	sonde_debye_result *result = run(atoms, &options);
	options.bhatia_thornton = 0;
	for (int s = 0; s < 2; ++s) {
		sonde_atoms *one = empty_sample();
		add_atom(one, s == 0 ? "Ti" : "Zr", 0, 0, 0);
		sonde_debye_result *single = run(one, &options);
		b[s] = (s == 0 ? -1.0 : 1.0) * sqrt(single->intensity[0]); /* that of titanium is negative */
		sonde_debye_result_free(&single);
		sonde_atoms_free(&one);
	}
	double mean = (20.0 * b[0] + 31.0 * b[1]) / 51.0, difference = b[0] - b[1];
	for (int64_t k = 0; k < POINTS; ++k) {
		double sum = mean * mean * result->structure_factor_nn[k] +
			     2.0 * mean * difference * result->structure_factor_nc[k] +
			     difference * difference * result->structure_factor_cc[k];
		assert_within(sum, result->intensity_per_atom[k],
			      1e-12 * (result->mean_square_amplitude[k] + result->intensity_per_atom[k]), "I/N");
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* S_NN, S_NC, S_CC approach 1, 0, and c1 c2; exactly, where the motion of the atoms leaves no correlation. */
static void test_limits_at_large_q(void **state)
{
	sonde_atoms *atoms = make_alloy();
	sonde_debye_options options = alloy_options();
	(void)state;

	options.q = (sonde_grid){15.0, 20.0, POINTS};
	snprintf(options.displacement, sizeof options.displacement, "0.5");
	sonde_debye_result *result = run(atoms, &options);
	for (int64_t k = 0; k < POINTS; ++k) {
		assert_close(result->structure_factor_nn[k], 1.0, 1e-14, "NN");
		assert_within(result->structure_factor_nc[k], 0.0, 1e-14, "NC");
		assert_close(result->structure_factor_cc[k], 20.0 * 31.0 / 51.0 / 51.0, 1e-14, "CC");
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static double corrected(double angle, const char *polarization, int lorentz)
{
	sonde_atoms *atoms = empty_sample();
	double q = 4.0 * PI * sin(0.5 * angle * PI / 180.0) / 1.5;
	sonde_debye_options options = options_of(EXACT, UNIT, q, q, 1);

	add_atom(atoms, "Au", 0, 0, 0);
	options.wavelength = 1.5;
	options.lorentz = lorentz;
	snprintf(options.polarization, sizeof options.polarization, "%s", polarization);
	sonde_debye_result *result = run(atoms, &options);
	assert_true(result->intensity[0] == 1.0);
	double value = result->intensity_corrected[0];
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	return value;
}

static void test_factors_at_known_angles(void **state)
{
	const int none = SONDE_DEBYE_LORENTZ_NONE, powder = SONDE_DEBYE_LORENTZ_POWDER;
	(void)state;

	assert_within(corrected(90.0, "unpolarized", none), 0.5, 1e-14, "90 degrees");
	assert_within(corrected(90.0, "0", none), 0.5, 1e-14, "90 degrees");
	assert_within(corrected(90.0, "1", none), 1.0, 1e-14, "perpendicular");
	assert_within(corrected(90.0, "-1", none), 0.0, 1e-14, "in the plane");
	assert_within(corrected(90.0, "0.9", none), 0.95, 1e-14, "degree");
	assert_within(corrected(60.0, "unpolarized", none), 0.625, 1e-14, "60 degrees");
	assert_within(corrected(120.0, "-1", none), 0.25, 1e-14, "120 degrees");
	assert_within(corrected(180.0, "unpolarized", none), 1.0, 1e-14, "backward");
	assert_within(corrected(0.0, "-1", none), 1.0, 1e-14, "forward");
	assert_close(corrected(90.0, "none", powder), 2.0 * sqrt(2.0), 1e-14, "Lorentz");
	assert_close(corrected(60.0, "none", powder), 8.0 / sqrt(3.0), 1e-14, "Lorentz");
	/* (1 + cos^2)/(sin^2 cos)/2 of Warren's table at 2 theta = 120 degrees */
	assert_close(corrected(120.0, "unpolarized", powder), 0.625 * 8.0 / 3.0, 1e-14, "both");
}

/* The sum over orientations contains the Lorentz factor of a powder: along 2 theta, peaks have the area |F|^2 m/(sin^2
 * cos), m being the number of equivalent planes, here of a simple cubic crystal of unit atoms. */
static void test_peaks_contain_the_lorentz_factor(void **state)
{
	static const struct {
		int square, planes; /* h^2 + k^2 + l^2, m */
	} peaks[] = {{1, 6}, {2, 12}, {3, 8}, {5, 24}, {6, 24}};
	const double edge = 3.0, step = 60.0 / 2000.0;
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_SC, "Po", edge, 30.0);
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_HISTOGRAM, UNIT, 0.1, 20.0, 996);
	double areas[5] = {0};
	(void)state;

	options.wavelength = 1.0;
	options.two_theta = (sonde_grid){10.0, 70.0, 2001};
	sonde_debye_result *result = run(atoms, &options);
	for (int p = 0; p < 5; ++p) {
		double sine = sqrt(peaks[p].square) / (2.0 * edge), center = asin(sine) * 360.0 / PI;
		for (int64_t k = 0; k < result->q_count; ++k)
			if (fabs(result->two_theta[k] - center) < 2.0)
				areas[p] += result->intensity_per_atom[k] * step;
		areas[p] *= sine * sine * sqrt(1.0 - sine * sine) / peaks[p].planes;
		/* the tails of others are included; the factor itself varies by 5.5 */
		assert_close(areas[p], areas[0], 0.06, "area");
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* D = <b>^2 G and T = D + 4 pi r rho0 <b>^2; <b>^2 is 1 for X-rays. */
static void test_correlation_functions(void **state)
{
	sonde_atoms *atoms = make_alloy();
	(void)state;

	for (int radiation = SONDE_DEBYE_RADIATION_XRAY; radiation <= SONDE_DEBYE_RADIATION_NEUTRON; ++radiation) {
		sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.2, 15.0, 150);
		/* (20 b_Ti + 31 b_Zr)/51 with Sears' lengths, -3.438 and 7.16 fm */
		double mean = radiation == SONDE_DEBYE_RADIATION_NEUTRON ? (20.0 * -3.438 + 31.0 * 7.16) / 51.0 : 1.0;
		options.radiation = radiation;
		options.density = 0.03;
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t k = 0; k < result->r_count; ++k) {
			double d = mean * mean * result->pair_distribution[k];
			double t = 4.0 * PI * result->r[k] * 0.03 * mean * mean;
			assert_within(result->differential_correlation[k], d, 1e-13 * (fabs(d) + t), "D");
			assert_within(result->total_correlation[k], d + t, 1e-13 * (fabs(d) + t), "T");
		}
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* A file has all of them. */
static void test_files_have_the_curves(void **state)
{
	sonde_atoms *atoms = make_alloy();
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_HISTOGRAM, UNIT, 0.2, 8.0, POINTS);
	sonde_debye_result *again;
	char path[64];
	(void)state;

	options.bhatia_thornton = options.counts = 1;
	options.density = 0.03;
	options.wavelength = 1.5;
	snprintf(options.polarization, sizeof options.polarization, "0.95");
	snprintf(options.displacement, sizeof options.displacement, "Ti=0.01,Zr=0.005");
	sonde_debye_result *one = run(atoms, &options);
	snprintf(path, sizeof path, "derived-%d.h5", (int)getpid());
	assert_int_equal(sonde_debye_result_write(one, path, 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(NULL, path, &again), SONDE_OK);
	unlink(path);
	const size_t q = POINTS * sizeof(double), r = (size_t)one->r_count * sizeof(double);
	assert_memory_equal(one->intensity_corrected, again->intensity_corrected, q);
	assert_memory_equal(one->structure_factor_nn, again->structure_factor_nn, q);
	assert_memory_equal(one->structure_factor_nc, again->structure_factor_nc, q);
	assert_memory_equal(one->structure_factor_cc, again->structure_factor_cc, q);
	assert_memory_equal(one->differential_correlation, again->differential_correlation, r);
	assert_memory_equal(one->total_correlation, again->total_correlation, r);
	assert_memory_equal(one->running_coordination, again->running_coordination, r);
	assert_memory_equal(one->partial_running_coordination, again->partial_running_coordination, 3 * r);
	assert_string_equal(one->options->displacement, again->options->displacement);
	sonde_debye_result_free(&one);
	sonde_debye_result_free(&again);
	sonde_atoms_free(&atoms);
}

/* Compton scattering adds to the pattern, atom by atom, with the recoil at angles where it is known; all curves of the
 * experiment contain it. */
static void test_compton_scattering_adds(void **state)
{
	sonde_atoms *atoms = empty_sample();
	/* 2 theta = 90 degrees: E'/E = 1/(1 + 0.0242631/lambda) */
	const double wavelength = 0.7, q = 4.0 * PI * sqrt(0.5) / wavelength,
		     recoil = 1.0 / (1.0 + 0.0242631023867 / wavelength);
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, q, q, 1);
	double compton[4];
	(void)state;

	add_atom(atoms, "H", 0, 0, 0);
	add_atom(atoms, "H", 0.74, 0, 0);
	add_atom(atoms, "Au", 5, 0, 0);
	options.wavelength = wavelength;
	strcpy(options.polarization, "unpolarized");
	for (int kind = SONDE_DEBYE_COMPTON_NONE; kind <= SONDE_DEBYE_COMPTON_ENERGY; ++kind) {
		options.compton = kind;
		sonde_debye_result *result = run(atoms, &options);
		assert_true((result->intensity_compton == NULL) == (kind == SONDE_DEBYE_COMPTON_NONE));
		compton[kind] = kind == SONDE_DEBYE_COMPTON_NONE ? 0.0 : result->intensity_compton[0];
		if (kind != SONDE_DEBYE_COMPTON_NONE)
			assert_close(result->intensity_total[0], result->intensity[0] + compton[kind], 1e-15, "sum");
		/* P = 1/2 at 90 degrees */
		assert_close(result->intensity_corrected[0], 0.5 * (result->intensity[0] + compton[kind]), 1e-12,
			     "I_corrected");
		sonde_debye_result_free(&result);
	}
	assert_close(compton[SONDE_DEBYE_COMPTON_COUNTS], compton[SONDE_DEBYE_COMPTON_STATIC] * recoil * recoil,
		     1e-10, "photons");
	assert_close(compton[SONDE_DEBYE_COMPTON_ENERGY], compton[SONDE_DEBYE_COMPTON_COUNTS] * recoil, 1e-10,
		     "energy");
	/* two free electrons, and half of those of gold: 38.9 at sin(theta)/lambda = 1 in the table */
	assert_true(compton[SONDE_DEBYE_COMPTON_STATIC] > 40.8 && compton[SONDE_DEBYE_COMPTON_STATIC] < 41.4);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_number_and_concentration_correlate),
	    cmocka_unit_test(test_intensity_follows_from_the_three),
	    cmocka_unit_test(test_limits_at_large_q),
	    cmocka_unit_test(test_factors_at_known_angles),
	    cmocka_unit_test(test_peaks_contain_the_lorentz_factor),
	    cmocka_unit_test(test_correlation_functions),
	    cmocka_unit_test(test_files_have_the_curves),
	    cmocka_unit_test(test_compton_scattering_adds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
