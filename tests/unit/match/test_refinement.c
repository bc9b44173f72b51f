/* Refined candidates: strain, Debye-Waller factors, resolution, and distributions of sizes that were put in, from plain sums over pairs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/support.h"
#include "base/options.h"
#include "match/match.h"
#include "match/option_table.h"
#include "match/size_distribution.h"

#define PI 3.14159265358979323846
#define POINTS 680
#define MEASURED 160
#define MOST_ATOMS 400
#define TRIALS 60

static double axis[POINTS];

/* Atoms of a face-centered cubic lattice within a radius; their number. */
static int make_ball(double radius, double (*atoms)[3])
{
	const double half = 2.04; /* of the lattice constant of gold */
	const int reach = (int)(radius / half) + 1;
	int count = 0;

	for (int i = -reach; i <= reach; ++i)
		for (int j = -reach; j <= reach; ++j)
			for (int k = -reach; k <= reach; ++k)
				if ((i + j + k) % 2 == 0 &&
				    i * i + j * j + k * k <= radius * radius / (half * half)) {
					atoms[count][0] = half * i;
					atoms[count][1] = half * j;
					atoms[count++][2] = half * k;
				}
	return count;
}

/* Distances and how often they occur, so that many q are cheap. */
struct shells {
	int count, atoms;
	double r[4000];
	int times[4000];
};

static void make_shells(double radius, struct shells *shells)
{
	static double atoms[MOST_ATOMS][3];
	const int count = make_ball(radius, atoms);

	*shells = (struct shells){.atoms = count};
	for (int i = 0; i < count; ++i)
		for (int j = 0; j < i; ++j) {
			double square = 0.0;
			for (int k = 0; k < 3; ++k)
				square += pow(atoms[i][k] - atoms[j][k], 2.0);
			int n = 0;
			while (n < shells->count && fabs(shells->r[n] - sqrt(square)) > 1e-6)
				++n;
			shells->r[n] = sqrt(square);
			shells->times[n] += 2;
			shells->count += n == shells->count;
		}
}

/* I/N of atoms with amplitude 1. */
static double intensity(const struct shells *shells, double strain, double b, double q)
{
	double sum = 0.0;

	for (int n = 0; n < shells->count; ++n) {
		const double x = q * shells->r[n] * (1.0 + strain);
		sum += shells->times[n] * sin(x) / x;
	}
	return 1.0 + sum / shells->atoms * exp(-b * q * q / (8.0 * PI * PI));
}

/* G(r) of Gaussian peaks at the distances up to 12 Angstrom; with qbroad the mean over relative changes of q, by a sum. */
static double pairs(const struct shells *shells, double strain, double b, double qdamp, double qbroad, double r)
{
	const int half = qbroad > 0.0 ? 30 : 0;
	double sum = 0.0, all = 0.0;

	for (int k = -half; k <= half; ++k) {
		const double change = 1.0 + 0.2 * k * qbroad, part = exp(-0.5 * 0.04 * k * k),
			     variance = (0.02 * pow(1.0 + strain, 2.0) + b / (4.0 * PI * PI)) * change * change;
		all += part;
		for (int n = 0; n < shells->count; ++n) {
			const double at = shells->r[n] * (1.0 + strain) * change;
			if (shells->r[n] < 12.0 && fabs(r - at) < 3.0)
				sum += part * shells->times[n] / (shells->atoms * at) *
				       exp(-0.5 * pow(r - at, 2.0) / variance) / sqrt(2.0 * PI * variance);
		}
	}
	return sum / all * exp(-0.5 * pow(r * qdamp, 2.0));
}

static const double radii[] = {4.2, 5.3, 6.4, 7.5, 8.6, 9.7, 10.8};
#define RADII (sizeof radii / sizeof *radii)
static struct shells balls[RADII];

