/* Refinements of small particles against patterns that are computed separately: values, intervals, derivatives, bounds, bad input. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/support.h"
#include "base/options.h"
#include "refine/fit.h"
#include "refine/option_table.h"
#include "refine/refine.h"
#include "sonde/sonde.h"

#define POINTS 151
#define A 4.0782
#define X 2.23
#define U 0.012
#define GRID 0.05

#define JOB                                                                  \
	"refine:\n"                                                          \
	"  - {name: a, start: 4.06, lower: 4.0, upper: 4.2}\n"               \
	"  - {name: x, start: 2.3, lower: 1.5, upper: 4, grid: 0.05}\n"      \
	"  - {name: U, start: 0.02, lower: 0, upper: 0.1}\n"                 \
	"derived: [{name: radius, formula: x*a}]\n"                          \
	"build: {cell: fcc, species: Au, a: \"${a}\", sphere: \"${x*a}\"}\n" \
	"debye: {q: 0.5:15.5:151, displacement: \"${U}\"}\n"

static sonde_context *context;
static double q[POINTS], truth[POINTS];

/* Of a ball of gold with `radius`; its number of atoms. */
static double add_pattern(double a, double radius, double u, double weight, double *sum)
{
	sonde_build_options build;
	sonde_debye_options options;
	sonde_debye_result *result;
	sonde_atoms *atoms;

	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_FCC;
	strcpy(build.species, "Au");
	build.a = a;
	build.sphere = radius;
	assert_status(SONDE_OK, sonde_build_run(context, &build, &atoms));
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.5, 15.5, POINTS};
	options.method = SONDE_DEBYE_METHOD_REFERENCE;
	snprintf(options.displacement, sizeof options.displacement, "%.17g", u);
	assert_status(SONDE_OK, sonde_debye_run(context, atoms, &options, &result));
	const double count = (double)sonde_atoms_count(atoms);
	for (int k = 0; k < POINTS; ++k) {
		q[k] = result->q[k];
		sum[k] += weight * result->intensity[k];
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	return weight * count;
}

/* The cubic B-spline as a sum of truncated powers. */
static double spline(double t)
{
	static const double binomials[] = {1.0, -4.0, 6.0, -4.0, 1.0};
	double sum = 0.0;

	for (int k = 0; k <= 4; ++k)
		sum += binomials[k] * pow(fmax(t + 2.0 - k, 0.0), 3.0) / 6.0;
	return sum;
}

static int release(void **state)
{
	(void)state;
	sonde_context_free(&context);
	return 0;
}

static double normal(uint64_t *state)
{
	const double u = test_random_real(state), v = test_random_real(state);

	return sqrt(-2.0 * log(1.0 - u)) * cos(6.283185307179586 * v);
}

static void write_measured(uint64_t seed, double noise)
{
	FILE *file = fopen(test_path("gold.xy"), "w");

	assert_non_null(file);
	for (int k = 0; k < POINTS; ++k) {
		const double sigma = 0.02 * truth[k] + 10.0;
		fprintf(file, "%.12g %.12g %.6g\n", q[k], truth[k] + noise * sigma * normal(&seed), sigma);
	}
	fclose(file);
}

/* One ball, with noise. */
static void write_exact(uint64_t seed)
{
	static double sum[POINTS], atoms = 0.0;
	FILE *file = fopen(test_path("exact.xy"), "w");

	assert_non_null(file);
	if (atoms == 0.0)
		atoms = add_pattern(A, 9.0943, U, 1.0, sum);
	for (int k = 0; k < POINTS; ++k) {
		const double curve = 0.7 * sum[k] / atoms + 200.0 - 3.0 * q[k], sigma = 0.02 * curve + 10.0;
		fprintf(file, "%.12g %.12g %.6g\n", q[k], curve + sigma * normal(&seed), sigma);
	}
	fclose(file);
}

static int make_truth(void **state)
{
	double atoms = 0.0;

	(void)state;
	if (sonde_context_create(&context) != SONDE_OK || sonde_context_set_device(context, "cpu") != SONDE_OK)
		return -1;
	for (int k = 40; k < 50; ++k)
		if (spline(X / GRID - k) > 0.0)
			atoms += add_pattern(A, k * GRID * A, U, spline(X / GRID - k), truth);
	for (int k = 0; k < POINTS; ++k)
		truth[k] = 0.7 * truth[k] / atoms + 200.0 - 3.0 * q[k];
	write_measured(1, 0.0);
	test_write_text("counts.xy", "");
	return 0;
}

