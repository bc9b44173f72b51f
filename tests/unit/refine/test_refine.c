/* Refinements of small particles against patterns that are computed separately: values, derivatives, distributions, bad input. */
#include "unit/refined_gold.h"

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
	    cmocka_unit_test(test_the_truth_is_found_exactly),
	    cmocka_unit_test(test_any_number_of_threads_gives_the_same_bits),
	    cmocka_unit_test(test_derivatives),
	    cmocka_unit_test(test_steps_stay_where_structures_are),
	    cmocka_unit_test(test_spreads),
	    cmocka_unit_test(test_files_and_pair_distributions),
	    cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_bad_jobs),
	    cmocka_unit_test(test_bad_runs),
	};

	return cmocka_run_group_tests_name("refinements", tests, make_truth, release);
}
