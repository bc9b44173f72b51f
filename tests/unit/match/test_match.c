/* Fits by mixtures of synthetic candidates: weights, intervals, ranking, several curves, bad input. */
#include "unit/films.h"

#include "match/mixture.h"
#include "match/ranking.h"

#define TRIALS 400

static void test_a_mixture_is_found(void **unused)
{
	const int numbers[] = {3, 8};
	const double weights[] = {2.0, 5.0};
	const char *library = write_library("a.h5", 0, 12, LIBRARY_XRAY, 1.0),
		   *measured = write_measured("a.xy", numbers, weights, 2, 1.0, 0, 1e-4, true, 1);
	sonde_match_options options = defaults();
	struct match_result result;

	(void)unused;
	options.sparsity = SONDE_MATCH_SPARSITY_BIC;
	assert_status(SONDE_OK, run(measured, library, &options, 2, &result));
	assert_int_equal(result.weight_count, 2);
	assert_string_equal(result.weights[0].entry.name, "candidate 8");
	assert_string_equal(result.weights[1].entry.name, "candidate 3");
	assert_within(result.weights[0].weight, 5.0, 5.0 * result.weights[0].error + 1e-6, "weight");
	assert_within(result.weights[1].weight, 2.0, 5.0 * result.weights[1].error + 1e-6, "weight");
	assert_within(result.weights[0].fraction, 5.0 / 7.0, 1e-4, "fraction");
	assert_true(result.weights[0].error < 1e-4);
	assert_true(result.curves[0].interpolation_error < 1e-3);
	assert_int_equal(result.curves[0].peak_count, 0);
	assert_within(result.chi_square / (double)result.degrees_of_freedom, 1.0, 0.4, "degrees of freedom");
	assert_within(result.curves[0].background[10], 100.0 - 2.0 * result.curves[0].x[10], 0.01, "background");
	match_result_free(&result);
}

/* Poisson's distribution by products of uniform numbers. */
static double draw_counts(double mean, uint64_t *state)
{
	double left = mean;
	int count = 0;

	for (;;) {
		left += log(1.0 - test_random_real(state));
		if (left < 0.0)
			return count;
		++count;
	}
}

/* 95 % intervals of three weights in 400 patterns of counts. */
static void test_intervals_cover(void **unused)
{
	const int numbers[] = {0, 1, 2};
	const double weights[] = {4.0, 6.0, 3.0};
	const char *library = write_library("c.h5", 0, 3, LIBRARY_XRAY, 1.0),
		   *measured = write_measured("c.xy", numbers, weights, 3, 1.0, 0, 0.0, false, 1);
	sonde_match_options options = defaults();
	struct data_set set;
	struct common common;
	struct mixture mixture;
	double truth[POINTS];
	uint64_t state = 99;
	int covered = 0;

	(void)unused;
	options.background = 1;
	options.weights = SONDE_MATCH_WEIGHTS_POISSON;
	assert_status(SONDE_OK, data_set_make(measured, &library, 1, &options, &set));
	assert_status(SONDE_OK, common_make(&set, 1, &common));
	assert_status(SONDE_OK, mixture_begin(&common, &mixture));
	assert_status(SONDE_OK, mixture_add(&mixture, (const int64_t[]){0, 1, 2}, 3));
	memcpy(truth, set.measured.y, (size_t)set.measured.count * sizeof(double));
	for (int trial = 0; trial < TRIALS; ++trial) {
		double errors[3];
		for (int64_t k = 0; k < set.measured.count; ++k)
			set.measured.y[k] = draw_counts(truth[k], &state);
		assert_status(SONDE_OK, data_set_weigh(&set, NULL));
		assert_status(SONDE_OK, mixture_solve_weighted(&options, 1, &mixture));
		assert_int_equal(mixture.solution.active_count, 3);
		assert_status(SONDE_OK, mixture_errors(&mixture, errors));
		for (int j = 0; j < 3; ++j)
			covered += fabs(mixture.solution.x[j] - weights[j]) < 1.959964 * errors[j];
	}
	assert_within((double)covered / (3.0 * TRIALS), 0.95, 0.02, "covered");
	mixture_free(&mixture);
	common_free(&common);
	data_set_free(&set);
}