static struct refine_job *read_job(const char *text)
{
	struct refine_job *job;

	assert_status(SONDE_OK, refine_job_read(test_write_text("job.yaml", text), &job));
	return job;
}

static sonde_refine_options defaults(void)
{
	sonde_refine_options options;

	options_set_defaults(&refine_option_table, &options);
	return options;
}

/* Values of many noisy patterns: their errors are those that are stated. */
static void test_intervals_cover_the_truth(void **unused)
{
	static const double values[] = {A, X, U};
	const int trials = is_thorough() ? 400 : 60;
	const sonde_refine_options options = defaults();
	struct refine_job *job = read_job(JOB "measured: gold.xy\nfit: {background: 1}\n");
	double mean[3] = {0.0}, square[3] = {0.0};
	int inside = 0, far = 0;

	(void)unused;
	for (int n = 0; n < trials; ++n) {
		struct refine_result result;
		write_measured((uint64_t)n + 1, 1.0);
		assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
		assert_true(result.converged);
		for (int k = 0; k < 3; ++k) {
			const struct refine_value *value = &result.parameters[k];
			const double z = (value->value - values[k]) / value->error;
			mean[k] += z / trials;
			square[k] += z * z / trials;
			far += fabs(z) > 3.0;
			inside += value->low <= values[k] && values[k] <= value->high;
		}
		assert_within(result.derived[0].value, result.parameters[0].value * result.parameters[1].value, 1e-12,
			      "radius");
		refine_result_free(&result);
	}
	const double part = (double)inside / (3.0 * trials), spread = sqrt(0.05 * 0.95 / (3.0 * trials));
	assert_within(part, 0.95, 3.0 * spread, "part of intervals with the truth");
	assert_true(far <= 1 + trials / 60);
	for (int k = 0; k < 3; ++k) {
		assert_within(mean[k], 0.0, 3.5 / sqrt(trials), "mean deviation");
		assert_within(square[k], 1.0, 3.5 * sqrt(2.0 / trials), "mean square of the deviation");
	}
	refine_job_free(&job);
}

/* Without noise the truth comes back from a start that is far away. */
static void test_the_truth_is_found_exactly(void **unused)
{
	sonde_refine_options options = defaults();
	struct refine_job *job = read_job(JOB "measured: gold.xy\nfit: {background: 1, weights: sigma}\n");
	struct refine_result result;

	(void)unused;
	write_measured(1, 0.0);
	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
	assert_within(result.parameters[0].value, A, 1e-5, "a");
	assert_within(result.parameters[1].value, X, 1e-5, "x");
	assert_within(result.parameters[2].value, U, 1e-5, "U");
	assert_close(result.curves[0].scale, 0.7, 1e-4, "scale");
	assert_true(result.rwp < 1e-4 && result.step_rwp[0] > 100.0 * result.rwp);
	refine_result_free(&result);
	refine_job_free(&job);
}

static void run_with_threads(const struct refine_job *job, int threads, struct refine_result *result)
{
	static sonde_refine_options options;
	sonde_context *own;

	options = defaults();
	assert_status(SONDE_OK, sonde_context_create(&own));
	assert_status(SONDE_OK, sonde_context_set_device(own, "cpu"));
	assert_status(SONDE_OK, sonde_context_set_threads(own, threads));
	assert_status(SONDE_OK, refine_run(own, job, &options, NULL, result));
	sonde_context_free(&own);
}

static void test_any_number_of_threads_gives_the_same_bits(void **unused)
{
	struct refine_job *job = read_job(JOB "measured: gold.xy\nfit: {background: 2}\n");
	struct refine_result one, many;

	(void)unused;
	write_measured(7, 1.0);
	run_with_threads(job, 1, &one);
	run_with_threads(job, 5, &many);
	assert_int_equal(one.step_count, many.step_count);
	assert_memory_equal(one.step_values, many.step_values, (size_t)(3 * one.step_count) * sizeof(double));
	assert_memory_equal(one.correlations, many.correlations, 9 * sizeof(double));
	for (int k = 0; k < 3; ++k)
		assert_true(one.parameters[k].error == many.parameters[k].error);
	refine_result_free(&one);
	refine_result_free(&many);
	refine_job_free(&job);
}