static const char *write_library(const char *name, enum library_curve curve)
{
	static char path[512]; /* names of test_path() are valid for some calls only */
	struct library_head head = {.radiation = LIBRARY_XRAY, .physics = (char *)"factors = unit"};
	struct library_writer *writer;
	double values[POINTS];

	snprintf(path, sizeof path, "%s", test_path(name));
	head.has[curve] = true;
	for (int k = 0; k < POINTS; ++k)
		axis[k] = curve == LIBRARY_G ? 0.02 * (k + 1) : 0.4 + 0.02 * k;
	*(curve == LIBRARY_G ? &head.r : &head.q) = axis;
	*(curve == LIBRARY_G ? &head.r_count : &head.q_count) = POINTS;
	assert_status(SONDE_OK, library_create(path, true, &head, &writer));
	for (size_t n = 0; n < RADII; ++n) {
		char key[LIBRARY_KEY + 1], text[32], composition[32];
		snprintf(key, sizeof key, "%064x", (unsigned)n);
		snprintf(text, sizeof text, "ball %g", radii[n]);
		snprintf(composition, sizeof composition, "Au%d", balls[n].atoms);
		for (int k = 0; k < POINTS; ++k)
			values[k] = curve == LIBRARY_G   ? pairs(&balls[n], 0.0, 0.0, 0.0, 0.0, axis[k])
				    : curve == LIBRARY_F ? axis[k] * (intensity(&balls[n], 0.0, 0.0, axis[k]) - 1.0)
							 : intensity(&balls[n], 0.0, 0.0, axis[k]);
		struct library_candidate candidate = {.name = text,
						      .key = key,
						      .family = n == 0 ? "small" : "balls",
						      .composition = composition,
						      .atoms = (uint64_t)balls[n].atoms,
						      .size = 2.0 * radii[n]};
		candidate.curves[curve] = values;
		assert_status(SONDE_OK, library_add(writer, &candidate));
	}
	assert_status(SONDE_OK, library_writer_finish(&writer));
	return path;
}

static double normal(uint64_t *state)
{
	const double u = test_random_real(state), v = test_random_real(state);

	return sqrt(-2.0 * log(1.0 - u)) * cos(2.0 * PI * v);
}

/* Points that are not those of the library. */
static double measured_x(int k)
{
	return 0.7 + 0.0801 * k;
}

static const char *write_curve(const char *name, const double *values, double sigma, uint64_t seed)
{
	const char *path = test_path(name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (int k = 0; k < MEASURED; ++k)
		fprintf(file, "%.12g %.12g %.6g\n", measured_x(k),
			values[k] + (seed != 0 ? sigma * normal(&seed) : 0.0), sigma);
	fclose(file);
	return path;
}

static sonde_match_options defaults(const char *refine)
{
	sonde_match_options options;

	options_set_defaults(&match_option_table, &options);
	snprintf(options.refine, sizeof options.refine, "%s", refine);
	options.background = 0;
	options.peak = 1000.0;
	options.sparsity = SONDE_MATCH_SPARSITY_BIC;
	return options;
}

static sonde_status run_series(const char *const *measured, int count, const char *library,
			       const sonde_match_options *options, int threads, struct match_result *result)
{
	const struct match_request request = {measured, count, &library, 1};
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, threads));
	const sonde_status status = match_run(context, &request, options, result);
	sonde_context_free(&context);
	return status;
}

static sonde_status run(const char *measured, const char *library, const sonde_match_options *options, int threads,
			struct match_result *result)
{
	return run_series(&measured, 1, library, options, threads, result);
}

static const struct match_parameter *find(const struct match_result *result, const char *name, const char *of)
{
	for (int k = 0; k < result->parameter_count; ++k)
		if (strcmp(result->parameter[k].name, name) == 0 && strcmp(result->parameter[k].of, of) == 0)
			return &result->parameter[k];
	fail_msg("%s of '%s' is not refined", name, of);
	return NULL;
}

