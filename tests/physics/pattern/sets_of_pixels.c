/* Amplitudes of pixels that the direct sum computes in pairs and lines, against a plain sum, and their bits. */
#include "physics/pattern/run_pattern.h"

#define ATOMS 700 /* more than two tiles */

static sonde_atoms *random_box(double edge)
{
	sonde_atoms *atoms = empty_sample();

	for (uint64_t k = 0; k < ATOMS; ++k)
		add_atom(atoms, k % 3 == 0 ? "Fe" : "O", edge * uniform_number(7, 3 * k),
			 edge * uniform_number(7, 3 * k + 1), edge * uniform_number(7, 3 * k + 2));
	return atoms;
}

/* The largest error of F, with amplitudes 1, relative to sqrt(N). */
static double worst_error(const sonde_atoms *atoms, const sonde_pattern_result *result)
{
	const double *r = sonde_atoms_positions(atoms);
	double worst = 0.0;

	for (int64_t n = 0; n < result->count; ++n) {
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

static void check(const char *what, sonde_pattern_options *options, double single)
{
	sonde_atoms *atoms = random_box(25.0);

	options->factors = SONDE_PATTERN_FACTORS_UNIT;
	options->amplitude = 1;
	for (int precision = 0; precision < 2; ++precision) {
		options->precision = precision;
		sonde_pattern_result *result = pattern_on(1, atoms, options);
		const double error = worst_error(atoms, result);
		print_message("%s, %s: F wrong by %.1e\n", what, precision == 0 ? "float64" : "float32", error);
		assert_true(error < (precision == 0 ? 1e-13 : single));
		sonde_pattern_result *again = pattern_on(3, atoms, options);
		assert_memory_equal(result->real, again->real, (size_t)result->count * sizeof(double));
		assert_memory_equal(result->imaginary, again->imaginary, (size_t)result->count * sizeof(double));
		sonde_pattern_result_free(&again);
		sonde_pattern_result_free(&result);
	}
	sonde_atoms_free(&atoms);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_circles_near_each_other),
	    cmocka_unit_test(test_circles_far_apart),
	    cmocka_unit_test(test_a_box),
	    cmocka_unit_test(test_a_detector),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