/* dI/dU = -q^2 (I - <f^2>), and with equal amplitudes a dI/da = q dI/dq, from a pattern at other points. */
static void test_derivatives(void **unused)
{
	struct refine_job *job = read_job("refine: [{name: a, start: 4.08}, {name: U, start: 0.01, lower: 0}]\n"
					  "build: {cell: fcc, species: Au, a: \"${a}\", sphere: \"${1.8*a}\"}\n"
					  "debye: {q: 0.5:15.5:151, displacement: \"${U}\", factors: "
					  "unit}\nmeasured: gold.xy\nfit: {background: 0}\n");
	struct derivatives derivatives;
	struct model model;
	double slopes[2 * POINTS], curve[POINTS], near[2 * POINTS];

	(void)unused;
	write_measured(1, 0.0);
	assert_status(SONDE_OK, model_make(context, job, &model));
	assert_status(SONDE_OK, model_curves(&model, job->starts, 1, curve, NULL));
	derivatives_begin(&model, true, &derivatives);
	assert_status(SONDE_OK, derivatives_find(&derivatives, job->starts, curve, slopes));
	for (int side = 0; side < 2; ++side) {
		sonde_debye_options options;
		sonde_debye_result *result;
		sonde_atoms *atoms;
		const double factor = side == 0 ? 1.0 - 1e-4 : 1.0 + 1e-4;
		assert_status(SONDE_OK, refine_job_debye(job, 0, job->starts, &options));
		options.q = (sonde_grid){0.5 * factor, 15.5 * factor, POINTS};
		/* the same product q^2 U */
		snprintf(options.displacement, sizeof options.displacement, "%.17g", 0.01 / (factor * factor));
		assert_status(SONDE_OK, refine_job_make(context, job, job->starts, &atoms));
		assert_status(SONDE_OK, sonde_debye_run(context, atoms, &options, &result));
		memcpy(near + side * POINTS, result->intensity_per_atom, sizeof curve);
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
	for (int k = 0; k < POINTS; ++k) {
		const double expected = (near[POINTS + k] - near[k]) / (2e-4 * 4.08);
		assert_within(slopes[k], expected, 0.05, "dI/da");
		assert_within(slopes[POINTS + k], -q[k] * q[k] * (curve[k] - 1.0),
			      2e-3 * (1.0 + q[k] * q[k] * fabs(curve[k] - 1.0)), "dI/dU");
	}
	assert_false(derivatives.jumps[0]);
	model_free(&model);
	refine_job_free(&job);
}

/* Beyond its bound a parameter cannot go; the report names it. */
static void test_bounds_are_named(void **unused)
{
	const sonde_refine_options options = defaults();
	struct refine_job *job = read_job("refine:\n"
					  "  - {name: a, start: 4.05, lower: 4.0, upper: 4.07}\n"
					  "  - {name: U, start: 0.02, lower: 0, upper: 0.1}\n"
					  "build: {cell: fcc, species: Au, a: \"${a}\", sphere: \"${2.25*a}\"}\n"
					  "debye: {q: 0.5:15.5:151, displacement: \"${U}\"}\n"
					  "measured: gold.xy\n");
	struct refine_result result;

	(void)unused;
	write_measured(3, 1.0);
	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
	assert_int_equal(result.parameters[0].bound, 1);
	assert_true(result.parameters[0].value == 4.07 && result.parameters[0].high == 4.07);
	assert_true(isnan(result.parameters[0].error) && result.parameters[1].error > 0.0);
	assert_int_equal(result.parameters[1].bound, 0);
	assert_non_null(strstr(sonde_context_notes(context), "a is at its upper bound, 4.07"));
	refine_result_free(&result);
	refine_job_free(&job);
}

/* The truth is half a standard deviation above a bound, where the fit ends in a third of all cases: the interval has one side there. */
static void test_intervals_at_bounds(void **unused)
{
	const int trials = is_thorough() ? 400 : 40;
	const sonde_refine_options options = defaults();
	double error = 1e-4;
	int at_bound = 0, inside = 0;

	(void)unused;
	for (int n = -1; n < trials; ++n) {
		char text[600];
		struct refine_result result;
		snprintf(text, sizeof text,
			 "refine: [{name: U, start: 0.02, lower: %.17g, upper: 0.1}]\n"
			 "build: {cell: fcc, species: Au, a: 4.0782, sphere: 9.0943}\n"
			 "debye: {q: 0.5:15.5:151, displacement: \"${U}\"}\n"
			 "measured: exact.xy\nfit: {background: 1}\n",
			 n < 0 ? 0.0 : U - 0.5 * error);
		write_exact((uint64_t)(n + 2));
		struct refine_job *job = read_job(text);
		assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
		const struct refine_value *value = &result.parameters[0];
		if (n < 0) {
			error = value->error;
		} else {
			at_bound += value->bound == -1;
			inside += value->low <= U && U <= value->high;
			assert_true(value->bound == 0 ||
				    (value->low == value->lower && isnan(value->error) && value->high > value->low));
			assert_true(value->high < U + 5.0 * error);
		}
		refine_result_free(&result);
		refine_job_free(&job);
	}
	assert_within((double)at_bound / trials, 0.31, 3.0 * sqrt(0.31 * 0.69 / trials), "part at the bound");
	assert_true(inside > trials * 0.95 - 3.0 * sqrt(trials * 0.95 * 0.05));
}

/* A step to a value without a structure, the root of a number below 0, is shortened. */
static void test_steps_stay_where_structures_are(void **unused)
{
	const sonde_refine_options options = defaults();
	struct refine_job *job =
	    read_job("refine: [{name: w, start: 36e-4, step: 1e-3}]\n"
		     "derived: [{name: a, formula: 4.06+sqrt(w)}]\n"
		     "build: {cell: fcc, species: Au, a: \"${4.06+sqrt(w)}\", sphere: \"${2.23*(4.06+sqrt(w))}\"}\n"
		     "debye: {q: 0.5:15.5:151, displacement: 0.012}\n"
		     "measured: gold.xy\n");
	struct refine_result result;

	(void)unused;
	write_measured(4, 1.0);
	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
	assert_within(result.derived[0].value, A, 0.005, "a");
	refine_result_free(&result);
	refine_job_free(&job);
}

/* The mean and the spread of a distribution of sizes. */
static void test_spreads(void **unused)
{
	const sonde_refine_options options = defaults();
	double sum[POINTS] = {0.0}, atoms = 0.0, whole = 0.0;
	FILE *file;

	(void)unused;
	for (int k = -40; k <= 40; ++k)
		whole += exp(-0.5 * pow(k * 0.1, 2.0));
	for (int k = -40; k <= 40; ++k)
		atoms += add_pattern(A, (1.8 + 0.012 * k) * A, U, exp(-0.5 * pow(k * 0.1, 2.0)) / whole, sum);
	file = fopen(test_path("sizes.xy"), "w");
	assert_non_null(file);
	for (int k = 0; k < POINTS; ++k)
		fprintf(file, "%.12g %.12g\n", q[k], sum[k] / atoms);
	fclose(file);
	struct refine_job *job = read_job("refine:\n"
					  "  - {name: x, start: 1.9, grid: 0.02, spread: s}\n"
					  "  - {name: s, start: 0.1, lower: 0.02, upper: 0.3}\n"
					  "build: {cell: fcc, species: Au, a: 4.0782, sphere: \"${x*4.0782}\"}\n"
					  "debye: {q: 0.5:15.5:151, displacement: 0.012}\n"
					  "measured: sizes.xy\nfit: {background: -1}\n");
	struct refine_result result;
	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
	assert_within(result.parameters[0].value, 1.8, 0.01, "mean");
	assert_within(result.parameters[1].value, 0.12, 0.01, "spread");
	refine_result_free(&result);
	refine_job_free(&job);
}

/* A sample from a file, strained, and G(r). */
static void test_files_and_pair_distributions(void **unused)
{
	const sonde_refine_options options = defaults();
	sonde_build_options build;
	sonde_debye_options debye;
	sonde_debye_result *result;
	sonde_atoms *atoms;
	struct refine_result refined;

	(void)unused;
	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_FCC;
	build.icosahedron = 3;
	strcpy(build.species, "Au");
	build.a = 4.05;
	assert_status(SONDE_OK, sonde_build_run(context, &build, &atoms));
	assert_status(SONDE_OK, sonde_atoms_write(context, atoms, test_path("cluster.xyz"), 1));
	sonde_atoms_free(&atoms);
	build.a = 4.05 * 1.007;
	assert_status(SONDE_OK, sonde_build_run(context, &build, &atoms));
	sonde_debye_options_init(&debye);
	debye.q = (sonde_grid){0.5, 20.5, 401};
	debye.r = (sonde_grid){2.0, 12.0, 201};
	strcpy(debye.displacement, "0.008");
	debye.delta2 = 1.5; /* neighbors move together */
	debye.qbroad = 0.02;
	assert_status(SONDE_OK, sonde_debye_run(context, atoms, &debye, &result));
	FILE *file = fopen(test_path("au.gr"), "w");
	assert_non_null(file);
	for (int64_t k = 0; k < result->r_count; ++k)
		fprintf(file, "%.12g %.12g\n", result->r[k],
			2.0 * result->pair_distribution[k] * exp(-0.5 * pow(0.03 * result->r[k], 2.0)));
	fclose(file);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	struct refine_job *job = read_job(
	    "refine: [{name: e, start: 0, lower: -0.05, upper: 0.05}, {name: U, start: 0.02, "
	    "lower: 0.001, upper: 0.1}, {name: d, start: 0, lower: 0, upper: 4}]\n"
	    "sample: cluster.xyz\nbuild: {strain: \"${e}\"}\nmeasured: au.gr\n"
	    "debye: {q: 0.5:20.5:401, r: 2:12:201, displacement: \"Au=${U}\", delta2: \"${d}\", qbroad: 0.02}\n"
	    "fit: {background: -1, qdamp: 0.03}\n");
	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &refined));
	assert_within(refined.parameters[0].value, 0.007, 1e-6, "strain");
	assert_within(refined.parameters[1].value, 0.008, 1e-6, "U");
	assert_within(refined.parameters[2].value, 1.5, 1e-3, "delta2");
	assert_close(refined.curves[0].scale, 2.0, 1e-4, "scale");
	refine_result_free(&refined);
	refine_job_free(&job);
}