static void test_two_candidates_have_strains_of_their_own(void **unused)
{
	const char *library = write_library("i.h5", LIBRARY_I_PER_ATOM);
	sonde_match_options options = defaults("strain,B");
	struct match_result result;
	double values[MEASURED];

	(void)unused;
	for (int k = 0; k < MEASURED; ++k)
		values[k] = 30.0 * intensity(&balls[2], 0.0123, 0.4, measured_x(k)) +
			    50.0 * intensity(&balls[5], -0.006, 0.9, measured_x(k)) + 7.0;
	const char *measured = write_curve("two.xy", values, 0.05, 0);
	assert_status(SONDE_OK, run(measured, library, &options, 2, &result));
	assert_int_equal(result.weight_count, 2);
	assert_string_equal(result.weights[0].entry.name, "ball 9.7");
	assert_close(result.weights[0].weight, 50.0, 1e-5, "weight");
	assert_close(result.weights[1].weight, 30.0, 1e-5, "weight");
	assert_close(find(&result, "strain", "ball 6.4")->value, 0.0123, 1e-4, "strain");
	assert_close(find(&result, "strain", "ball 9.7")->value, -0.006, 1e-4, "strain");
	assert_close(find(&result, "B", "ball 6.4")->value, 0.4, 1e-4, "B");
	assert_close(find(&result, "B", "ball 9.7")->value, 0.9, 1e-4, "B");
	assert_close(result.curves[0].background[5], 7.0, 1e-3, "background");
	assert_true(result.alone_count > 2 && result.alone[0].chi_square <= result.alone[1].chi_square);
	match_result_free(&result);
}

static void test_f_and_shared_strain(void **unused)
{
	const char *library = write_library("f.h5", LIBRARY_F);
	sonde_match_options options = defaults("strain,B");
	struct match_result result;
	double values[MEASURED];

	(void)unused;
	options.shared = 1;
	options.background = -1;
	for (int k = 0; k < MEASURED; ++k) {
		const double q = measured_x(k);
		values[k] = q * (0.4 * (intensity(&balls[3], 0.004, 0.3, q) - 1.0) +
				 0.6 * (intensity(&balls[6], 0.004, 0.3, q) - 1.0));
	}
	assert_status(SONDE_OK, run(write_curve("f.fq", values, 2e-3, 0), library, &options, 2, &result));
	assert_int_equal(result.parameter_count, 2);
	assert_int_equal(result.weight_count, 2);
	assert_close(find(&result, "strain", "")->value, 0.004, 1e-3, "strain");
	assert_close(find(&result, "B", "")->value, 0.3, 1e-3, "B");
	assert_close(result.weights[0].weight, 0.6, 1e-4, "weight");
	match_result_free(&result);
}

static void test_peaks_of_pairs_shift_and_widen(void **unused)
{
	const char *library = write_library("g.h5", LIBRARY_G);
	sonde_match_options options = defaults("strain, B, qdamp, qbroad");
	struct match_result result;
	double values[MEASURED];

	(void)unused;
	options.background = -1;
	options.b_limit = 1.0;
	for (int k = 0; k < MEASURED; ++k)
		values[k] = 1.7 * pairs(&balls[4], 0.009, 0.25, 0.06, 0.012, measured_x(k));
	const char *measured = write_curve("g.gr", values, 0.02, 0);
	assert_status(SONDE_OK, run(measured, library, &options, 2, &result));
	assert_int_equal(result.weight_count, 1);
	assert_string_equal(result.weights[0].entry.name, "ball 8.6");
	assert_close(result.weights[0].weight, 1.7, 1e-3, "weight");
	assert_close(find(&result, "strain", "ball 8.6")->value, 0.009, 2e-3, "strain");
	assert_close(find(&result, "B", "ball 8.6")->value, 0.25, 5e-3, "B");
	assert_close(find(&result, "qdamp", measured)->value, 0.06, 2e-3, "qdamp");
	assert_close(find(&result, "qbroad", measured)->value, 0.012, 5e-3, "qbroad");
	match_result_free(&result);
}