static void test_a_hidden_structure_ranks_first(void **unused)
{
	const int number = 6789, more[] = {6789, 123, 4567};
	const double weight = 3.0, weights[] = {3.0, 1.0, 0.5};
	const char *library = write_library("r.h5", 0, 10000, LIBRARY_XRAY, 1.0),
		   *measured = write_measured("r.xy", &number, &weight, 1, 1.0, 0, 2.0, true, 4),
		   *mixed = write_measured("m.xy", more, weights, 3, 1.0, 0, 0.2, true, 5);
	sonde_match_options options = defaults();
	struct match_result result, other;

	(void)unused;
	options.most = 50;
	options.passes = 100;
	assert_status(SONDE_OK, run(measured, library, &options, 2, &result));
	assert_int_equal(result.ranks[0].candidate, number);
	assert_true(result.ranks[0].probability > 0.5);
	assert_within(result.ranks[0].scale, 3.0, 0.05, "scale");
	match_result_free(&result);
	/* candidates that are not among the best single ones join, until none of the library improves the fit; for any number of threads */
	assert_status(SONDE_OK, run(mixed, library, &options, 1, &result));
	assert_true(result.passes > 0 && result.improvement <= 0.05);
	assert_status(SONDE_OK, run(mixed, library, &options, 3, &other));
	assert_int_equal(result.weight_count, other.weight_count);
	for (int k = 0; k < result.weight_count; ++k) {
		assert_int_equal(result.weights[k].candidate, other.weights[k].candidate);
		assert_true(result.weights[k].weight == other.weights[k].weight);
	}
	assert_memory_equal(result.curves[0].fitted, other.curves[0].fitted,
			    (size_t)result.curves[0].count * sizeof(double));
	match_result_free(&other);
	const double square = result.chi_square;
	match_result_free(&result);
	options.most = 10000;
	assert_status(SONDE_OK, run(mixed, library, &options, 2, &result));
	assert_within(square, result.chi_square, 0.05, "square");
	match_result_free(&result);
}

static void test_two_curves_have_common_weights(void **unused)
{
	const int numbers[] = {2, 5};
	const double weights[] = {3.0, 1.0};
	char measured[4096], library[4096], with[2048], other[2048];
	sonde_match_options options = defaults();
	struct match_result result;

	(void)unused;
	snprintf(measured, sizeof measured, "%s", write_measured("x.xy", numbers, weights, 2, 1.0, 0, 0.05, true, 8));
	snprintf(library, sizeof library, "%s", write_library("x.h5", 0, 8, LIBRARY_XRAY, 1.0));
	/* in the opposite order, and some that the first library does not have */
	snprintf(other, sizeof other, "%s", write_library("n.h5", 10, 1, LIBRARY_NEUTRON, 0.25));
	snprintf(with, sizeof with, "%s",
		 write_measured("n.xy", numbers, weights, 2, 0.25 * 4.0, 5000, 0.05, true, 9));
	snprintf(options.with, sizeof options.with, "%s,%s", with, other);
	options.sparsity = SONDE_MATCH_SPARSITY_BIC;
	assert_status(SONDE_OK, run(measured, library, &options, 2, &result));
	assert_int_equal(result.candidate_count, 6);
	assert_int_equal(result.curve_count, 2);
	assert_int_equal(result.weight_count, 2);
	assert_within(result.curves[1].scale, 4.0, 0.02, "scale");
	assert_within(result.weights[0].weight, 3.0, 5.0 * result.weights[0].error, "weight");
	assert_within(result.weights[1].weight, 1.0, 5.0 * result.weights[1].error, "weight");
	assert_int_equal(result.curves[1].radiation, LIBRARY_NEUTRON);
	match_result_free(&result);
}