/* An icosahedron of titanium and nitrogen: what X-rays and neutrons see of it differs. */
#define ALLOY "build: {cell: rocksalt, species: \"Ti,N\", a: \"${a}\", sphere: \"${1.6*a}\"}\n"
#define ALLOY_A 4.24

/* The curve of radiation `radiation`, G(r) if `pairs`, with deviations of `noise` at all points, which the file has if `known`. */
static void write_alloy(const char *name, int radiation, bool pairs, double scale, double noise, bool known,
			uint64_t seed)
{
	sonde_build_options build;
	sonde_debye_options options;
	sonde_debye_result *result;
	sonde_atoms *atoms;
	FILE *file = fopen(test_path(name), "w");

	assert_non_null(file);
	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_ROCKSALT;
	strcpy(build.species, "Ti,N");
	build.a = ALLOY_A;
	build.sphere = 1.6 * ALLOY_A;
	assert_status(SONDE_OK, sonde_build_run(context, &build, &atoms));
	sonde_debye_options_init(&options);
	options.radiation = radiation;
	options.q = (sonde_grid){0.5, 20.5, 401};
	options.r = (sonde_grid){1.0, 12.0, 221};
	strcpy(options.displacement, "Ti=0.006,N=0.01");
	assert_status(SONDE_OK, sonde_debye_run(context, atoms, &options, &result));
	const int64_t count = pairs ? result->r_count : result->q_count;
	const double *x = pairs ? result->r : result->q,
		     *y = pairs ? result->pair_distribution : result->intensity_per_atom;
	for (int64_t k = 0; k < count; ++k) {
		fprintf(file, "%.12g %.12g", x[k], scale * y[k] + noise * normal(&seed));
		fprintf(file, known ? " %.9g\n" : "\n", noise > 0.0 ? noise : 1.0);
	}
	fclose(file);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

static void refine_text(const char *text, struct refine_result *result)
{
	const sonde_refine_options options = defaults();
	struct refine_job *job = read_job(text);

	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, result));
	assert_true(result->converged);
	refine_job_free(&job);
}