/* 95 % intervals of normally distributed noise: 300 intervals contain 285 +- 3.8, and 3 times as much is allowed. */
static void test_intervals_cover(void **unused)
{
	const char *library = write_library("cover.h5", LIBRARY_I_PER_ATOM);
	const sonde_match_options options = defaults("strain,B");
	const double wanted[4] = {0.0123, 0.5, -0.004, 0.7};
	double values[MEASURED];
	int within = 0, all = 0;

	(void)unused;
	for (int k = 0; k < MEASURED; ++k)
		values[k] = 30.0 * intensity(&balls[2], wanted[0], wanted[1], measured_x(k)) +
			    50.0 * intensity(&balls[5], wanted[2], wanted[3], measured_x(k)) + 7.0;
	for (int trial = 0; trial < TRIALS; ++trial) {
		struct match_result result;
		const char *measured = write_curve("cover.xy", values, 1.0, 1 + (uint64_t)trial);
		assert_status(SONDE_OK, run(measured, library, &options, 1, &result));
		/* noise may favor another radius */
		if (result.weight_count == 2 && strcmp(result.weights[0].entry.name, "ball 9.7") == 0 &&
		    strcmp(result.weights[1].entry.name, "ball 6.4") == 0) {
			const struct match_parameter *found[4] = {
			    find(&result, "strain", "ball 6.4"), find(&result, "B", "ball 6.4"),
			    find(&result, "strain", "ball 9.7"), find(&result, "B", "ball 9.7")};
			for (int k = 0; k < 4; ++k)
				within += fabs(found[k]->value - wanted[k]) <= 1.959964 * found[k]->error;
			within += fabs(result.weights[0].weight - 50.0) <= 1.959964 * result.weights[0].error;
			all += 5;
		}
		match_result_free(&result);
	}
	assert_true(all >= 5 * TRIALS * 9 / 10);
	assert_within((double)within / all, 0.95, 0.038, "coverage of 95 % intervals");
}

/* A parameter of a series by its name and owner: its column. */
static int column_of(const struct match_series *series, const char *name, const char *of)
{
	for (int k = 0; k < series->parameter_count; ++k)
		if (strcmp(series->parameter[k].name, name) == 0 && strcmp(series->parameter[k].of, of) == 0)
			return k;
	fail_msg("%s of '%s' is not among the series' parameters", name, of);
	return 0;
}

static int row_of(const struct match_series *series, const char *name)
{
	for (int k = 0; k < series->candidates; ++k)
		if (strcmp(series->entries[k].name, name) == 0)
			return k;
	fail_msg("'%s' is not in the series", name);
	return 0;
}

