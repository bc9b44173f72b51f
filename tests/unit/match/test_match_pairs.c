/* Intervals of mixtures of G(r), whose points are closer than independent ones: synthetic curves, the transforms of noisy F(q). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "thorough.h"
#include "unit/support.h"
#include "base/options.h"
#include "match/match.h"
#include "match/mixture.h"
#include "match/option_table.h"

#define PI 3.14159265358979323846
#define FREQUENCIES 400
#define STEP 0.05 /* of q */
#define QMAX 20.0
#define POINTS 1000
#define CANDIDATES 3

static double sines[POINTS][FREQUENCIES], axis[POINTS];
static const double weights[CANDIDATES] = {4.0, 6.0, 3.0};

/* G(r) of a function of q. */
static void transform(const double *f, double *g)
{
	for (int k = 0; k < POINTS; ++k) {
		g[k] = 0.0;
		for (int n = 0; n < FREQUENCIES; ++n)
			g[k] += sines[k][n] * f[n];
	}
}

/* F of candidates: oscillations with distances of their own, damped by motion. */
static void make_f(int candidate, double *f)
{
	uint64_t state = 5 + (uint64_t)candidate;
	double distances[8];

	(void)test_random(&state);
	for (int l = 0; l < 8; ++l)
		distances[l] = 2.0 + 18.0 * test_random_real(&state);
	for (int n = 0; n < FREQUENCIES; ++n) {
		const double q = STEP * (n + 1);
		f[n] = 0.0;
		for (int l = 0; l < 8; ++l)
			f[n] += sin(q * distances[l]) / distances[l] * exp(-0.005 * q * q);
	}
}

static int make_library(void **unused)
{
	struct library_head head = {.radiation = LIBRARY_XRAY, .physics = (char *)"", .r_count = POINTS, .r = axis};
	struct library_writer *writer;
	double f[FREQUENCIES], g[POINTS];

	(void)unused;
	for (int k = 0; k < POINTS; ++k) {
		axis[k] = 1.0 + 0.02 * k;
		for (int n = 0; n < FREQUENCIES; ++n)
			sines[k][n] = 2.0 / PI * STEP * sin(STEP * (n + 1) * axis[k]);
	}
	head.has[LIBRARY_G] = true;
	assert_status(SONDE_OK, library_create(test_path("pairs.h5"), true, &head, &writer));
	for (int c = 0; c < CANDIDATES; ++c) {
		char key[LIBRARY_KEY + 1], name[32];
		snprintf(key, sizeof key, "%064x", (unsigned)c);
		snprintf(name, sizeof name, "candidate %d", c);
		make_f(c, f);
		transform(f, g);
		struct library_candidate candidate = {.name = name, .key = key, .atoms = 10, .size = NAN};
		candidate.curves[LIBRARY_G] = g;
		assert_status(SONDE_OK, library_add(writer, &candidate));
	}
	assert_status(SONDE_OK, library_writer_finish(&writer));
	return 0;
}

static double normal(uint64_t *state)
{
	const double u = test_random_real(state), v = test_random_real(state);

	return sqrt(-2.0 * log(1.0 - u)) * cos(2.0 * PI * v);
}

/* The mixture with noise of F(q) whose standard deviation is 0.1 q^power in units of its mean square. */
static void make_measured(double power, uint64_t *state, double *g)
{
	double f[FREQUENCIES] = {0.0}, part[FREQUENCIES], mean = 0.0;

	for (int n = 0; n < FREQUENCIES; ++n)
		mean += pow(STEP * (n + 1), 2.0 * power) / FREQUENCIES;
	for (int c = 0; c < CANDIDATES; ++c) {
		make_f(c, part);
		for (int n = 0; n < FREQUENCIES; ++n)
			f[n] += weights[c] * part[n];
	}
	for (int n = 0; n < FREQUENCIES; ++n)
		f[n] += 0.1 * pow(STEP * (n + 1), power) / sqrt(mean) * normal(state);
	transform(f, g);
}

/* Standard deviations of all points of G(r): those of the noise. */
static double point_sigma(void)
{
	return 2.0 / PI * STEP * 0.1 * sqrt(0.5 * FREQUENCIES);
}

static const char *write_measured(double power, uint64_t seed, bool header)
{
	const char *path = test_path("mixed.gr");
	double g[POINTS];
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	make_measured(power, &seed, g);
	fprintf(file, "%s#### start data\n#L r G dr dG\n", header ? "[DEFAULT]\nqmaxinst = 25.0\nqmax = 20.0\n" : "");
	for (int k = 0; k < POINTS; ++k)
		fprintf(file, "%.12g %.12g 0 %.9g\n", axis[k], g[k], point_sigma());
	fclose(file);
	return path;
}