#define ALLOY_JOB                                                                                          \
	"refine:\n  - {name: a, start: 4.22, lower: 4.1, upper: 4.4}\n"                                    \
	"  - {name: t, start: 0.01, lower: 0, upper: 0.05}\n  - {name: n, start: 0.005, lower: 0, upper: " \
	"0.05}\n" ALLOY                                                                                    \
	"debye: {q: 0.5:20.5:401, r: 1:12:221, displacement: \"Ti=${t},N=${n}\"}\nfit: {background: -1}\n"

/* One structure explains curves of both radiations and G(r), each with a scale of its own. */
static void test_several_curves(void **unused)
{
	static const double scales[] = {0.4, 3.0, 0.9};
	static const char *const radiations[] = {"x-ray", "neutron", "neutron"};
	struct refine_result result;

	(void)unused;
	write_alloy("x.xy", SONDE_DEBYE_RADIATION_XRAY, false, scales[0], 0.0, true, 1);
	write_alloy("n.xy", SONDE_DEBYE_RADIATION_NEUTRON, false, scales[1], 0.0, false, 1);
	write_alloy("n.gr", SONDE_DEBYE_RADIATION_NEUTRON, true, scales[2], 0.0, true, 1);
	refine_text(ALLOY_JOB "curves:\n  - {measured: x.xy}\n"
			      "  - {measured: n.xy, debye: {radiation: neutron}, fit: {background: 0}}\n"
			      "  - {measured: n.gr, debye: {radiation: neutron}}\n",
		    &result);
	assert_within(result.parameters[0].value, ALLOY_A, 1e-6, "a");
	assert_within(result.parameters[1].value, 0.006, 1e-6, "U of Ti");
	assert_within(result.parameters[2].value, 0.01, 1e-6, "U of N");
	assert_int_equal(result.curve_count, 3);
	assert_int_equal(result.points, 401 + 401 + 221);
	assert_int_equal(result.fitted, 3 + 3 + 1);
	for (int d = 0; d < 3; ++d) {
		assert_close(result.curves[d].scale, scales[d], 1e-4, "scale");
		assert_string_equal(library_radiation_names[result.curves[d].radiation], radiations[d]);
	}
	assert_true(result.curves[2].curve == LIBRARY_G);
	refine_result_free(&result);
}