/* One ball becomes another one, and both expand by more than a tenth of the width of their peaks: the second one is not in the first curve. */
static void test_a_series_has_parameters_of_each_curve(void **unused)
{
	enum { CURVES = 7 };
	const char *library = write_library("series.h5", LIBRARY_I_PER_ATOM);
	const sonde_match_options options = defaults("strain,B");
	static char paths[CURVES][512];
	const char *measured[CURVES];
	struct match_result results[2];
	double values[MEASURED];

	(void)unused;
	for (int n = 0; n < CURVES; ++n) {
		char name[32];
		const double part = n / (CURVES - 1.0);
		snprintf(name, sizeof name, "series%d.xy", n);
		for (int k = 0; k < MEASURED; ++k)
			values[k] =
			    40.0 * (1.0 - part) * intensity(&balls[2], 0.0025 * n, 0.3 + 0.05 * n, measured_x(k)) +
			    60.0 * part * intensity(&balls[5], -0.01 + 0.001 * n, 0.7, measured_x(k)) + 7.0;
		snprintf(paths[n], sizeof paths[n], "%s", write_curve(name, values, 0.02, 77 + (uint64_t)n));
		measured[n] = paths[n];
	}
	for (int k = 0; k < 2; ++k)
		assert_status(SONDE_OK, run_series(measured, CURVES, library, &options, 1 + 2 * k, &results[k]));
	const struct match_series *series = &results[0].series;
	const int first = row_of(series, "ball 6.4"), second = row_of(series, "ball 9.7"),
		  columns[4] = {column_of(series, "strain", "ball 6.4"), column_of(series, "B", "ball 6.4"),
				column_of(series, "strain", "ball 9.7"), column_of(series, "B", "ball 9.7")};
	assert_int_equal(series->count, CURVES);
	assert_int_equal(series->parameter_count, 2 * series->candidates);
	for (int n = 0; n < CURVES; ++n) {
		const double part = n / (CURVES - 1.0), *weights = series->weights + n * series->candidates,
			     *errors = series->errors + n * series->candidates,
			     *found = series->values + n * series->parameter_count,
			     *deviations = series->value_errors + n * series->parameter_count;
		const double wanted[4] = {0.0025 * n, 0.3 + 0.05 * n, -0.01 + 0.001 * n, 0.7};
		assert_true(fabs(weights[first] - 40.0 * (1.0 - part)) <= 4.5 * errors[first]);
		assert_true(fabs(weights[second] - 60.0 * part) <= 4.5 * errors[second]);
		for (int k = 0; k < 4; ++k)
			if ((k < 2 ? weights[first] : weights[second]) > 0.0)
				assert_true(fabs(found[columns[k]] - wanted[k]) <= 4.5 * deviations[columns[k]] &&
					    deviations[columns[k]] < 0.2);
			else
				assert_true(isnan(found[columns[k]]) && isnan(deviations[columns[k]]));
		assert_true(series->chi_square[n] > 90.0 && series->chi_square[n] < 230.0 && series->rwp[n] < 1e-3);
	}
	assert_true(isnan(series->values[columns[2]]) &&
		    isnan(series->values[(CURVES - 1) * series->parameter_count + columns[0]]));
	/* the fit of the first curve is that of the series */
	assert_close(series->values[columns[0]], find(&results[0], "strain", "ball 6.4")->value, 1e-4, "strain");
	const size_t bytes = sizeof(double) * CURVES * (size_t)series->parameter_count;
	assert_memory_equal(series->values, results[1].series.values, bytes);
	assert_memory_equal(series->weights, results[1].series.weights, bytes / 2);
	for (int k = 0; k < 2; ++k)
		match_result_free(&results[k]);
}

/* I(q) and G(r) of each row are fitted with the same strains; every row has intervals. */
static void test_rows_of_several_curves_are_refined(void **unused)
{
	enum { CURVES = 2 };
	sonde_match_options options = defaults("strain");
	static char library[512], files[CURVES][2][512];
	const char *const measured[CURVES] = {files[0][0], files[1][0]};
	static const double strains[CURVES] = {0.004, -0.007};
	struct match_result results[2], one;
	double values[MEASURED];

	(void)unused;
	snprintf(library, sizeof library, "%s", write_library("rows_i.h5", LIBRARY_I_PER_ATOM));
	for (int n = 0; n < CURVES; ++n)
		for (int d = 0; d < 2; ++d) {
			char name[32];
			snprintf(name, sizeof name, d == 0 ? "rows%d.xy" : "rows%d.gr", n);
			for (int k = 0; k < MEASURED; ++k)
				values[k] = d == 0
						? 40.0 * intensity(&balls[2], strains[n], 0.0, measured_x(k)) + 7.0
						: 80.0 * pairs(&balls[2], strains[n], 0.0, 0.0, 0.0, measured_x(k));
			snprintf(files[n][d], sizeof files[n][d], "%s",
				 write_curve(name, values, d == 0 ? 0.05 : 0.3, 90 + (uint64_t)(2 * n + d)));
		}
	const char *pairs_library = write_library("rows_g.h5", LIBRARY_G);
	options.refined = 2;
	options.bootstrap = 30;
	options.bootstrap_all = true;
	options.qmax = 60.0; /* the points are as far from each other */
	snprintf(options.with, sizeof options.with, "%s,%s,%s", files[0][1], files[1][1], pairs_library);
	for (int k = 0; k < 2; ++k)
		assert_status(SONDE_OK, run_series(measured, CURVES, library, &options, 1 + 2 * k, &results[k]));
	const struct match_series *series = &results[0].series;
	const int row = row_of(series, "ball 6.4"), strain = column_of(series, "strain", "ball 6.4");
	for (int n = 0; n < CURVES; ++n) {
		const int64_t weight = n * series->candidates + row, value = n * series->parameter_count + strain;
		assert_within(series->weights[weight], 40.0, 4.5 * series->errors[weight], "weight");
		assert_within(series->values[value], strains[n], 4.5 * series->value_errors[value], "strain");
		assert_close(series->value_high[value] - series->value_low[value],
			     2.0 * 1.96 * series->value_errors[value], 0.45, "width");
		assert_close(series->high[weight] - series->low[weight], 2.0 * 1.96 * series->errors[weight], 0.45,
			     "width");
		/* more is known than from I(q) alone */
		options.with[0] = '\0';
		options.bootstrap = 0;
		options.bootstrap_all = false;
		options.qmax = 0.0;
		assert_status(SONDE_OK, run(measured[n], library, &options, 2, &one));
		assert_true(series->value_errors[value] < 0.97 * find(&one, "strain", "ball 6.4")->error);
		match_result_free(&one);
	}
	const size_t bytes = sizeof(double) * CURVES * (size_t)series->parameter_count;
	assert_memory_equal(series->value_low, results[1].series.value_low, bytes);
	assert_memory_equal(series->value_high, results[1].series.value_high, bytes);
	for (int k = 0; k < 2; ++k)
		match_result_free(&results[k]);
}

