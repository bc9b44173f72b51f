/* Intervals of refinements: how often they contain the truth, at bounds, too, and of G(r) with points that are not independent. */
#include "unit/refined_gold.h"

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

/* G(r) at 526 points of a ball that is known up to q = 20.5, from which there are 69 independent ones: its truth, and noise of F(q), whose
 * transform is that of G(r). */
#define PAIRS 526
#define PAIR_FREQUENCIES 410
#define PAIR_SIGMA 0.3 /* of F(q) at each of these */

static double pair_r[PAIRS], pair_truth[PAIRS], pair_sines[PAIRS][PAIR_FREQUENCIES];

static void make_pairs(void)
{
	sonde_build_options build;
	sonde_debye_options options;
	sonde_debye_result *result;
	sonde_atoms *atoms;

	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_FCC;
	strcpy(build.species, "Au");
	build.a = A;
	build.sphere = 1.5 * A;
	assert_status(SONDE_OK, sonde_build_run(context, &build, &atoms));
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.05, 20.5, PAIR_FREQUENCIES};
	options.r = (sonde_grid){1.5, 12.0, PAIRS};
	options.method = SONDE_DEBYE_METHOD_REFERENCE;
	snprintf(options.displacement, sizeof options.displacement, "%.17g", U);
	assert_status(SONDE_OK, sonde_debye_run(context, atoms, &options, &result));
	for (int k = 0; k < PAIRS; ++k) {
		pair_r[k] = result->r[k];
		pair_truth[k] = result->pair_distribution[k];
		for (int n = 0; n < PAIR_FREQUENCIES; ++n)
			pair_sines[k][n] = 2.0 / 3.14159265358979323846 * 0.05 * sin(result->q[n] * pair_r[k]);
	}
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* As files of PDFgetX3, with the standard deviations of single points as the fourth column. */
static void write_pairs(uint64_t seed, bool header)
{
	double noise[PAIR_FREQUENCIES];
	FILE *file = fopen(test_path("gold.gr"), "w");

	assert_non_null(file);
	for (int n = 0; n < PAIR_FREQUENCIES; ++n)
		noise[n] = PAIR_SIGMA * normal(&seed);
	fprintf(file, "%s#### start data\n#L r G dr dG\n", header ? "qmaxinst = 30\nqmax = 20.5\n" : "");
	for (int k = 0; k < PAIRS; ++k) {
		double deviation = 0.0, square = 0.0;
		for (int n = 0; n < PAIR_FREQUENCIES; ++n) {
			deviation += pair_sines[k][n] * noise[n];
			square += pow(pair_sines[k][n] * PAIR_SIGMA, 2.0);
		}
		fprintf(file, "%.12g %.12g 0 %.9g\n", pair_r[k], pair_truth[k] + deviation, sqrt(square));
	}
	fclose(file);
}

#define PAIR_JOB                                                               \
	"refine:\n  - {name: a, start: 4.07, lower: 3.9, upper: 4.3}\n"        \
	"  - {name: U, start: 0.014, lower: 0, upper: 0.1}\n"                  \
	"build: {cell: fcc, species: Au, a: \"${a}\", sphere: \"${1.5*a}\"}\n" \
	"debye: {q: 0.05:20.5:410, r: 1.5:12:526, displacement: \"${U}\"}\nmeasured: gold.gr\n"

/* The part of intervals with the truth; *reduced is the mean chi^2 per degree of freedom. */
static double cover_pairs(const char *text, int trials, bool header, double *reduced)
{
	static const double values[] = {A, U};
	const sonde_refine_options options = defaults();
	int inside = 0;

	write_pairs(1, header);
	struct refine_job *job = read_job(text);
	*reduced = 0.0;
	for (int n = 0; n < trials; ++n) {
		struct refine_result result;
		write_pairs((uint64_t)n + 1, header);
		assert_status(SONDE_OK, refine_run(context, job, &options, NULL, &result));
		for (int k = 0; k < 2; ++k)
			inside += result.parameters[k].low <= values[k] && values[k] <= result.parameters[k].high;
		*reduced += result.chi_square / (double)(result.independent - result.fitted) / trials;
		assert_int_equal(result.independent, header ? 69 : PAIRS);
		refine_result_free(&result);
	}
	refine_job_free(&job);
	return inside / (2.0 * trials);
}

static void test_intervals_of_pair_distributions(void **unused)
{
	const int trials = is_thorough() ? 400 : 30;
	const double spread = sqrt(0.05 * 0.95 / (2.0 * trials));
	double reduced;

	(void)unused;
	make_pairs();
	const double sigma = cover_pairs(PAIR_JOB "fit: {background: -1}\n", trials, true, &reduced);
	assert_within(sigma, 0.95, 3.0 * spread, "part of intervals with the truth");
	assert_within(reduced, 1.0, 0.1, "chi^2 per degree of freedom");
	const double uniform =
			 cover_pairs(PAIR_JOB "fit: {background: -1, weights: uniform}\n", trials, true, &reduced),
		     all = cover_pairs(PAIR_JOB "fit: {background: -1}\n", trials, false, &reduced);
	assert_within(uniform, 0.95, 3.0 * spread, "part of intervals of uniform weights with the truth");
	/* if all points are taken to be independent */
	assert_true(all < 0.75);
	assert_non_null(
	    strstr(sonde_context_notes(context), "gold.gr: the largest q of the measurement is not known"));
	if (is_thorough())
		print_message("%d trials: %.4f with sigma, %.4f uniform, %.4f with all points\n", trials, sigma,
			      uniform, all);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_intervals_cover_the_truth),
	    cmocka_unit_test(test_bounds_are_named),
	    cmocka_unit_test(test_intervals_at_bounds),
	    cmocka_unit_test(test_intervals_of_pair_distributions),
	    cmocka_unit_test(test_derived_numbers_without_a_value),
	};

	return cmocka_run_group_tests_name("intervals of refinements", tests, make_truth, release);
}