#define ONE_PARAMETER                                                      \
	"refine: [{name: a, start: 4.22, lower: 4.1, upper: 4.4}]\n" ALLOY \
	"debye: {q: 0.5:20.5:401, r: 1:12:221, displacement: \"Ti=0.006,N=0.01\"}\n"

/* Information of independent curves adds. A curve over q and G(r) that need the same pattern are computed together. */
static void test_curves_add_their_information(void **unused)
{
	struct refine_result both, one;
	double information = 0.0;
	int64_t structures;

	(void)unused;
	write_alloy("x.xy", SONDE_DEBYE_RADIATION_XRAY, false, 2.0, 5.0, true, 3);
	write_alloy("x.gr", SONDE_DEBYE_RADIATION_XRAY, true, 2.0, 0.15, true, 4);
	refine_text(ONE_PARAMETER "curves: [{measured: x.xy}, {measured: x.gr, fit: {background: -1}}]\n", &both);
	structures = both.structures;
	for (int d = 0; d < 2; ++d) {
		refine_text(d == 0 ? ONE_PARAMETER "measured: x.xy\n"
				   : ONE_PARAMETER "measured: x.gr\nfit: {background: -1}\n",
			    &one);
		information += pow(one.parameters[0].error, -2.0);
		refine_result_free(&one);
	}
	assert_close(pow(both.parameters[0].error, -2.0), information, 0.02, "information");
	assert_within(both.parameters[0].value, ALLOY_A, 3.0 * both.parameters[0].error, "a");
	assert_within(both.chi_square / (double)(both.points - both.fitted), 1.0, 0.25, "chi^2");
	refine_result_free(&both);
	/* without standard deviations, those of each curve follow from its residual, whatever its unit */
	write_alloy("x.xy", SONDE_DEBYE_RADIATION_XRAY, false, 2.0, 5.0, false, 3);
	write_alloy("x.gr", SONDE_DEBYE_RADIATION_XRAY, true, 2.0, 0.15, false, 4);
	refine_text(ONE_PARAMETER "curves: [{measured: x.xy}, {measured: x.gr, fit: {background: -1}}]\n", &both);
	assert_close(both.curves[0].sigma[0], 5.0, 0.12, "standard deviation of I");
	assert_close(both.curves[1].sigma[0], 0.15, 0.12, "standard deviation of G");
	assert_close(pow(both.parameters[0].error, -2.0), information, 0.25, "information");
	assert_true(both.structures <= structures + 20);
	refine_result_free(&both);
}