/* The part of the 95 % intervals with the truth; *reduced is the mean chi^2 per degree of freedom. */
static double cover(int trials, int kind, double power, double qmax, double *reduced)
{
	const char *library = test_path("pairs.h5");
	sonde_match_options options;
	struct data_set set;
	struct common common;
	struct mixture mixture;
	uint64_t state = 77;
	int covered = 0;

	options_set_defaults(&match_option_table, &options);
	options.background = -1;
	options.weights = kind;
	options.qmax = qmax;
	*reduced = 0.0;
	assert_status(SONDE_OK, data_set_make(write_measured(power, 1, false), &library, 1, &options, &set));
	assert_status(SONDE_OK, common_make(&set, 1, &common));
	assert_status(SONDE_OK, mixture_begin(&common, &mixture));
	assert_status(SONDE_OK, mixture_add(&mixture, (const int64_t[]){0, 1, 2}, CANDIDATES));
	for (int trial = 0; trial < trials; ++trial) {
		double errors[CANDIDATES];
		make_measured(power, &state, set.measured.y);
		assert_status(SONDE_OK, data_set_weigh(&set, NULL));
		assert_status(SONDE_OK, mixture_solve_weighted(&options, 1, &mixture));
		assert_int_equal(mixture.solution.active_count, CANDIDATES);
		assert_status(SONDE_OK, mixture_errors(&mixture, errors));
		for (int j = 0; j < CANDIDATES; ++j)
			covered += fabs(mixture.solution.x[j] - weights[j]) < 1.959964 * errors[j];
		*reduced += mixture.solution.square / (double)mixture.degrees_of_freedom / trials;
	}
	mixture_free(&mixture);
	common_free(&common);
	data_set_free(&set);
	return covered / (3.0 * trials);
}

static void test_intervals_cover(void **unused)
{
	const int trials = is_thorough() ? 2000 : 200;
	const double spread = 3.0 * sqrt(0.05 * 0.95 / (3.0 * trials));
	double reduced;

	(void)unused;
	const double sigma = cover(trials, SONDE_MATCH_WEIGHTS_SIGMA, 0.0, QMAX, &reduced);
	assert_within(sigma, 0.95, spread, "covered with sigma");
	assert_within(reduced, 1.0, 0.05, "chi^2 per degree of freedom");
	const double uniform = cover(trials, SONDE_MATCH_WEIGHTS_UNIFORM, 0.0, QMAX, &reduced);
	assert_within(uniform, 0.95, spread, "covered with uniform weights");
	/* without qmax all points are independent ones */
	const double all = cover(trials, SONDE_MATCH_WEIGHTS_SIGMA, 0.0, 0.0, &reduced);
	assert_true(all < 0.65);
	if (is_thorough())
		print_message(
		    "%d trials: %.4f with sigma, %.4f uniform, %.4f with all points; %.4f if the noise of F is "
		    "proportional to q\n",
		    trials, sigma, uniform, all, cover(trials, SONDE_MATCH_WEIGHTS_UNIFORM, 1.0, QMAX, &reduced));
}

static void run(const char *measured, const sonde_match_options *options, sonde_context *context,
		struct match_result *result)
{
	const char *library = test_path("pairs.h5");
	const struct match_request request = {&measured, 1, &library, 1};

	assert_status(SONDE_OK, match_run(context, &request, options, result));
}

/* What the result says of its points; synthetic curves have as wide intervals; peaks of the residual are not more significant than noise. */
static void test_results_count_independent_points(void **unused)
{
	sonde_match_options options;
	sonde_context *context;
	struct match_result result, all;

	(void)unused;
	options_set_defaults(&match_option_table, &options);
	options.background = 0;
	options.bootstrap = 400;
	assert_status(SONDE_OK, sonde_context_create(&context));
	run(write_measured(0.0, 3, true), &options, context, &result);
	assert_string_equal(sonde_context_notes(context), "");
	assert_true(result.curves[0].qmax == 20.0);
	/* 19.98 Angstrom */
	assert_int_equal(result.curves[0].independent, 128);
	assert_int_equal(result.points, POINTS);
	assert_int_equal(result.degrees_of_freedom, 128 - 4);
	assert_int_equal(result.parameters, 4);
	assert_close(result.curves[0].sigma[7], point_sigma(), 1e-6, "sigma");
	assert_int_equal(result.curves[0].peak_count, 0);
	run(write_measured(0.0, 3, false), &options, context, &all);
	assert_non_null(strstr(sonde_context_notes(context), "the largest q of the measurement is not known"));
	assert_int_equal(all.degrees_of_freedom, POINTS - 4);
	for (int k = 0; k < CANDIDATES; ++k) {
		const struct match_weight *weight = &result.weights[k];
		assert_close(weight->high - weight->low, 2.0 * 1.96 * weight->error, 0.2, "width");
		assert_close(weight->error, all.weights[k].error * sqrt(POINTS / 128.0), 1e-6, "error");
		assert_close(weight->weight, all.weights[k].weight, 1e-6, "weight");
	}
	match_result_free(&all);
	match_result_free(&result);
	/* that of the user comes first; as many parameters as independent points are too many */
	options.bootstrap = 0;
	options.qmax = 10.0;
	run(write_measured(0.0, 3, true), &options, context, &result);
	assert_int_equal(result.curves[0].independent, 64);
	match_result_free(&result);
	options.qmax = 0.5;
	const char *measured = test_path("mixed.gr"), *library = test_path("pairs.h5");
	const struct match_request request = {&measured, 1, &library, 1};
	assert_invalid("the fit has 4 parameters and 4 independent points",
		       match_run(context, &request, &options, &result));
	options.background = 3;
	assert_invalid("has 4 independent points in the range of the fit, and the background alone has 4 parameters",
		       match_run(context, &request, &options, &result));
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_intervals_cover),
	    cmocka_unit_test(test_results_count_independent_points),
	};

	return cmocka_run_group_tests_name("mixtures of G(r)", tests, make_library, NULL);
}