/* A candidate that is like the background has no weight and the last rank. */
static void test_flat_candidates_are_left_out(void **unused)
{
	const int numbers[] = {1};
	const double weights[] = {3.0};
	struct library_head head = {.physics = (char *)"", .q_count = POINTS, .q = axis};
	struct library_writer *writer;
	double curves[2][POINTS];
	struct match_result result;
	sonde_match_options options = defaults();
	const char *path = write_library("f.h5", 0, 3, LIBRARY_XRAY, 1.0),
		   *measured = write_measured("f.xy", numbers, weights, 1, 1.0, 0, 0.1, true, 3);

	(void)unused;
	path = test_path("flat.h5");
	head.has[LIBRARY_I_PER_ATOM] = true;
	assert_status(SONDE_OK, library_create(path, true, &head, &writer));
	for (int n = 0; n < 2; ++n) {
		char key[LIBRARY_KEY + 1];
		snprintf(key, sizeof key, "%064x", (unsigned)n);
		for (int k = 0; k < POINTS; ++k)
			curves[n][k] = n == 0 ? 7.3 + 0.31 * axis[k] : curve_at(1, axis[k]);
		struct library_candidate candidate = {.name = n == 0 ? "flat" : "right", .key = key, .size = NAN};
		candidate.curves[LIBRARY_I_PER_ATOM] = curves[n];
		assert_status(SONDE_OK, library_add(writer, &candidate));
	}
	assert_status(SONDE_OK, library_writer_finish(&writer));
	assert_status(SONDE_OK, run(measured, path, &options, 2, &result));
	assert_int_equal(result.weight_count, 1);
	assert_string_equal(result.weights[0].entry.name, "right");
	assert_string_equal(result.ranks[1].entry.name, "flat");
	assert_true(result.ranks[1].scale == 0.0);
	match_result_free(&result);
}

/* Errors that the library states, of 0.02 of each point, are added to those of the points, 0.05. */
static void test_errors_of_the_library_count(void **unused)
{
	const int numbers[] = {1};
	const double weights[] = {3.0};
	struct library_head head = {.physics = (char *)"", .q_count = POINTS, .q = axis};
	double curves[2][POINTS], errors[POINTS], found[2];
	sonde_match_options options = defaults();
	const char *measured = write_measured("e.xy", numbers, weights, 1, 1.0, 0, 0.05, true, 3);

	(void)unused;
	options.sparsity = SONDE_MATCH_SPARSITY_BIC;
	for (int k = 0; k < POINTS; ++k) {
		axis[k] = 0.5 + 0.1 * k;
		errors[k] = 0.02;
	}
	head.has[LIBRARY_I_PER_ATOM] = true;
	for (int known = 0; known < 2; ++known) {
		const char *path = test_path(known ? "known.h5" : "unknown.h5");
		struct library_writer *writer;
		struct match_result result;
		head.errors[LIBRARY_I_PER_ATOM] = known == 1;
		assert_status(SONDE_OK, library_create(path, true, &head, &writer));
		for (int n = 0; n < 2; ++n) {
			char key[LIBRARY_KEY + 1];
			snprintf(key, sizeof key, "%064x", (unsigned)n);
			for (int k = 0; k < POINTS; ++k)
				curves[n][k] = curve_at(n, axis[k]);
			struct library_candidate candidate = {.name = "candidate", .key = key, .size = NAN};
			candidate.curves[LIBRARY_I_PER_ATOM] = curves[n];
			candidate.errors[LIBRARY_I_PER_ATOM] = known ? errors : NULL;
			assert_status(SONDE_OK, library_add(writer, &candidate));
		}
		assert_status(SONDE_OK, library_writer_finish(&writer));
		assert_status(SONDE_OK, run(measured, path, &options, 2, &result));
		assert_int_equal(result.weight_count, 1);
		found[known] = result.weights[0].error;
		assert_within(result.curves[0].sigma[5], known ? sqrt(0.05 * 0.05 + 0.06 * 0.06) : 0.05, 1e-4,
			      "sigma");
		match_result_free(&result);
	}
	assert_close(found[1], found[0] * sqrt(1.0 + pow(0.06 / 0.05, 2.0)), 2e-3, "error");
}