/* Counts are weighted by the fitted ones. */
static void test_counts(void **unused)
{
	const sonde_refine_options options = defaults();
	struct refine_job *job = read_job(JOB "measured: counts.xy\nfit: {background: 1, weights: poisson}\n");
	struct refine_result result;
	FILE *file = fopen(test_path("counts.xy"), "w");
	uint64_t seed = 5;

	(void)unused;
	assert_non_null(file);
	for (int k = 0; k < POINTS; ++k)
		fprintf(file, "%.12g %.0f\n", q[k], truth[k] + sqrt(truth[k]) * normal(&seed));
	fclose(file);
	assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
	assert_within(result.parameters[0].value, A, 3.0 * result.parameters[0].error, "a");
	assert_within(result.curves[0].sigma[10] * result.curves[0].sigma[10], result.curves[0].fitted[10],
		      1e-3 * result.curves[0].fitted[10], "variance");
	assert_within(result.chi_square / (POINTS - 6.0), 1.0, 0.4, "reduced chi^2");
	refine_result_free(&result);
	refine_job_free(&job);
}

static void test_bad_jobs(void **unused)
{
#define REST "build: {cell: fcc, species: Au, a: \"${a}\", sphere: 5}\nmeasured: gold.xy\n"
	static const char *const jobs[][2] = {
	    {"refine: [{name: a, start: 5, lower: 4, upper: 4.5}]\n" REST, "start, 5, is not within its bounds"},
	    {"refine: [{name: a, start: 4, lower: 4, upper: 4}]\n" REST, "lower, 4, is not below upper, 4"},
	    {"refine: [{name: a, start: 4}, {name: a, start: 3}]\n" REST, "'a' is given twice"},
	    {"refine: [{name: b, start: 4}]\n" REST, "no parameter 'a'"},
	    {"refine: [{name: a, start: 4}, {name: b, start: 1}]\n" REST, "b: the parameter occurs in no option"},
	    {"refine: [{name: a, start: 4, step: -1}]\n" REST, "above 0"},
	    {"refine: [{name: a, start: 4, spread: 0.1}]\n" REST, "a 'spread' needs a 'grid'"},
	    {"refine: [{name: a, start: 4, grid: 0.1, spread: a/100}]\n" REST, "the grid is too coarse"},
	    {"refine: [{name: sqrt, start: 4}]\n" REST, "cannot be a name"},
	    {"refine: [{name: a}]\n" REST, "'start' is missing"},
	    {"refine: [{name: a, start: x}]\n" REST, "'x' is not a number"},
	    {"refine: []\n" REST, "a list is expected"},
	    {REST, "'refine' is missing"},
	    {"refine: [{name: a, start: 4}]\nmeasured: gold.xy\n", "occurs in no option"},
	    {"refine: [{name: a, start: 4}]\nbuild: {a: \"${a}\"}\n", "'measured' is missing"},
	    {"refine: [{name: a, start: 4}]\nbuild: {a: \"${a}\"}\nmeasured: none.xy\n", "'none.xy'"},
	    {"refine: [{name: a, start: 4}]\nfit: {most: 3}\n" REST, "'most' is not an option of a refinement"},
	    {"refine: [{name: a, start: 4}]\ndebye: {frames: all}\n" REST, "'frames' is not an option"},
	    {"refine: [{name: a, start: 4}]\nderived: [{name: r, formula: b}]\n" REST, "no parameter 'b'"},
	    {"refine: [{name: a, start: 4}]\nfits: 3\n" REST, "fits"},
	    {"refine: [{name: a, start: 4}]\ncurves: [{measured: gold.xy}]\n" REST, "'measured' and 'curves'"},
	    {"refine: [{name: a, start: 4}]\nbuild: {a: \"${a}\"}\ncurves: []\n", "a list is expected"},
	    {"refine: [{name: a, start: 4}]\nbuild: {a: \"${a}\"}\ncurves: [{debye: {q: 1:2:3}}]\n",
	     "'measured' is missing"},
	    {"refine: [{name: a, start: 4}]\nbuild: {a: \"${a}\"}\ncurves: [{measured: gold.xy, scale: 3}]\n",
	     "scale"},
	    {"refine: [{name: a, start: 4}]\nbuild: {a: \"${a}\"}\ncurves: [{measured: gold.xy, debye: {resolution: "
	     "0.1}}]\n",
	     "the block 'fit' has those"}};

	(void)unused;
	write_measured(1, 0.0);
	for (size_t k = 0; k < COUNT(jobs); ++k) {
		struct refine_job *job;
		assert_invalid(jobs[k][1], refine_job_read(test_write_text("bad.yaml", jobs[k][0]), &job));
		assert_null(job);
	}
}