/* Intervals of the bootstrap are those of the covariance where the curve is nearly a linear function of the parameters. */
static void test_bootstrap_refits_the_parameters(void **unused)
{
	const char *library = write_library("bootstrap.h5", LIBRARY_I_PER_ATOM);
	sonde_match_options options = defaults("strain,B");
	struct match_result results[3];
	double values[MEASURED];

	(void)unused;
	for (int k = 0; k < MEASURED; ++k)
		values[k] = 30.0 * intensity(&balls[2], 0.0123, 0.4, measured_x(k)) +
			    50.0 * intensity(&balls[5], -0.006, 0.9, measured_x(k)) + 7.0;
	const char *measured = write_curve("bootstrap.xy", values, 0.3, 9);
	for (int k = 0; k < 3; ++k) {
		options.bootstrap = k == 0 ? 0 : 400;
		assert_status(SONDE_OK, run(measured, library, &options, 1 + (k == 2), &results[k]));
	}
	assert_int_equal(results[0].parameter_count, 4);
	for (int k = 0; k < 4; ++k) {
		const struct match_parameter *plain = &results[0].parameter[k], *drawn = &results[1].parameter[k];
		const double width = plain->interval[1] - plain->interval[0];
		assert_close(width, 2.0 * 1.959964 * plain->error, 1e-6, "interval");
		assert_true(drawn->value == plain->value && drawn->error == plain->error);
		assert_true(drawn->interval[0] != plain->interval[0]);
		/* ends of 400 have standard deviations of 0.034 of the width */
		for (int side = 0; side < 2; ++side)
			assert_within(drawn->interval[side], plain->interval[side], 0.13 * width, "interval");
		assert_memory_equal(drawn->interval, results[2].parameter[k].interval, sizeof drawn->interval);
	}
	for (int k = 0; k < 2; ++k) {
		const struct match_weight *plain = &results[0].weights[k], *drawn = &results[1].weights[k];
		assert_within(drawn->low, plain->low, 0.13 * (plain->high - plain->low), "interval");
		assert_within(drawn->high, plain->high, 0.13 * (plain->high - plain->low), "interval");
		assert_true(drawn->low == results[2].weights[k].low && drawn->high == results[2].weights[k].high);
	}
	for (int k = 0; k < 3; ++k)
		match_result_free(&results[k]);
}