/* What no candidate explains, and candidates that are like each other. */
static void test_what_is_not_explained_is_reported(void **unused)
{
	const int numbers[] = {1};
	const double weights[] = {3.0};
	const char *library = write_library("u.h5", 0, 4, LIBRARY_XRAY, 1.0);
	char *text, line[128];
	size_t size;
	struct match_result result;
	sonde_match_options options = defaults();
	const char *measured = write_measured("u.xy", numbers, weights, 1, 1.0, 0, 0.5, true, 3);

	(void)unused;
	text = test_read(measured, &size);
	FILE *file = fopen(measured, "w");
	for (char *at = text, *rest; (at = strtok_r(at, "\n", &rest)) != NULL; at = NULL) {
		double q, y;
		if (sscanf(at, "%lg %lg", &q, &y) == 2)
			snprintf(line, sizeof line, "%.12g %.12g 0.5", q,
				 y + 6.0 * exp(-0.5 * pow((q - 11.0) / 0.15, 2.0)));
		else
			snprintf(line, sizeof line, "%s", at);
		fprintf(file, "%s\n", line);
	}
	fclose(file);
	free(text);
	assert_status(SONDE_OK, run(measured, library, &options, 2, &result));
	assert_true(result.curves[0].peak_count >= 1);
	assert_within(result.curves[0].peaks[0].position, 11.0, 0.15, "position");
	assert_true(result.curves[0].peaks[0].height > 1.0 && result.curves[0].peaks[0].significance > 10.0);
	match_result_free(&result);
	options.bootstrap = 100;
	options.sparsity = SONDE_MATCH_SPARSITY_BIC;
	assert_status(SONDE_OK, run(measured, library, &options, 3, &result));
	assert_true(result.weights[0].low < result.weights[0].weight &&
		    result.weights[0].weight < result.weights[0].high);
	assert_close(result.weights[0].high - result.weights[0].low, 2.0 * 1.96 * result.weights[0].error, 0.4,
		     "low");
	match_result_free(&result);
}

static void test_bad_input_is_refused(void **unused)
{
	char library[4096];
	struct match_result result;
	sonde_match_options options = defaults();

	snprintf(library, sizeof library, "%s", write_library("b.h5", 0, 3, LIBRARY_XRAY, 1.0));
	(void)unused;
	assert_invalid("have no range in common",
		       run(test_write_text("far.xy", "30 1\n31 1\n32 1\n33 1\n"), library, &options, 1, &result));
	assert_message("from 30 to 33 1/Angstrom, and the candidates have curves from 0.5 to 15.4");
	assert_invalid("two.xy:2: x = 1 is given twice",
		       run(test_write_text("two.xy", "1 1\n1 2\n"), library, &options, 1, &result));
	assert_invalid("down.xy:3",
		       run(test_write_text("down.xy", "2 1\n3 1\n1 2\n"), library, &options, 1, &result));
	assert_invalid("nan.xy:2", run(test_write_text("nan.xy", "1 1\n2 nan\n"), library, &options, 1, &result));
	assert_invalid("neg.xy:2: a standard deviation of -1",
		       run(test_write_text("neg.xy", "1 1 1\n2 1 -1\n"), library, &options, 1, &result));
	assert_invalid("3 points in the range of the fit",
		       run(test_write_text("few.xy", "1 1\n2 1\n3 2\n"), library, &options, 1, &result));
	const char *ok = test_write_text("ok.xy", "1 1\n2 1\n3 2\n4 4\n5 2\n6 4\n7 4\n8 1\n");
	assert_invalid("nothing.h5", run(ok, test_path("nothing.h5"), &options, 1, &result));
	options.curve = SONDE_MATCH_CURVE_S;
	assert_invalid("has no curve S", run(ok, library, &options, 1, &result));
	options = defaults();
	options.axis = SONDE_MATCH_AXIS_TWO_THETA;
	assert_invalid("scattering angles, which need", run(ok, library, &options, 1, &result));
	options = defaults();
	options.range = (sonde_grid){20.0, 30.0, 0};
	assert_invalid("no point of", run(ok, library, &options, 1, &result));
	options = defaults();
	options.weights = SONDE_MATCH_WEIGHTS_SIGMA;
	assert_invalid("has no standard deviations", run(ok, library, &options, 1, &result));
	options = defaults();
	snprintf(options.with, sizeof options.with, "%s", ok);
	assert_invalid("needs a measured curve and a library", run(ok, library, &options, 1, &result));
	const char *const both[] = {library, write_library("b2.h5", 0, 3, LIBRARY_NEUTRON, 1.0)};
	struct candidates candidates;
	assert_invalid("has curves of neutron, and the candidates before it of x-ray",
		       candidates_open(both, 2, -1, false, &candidates));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_mixture_is_found),
	    cmocka_unit_test(test_intervals_cover),
	    cmocka_unit_test(test_a_hidden_structure_ranks_first),
	    cmocka_unit_test(test_two_curves_have_common_weights),
	    cmocka_unit_test(test_flat_candidates_are_left_out),
	    cmocka_unit_test(test_errors_of_the_library_count),
	    cmocka_unit_test(test_what_is_not_explained_is_reported),
	    cmocka_unit_test(test_bad_input_is_refused),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