/* A number without a value, or without an error, is no failure of a fit. */
static void test_derived_numbers_without_a_value(void **unused)
{
	static const char *const jobs[] = {"refine: [{name: U, start: 0.05, lower: 0.03, upper: 0.1}]\n"
					   "derived: [{name: d, formula: log(U-0.03)}]\n"
					   "build: {cell: fcc, species: Au, a: 4.0782, sphere: 9.0943}\n"
					   "debye: {q: 0.5:15.5:151, displacement: \"${U}\"}\n"
					   "measured: exact.xy\nfit: {background: 1}\n",
					   "refine: [{name: U, start: 0.02}, {name: W, start: 0.01}]\n"
					   "derived: [{name: d, formula: U+W}]\n"
					   "build: {cell: fcc, species: Au, a: 4.0782, sphere: 9.0943}\n"
					   "debye: {q: 0.5:15.5:151, displacement: \"${U+W}\"}\n"
					   "measured: exact.xy\nfit: {background: 1}\n"};
	const sonde_refine_options options = defaults();

	(void)unused;
	write_exact(1);
	for (size_t k = 0; k < COUNT(jobs); ++k) {
		struct refine_job *job = read_job(jobs[k]);
		struct refine_result result;
		assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
		assert_int_equal(result.derived_count, 1);
		assert_true(isnan(result.derived[0].value) == (k == 0));
		assert_true(k == 0 || isnan(result.parameters[0].error));
		assert_true(isnan(result.derived[0].error) && isnan(result.derived[0].low) &&
			    isnan(result.derived[0].high));
		refine_result_free(&result);
		refine_job_free(&job);
	}
}

static void test_bad_runs(void **unused)
{
#define BALL "build: {cell: fcc, species: Au, a: \"${a}\", sphere: \"${1.2*a}\"}\n"
	static const char *const jobs[][2] = {
	    {"refine: [{name: a, start: 4}, {name: z, start: 1, step: 0.5}]\nbuild: {cell: fcc, species: Au, a: "
	     "\"${a+0*z}\", "
	     "sphere: "
	     "5}\nmeasured: gold.xy\n",
	     "z: the curve does not depend on this parameter: a step of 0.5 changes"},
	    {"refine: [{name: a, start: 4}]\n" BALL "debye: {q: 20:30:50}\nmeasured: gold.xy\n",
	     "no range in common"},
	    {"refine: [{name: a, start: 4}]\n" BALL "debye: {q: 0.5:15.5:151}\nfit: {range: 1:1.3, background: 1}\n"
	     "measured: gold.xy\n",
	     "it needs more points than parameters"}};
	const sonde_refine_options options = defaults();

	(void)unused;
	write_measured(1, 0.0);
	for (size_t k = 0; k < COUNT(jobs); ++k) {
		struct refine_job *job = read_job(jobs[k][0]);
		struct refine_result result;
		assert_invalid(jobs[k][1], refine_run(context, job, &options, NULL, &result));
		refine_result_free(&result);
		refine_job_free(&job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_intervals_cover_the_truth),
	    cmocka_unit_test(test_the_truth_is_found_exactly),
	    cmocka_unit_test(test_any_number_of_threads_gives_the_same_bits),
	    cmocka_unit_test(test_derivatives),
	    cmocka_unit_test(test_bounds_are_named),
	    cmocka_unit_test(test_intervals_at_bounds),
	    cmocka_unit_test(test_steps_stay_where_structures_are),
	    cmocka_unit_test(test_spreads),
	    cmocka_unit_test(test_files_and_pair_distributions),
	    cmocka_unit_test(test_several_curves),
	    cmocka_unit_test(test_curves_add_their_information),
	    cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_bad_jobs),
	    cmocka_unit_test(test_derived_numbers_without_a_value),
	    cmocka_unit_test(test_bad_runs),
	};

	return cmocka_run_group_tests_name("refinements", tests, make_truth, release);
}