/* Parts by Simpson's rule in ln D instead of the error function. */
static void sum_parts(double mean, double width, const double *sizes, const double *atoms, int count, double *parts)
{
	const double square = log(1.0 + width * width), mu = log(mean) - 0.5 * square;
	double sum = 0.0;

	for (int k = 0; k < count; ++k)
		parts[k] = 0.0;
	for (int k = 0; k + 1 < count; ++k)
		for (int n = 0; n <= 400; ++n) {
			const double d = sizes[k] + (sizes[k + 1] - sizes[k]) * n / 400.0,
				     weight = (n == 0 || n == 400 ? 1.0
					       : n % 2 == 1       ? 4.0
								  : 2.0) *
					      (sizes[k + 1] - sizes[k]) * exp(-0.5 * pow(log(d) - mu, 2.0) / square) /
					      d;
			parts[k] += weight * (sizes[k + 1] - d) / (sizes[k + 1] - sizes[k]);
			parts[k + 1] += weight * (d - sizes[k]) / (sizes[k + 1] - sizes[k]);
		}
	for (int k = 0; k < count; ++k)
		sum += parts[k] *= atoms[k];
	for (int k = 0; k < count; ++k)
		parts[k] /= sum;
}

static void test_sizes_are_distributed(void **unused)
{
	const char *library = write_library("sizes.h5", LIBRARY_I_PER_ATOM);
	sonde_match_options options = defaults("strain");
	struct match_result result;
	double values[MEASURED] = {0}, sizes[RADII], atoms[RADII], parts[RADII], other[RADII];

	(void)unused;
	for (size_t n = 0; n < RADII; ++n) {
		sizes[n] = 2.0 * radii[n];
		atoms[n] = balls[n].atoms;
	}
	/* widths from a tenth of the distance of two sizes on */
	for (int trial = 0; trial < 4; ++trial) {
		const double width = 0.014 * pow(3.0, trial), mean = 12.2 + trial;
		const double left_out = size_distribution_parts(mean, width, sizes, atoms, RADII, parts);
		sum_parts(mean, width, sizes, atoms, RADII, other);
		for (size_t n = 0; n < RADII; ++n)
			assert_within(parts[n], other[n], 1e-7, "part");
		assert_true(trial < 2 ? left_out < 1e-6 : left_out > 0.0 && left_out < 0.5);
	}
	const int first = 1; /* the smallest ball is of another family */
	sum_parts(15.0, 0.11, sizes + first, atoms + first, RADII - first, parts);
	for (int k = 0; k < MEASURED; ++k)
		for (size_t n = 0; n < RADII - first; ++n)
			values[k] += 20.0 * parts[n] * intensity(&balls[n + first], 0.008, 0.0, measured_x(k));
	snprintf(options.sizes, sizeof options.sizes, "balls");
	assert_status(SONDE_OK, run(write_curve("sizes.xy", values, 1e-3, 0), library, &options, 2, &result));
	assert_int_equal(result.weight_count, 1);
	assert_string_equal(result.weights[0].entry.name, "balls, log-normal sizes");
	assert_int_equal(result.weights[0].candidate, -1);
	assert_close(result.weights[0].weight, 20.0, 1e-4, "weight");
	assert_close(find(&result, "mean_size", "balls, log-normal sizes")->value, 15.0, 1e-3, "mean");
	assert_close(find(&result, "width", "balls, log-normal sizes")->value, 0.11, 1e-2, "width");
	assert_close(find(&result, "strain", "balls, log-normal sizes")->value, 0.008, 1e-3, "strain");
	assert_close(result.weights[0].entry.size, 15.0, 1e-3, "size");
	match_result_free(&result);
}

/* The best fit has no candidate of which anything is refined. */
static void test_nothing_is_left_to_refine(void **unused)
{
	const char *library = write_library("plain.h5", LIBRARY_I_PER_ATOM);
	sonde_match_options options = defaults("");
	double values[MEASURED];
	sonde_context *context;
	struct match_result result;

	(void)unused;
	for (int k = 0; k < MEASURED; ++k)
		values[k] = 30.0 * intensity(&balls[0], 0.0, 0.0, measured_x(k));
	snprintf(options.sizes, sizeof options.sizes, "balls");
	const char *measured = write_curve("plain.xy", values, 0.05, 7);
	const struct match_request request = {&measured, 1, &library, 1};
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, match_run(context, &request, &options, &result));
	assert_int_equal(result.weight_count, 1);
	assert_string_equal(result.weights[0].entry.name, "ball 4.2");
	assert_close(result.weights[0].weight, 30.0, 1e-2, "weight");
	assert_int_equal(result.parameter_count, 0);
	assert_null(strstr(sonde_context_notes(context), "converged"));
	match_result_free(&result);
	sonde_context_free(&context);
}

static void test_threads_change_nothing(void **unused)
{
	const char *library = write_library("threads.h5", LIBRARY_I_PER_ATOM);
	const sonde_match_options options = defaults("strain,B");
	struct match_result results[2];
	double values[MEASURED];

	(void)unused;
	for (int k = 0; k < MEASURED; ++k)
		values[k] = 30.0 * intensity(&balls[1], 0.01, 0.4, measured_x(k));
	const char *measured = write_curve("threads.xy", values, 2.0, 5);
	for (int k = 0; k < 2; ++k)
		assert_status(SONDE_OK, run(measured, library, &options, 1 + 2 * k, &results[k]));
	assert_int_equal(results[0].parameter_count, results[1].parameter_count);
	for (int k = 0; k < results[0].parameter_count; ++k)
		assert_true(results[0].parameter[k].value == results[1].parameter[k].value &&
			    results[0].parameter[k].error == results[1].parameter[k].error);
	const int size = results[0].parameter_count + results[0].weight_count;
	for (int i = 0; i < size; ++i)
		for (int j = 0; j < size; ++j)
			assert_true(fabs(results[0].correlations[i * size + j] -
					 results[0].correlations[j * size + i]) < 1e-9);
	for (int k = 0; k < 2; ++k)
		match_result_free(&results[k]);
}

static void test_bad_requests_are_refused(void **unused)
{
	const char *library = write_library("bad.h5", LIBRARY_I_PER_ATOM);
	const double values[MEASURED] = {1.0, 2.0};
	const char *measured = write_curve("bad.xy", values, 1.0, 3);
	const struct {
		const char *refine, *sizes, *message;
	} cases[] = {{"strain,stress", "", "stress"},
		     {"strain,strain", "", "twice"},
		     {"qdamp", "", "factor of G"},
		     {"qbroad", "", "parameter of G"},
		     {"", "balls,others", "the family 'others' has 0 candidates"},
		     {"", "small", "the family 'small' has 1 candidates"}};
	struct match_result result;

	(void)unused;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		sonde_match_options options = defaults(cases[k].refine);
		snprintf(options.sizes, sizeof options.sizes, "%s", cases[k].sizes);
		assert_status(SONDE_INVALID, run(measured, library, &options, 1, &result));
		assert_message(cases[k].message);
	}
	sonde_match_options options = defaults("strain");
	options.sparsity = SONDE_MATCH_SPARSITY_L1;
	assert_status(SONDE_INVALID, run(measured, library, &options, 1, &result));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_candidates_have_strains_of_their_own),
					   cmocka_unit_test(test_f_and_shared_strain),
					   cmocka_unit_test(test_peaks_of_pairs_shift_and_widen),
					   cmocka_unit_test(test_intervals_cover),
					   cmocka_unit_test(test_sizes_are_distributed),
					   cmocka_unit_test(test_a_series_has_parameters_of_each_curve),
					   cmocka_unit_test(test_rows_of_several_curves_are_refined),
					   cmocka_unit_test(test_bootstrap_refits_the_parameters),
					   cmocka_unit_test(test_nothing_is_left_to_refine),
					   cmocka_unit_test(test_threads_change_nothing),
					   cmocka_unit_test(test_bad_requests_are_refused)};

	for (size_t n = 0; n < RADII; ++n)
		make_shells(radii[n], &balls[n]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
