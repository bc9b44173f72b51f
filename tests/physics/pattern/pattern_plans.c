/* Estimated times of patterns: numbers, which grow with the points, the atoms, and the patterns of a mean. */
#include "physics/pattern/run_pattern.h"

#include <math.h>
#include <stdlib.h>

#include "pattern/pattern.h"

/* The processor's clock, which is measured, differs by less than this from plan to plan, also on a busy machine; and a change of the
 * division of pixels or meshes may save a little. */
#define CLOCKS 3.0

struct job {
	sonde_pattern_options options;
	double radius, repeats;
};

static double seconds_of(const struct job *job)
{
	sonde_context *context = make_context(1);
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, job->radius);
	struct pattern_plan *plan = calloc(1, sizeof *plan);
	struct engine_estimate estimate = {.seconds = NAN};

	assert_non_null(plan);
	assert_int_equal(pattern_plan_make(context, atoms, &job->options, plan), SONDE_OK);
	assert_int_equal(pattern_plan_choose(context, job->repeats, plan), SONDE_OK);
	assert_int_equal(pattern_estimate(context, plan, 1, false, &estimate), SONDE_OK);
	pattern_plan_free(plan);
	free(plan);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	assert_true(isfinite(estimate.seconds));
	assert_true(estimate.seconds > 0.0);
	return estimate.seconds;
}

static struct job picture(int precision, int method)
{
	struct job job = {.radius = 12.0, .repeats = 1.0};

	sonde_pattern_options_init(&job.options);
	job.options.q = (sonde_grid){0.5, 7.0, 32};
	job.options.phi = 32;
	job.options.wavelength = 0.5;
	job.options.precision = precision;
	job.options.method = method;
	return job;
}

static const int methods[] = {SONDE_PATTERN_METHOD_DIRECT, SONDE_PATTERN_METHOD_FAST};
static const int precisions[] = {SONDE_PATTERN_PRECISION_FLOAT64, SONDE_PATTERN_PRECISION_FLOAT32};

static void test_time_grows_with_points(void **state)
{
	(void)state;

	for (int m = 0; m < 2; ++m)
		for (int p = 0; p < 2; ++p) {
			struct job job = picture(precisions[p], methods[m]);
			double first = 0.0, before = 0.0;
			if (methods[m] == SONDE_PATTERN_METHOD_FAST && p == 1)
				continue;
			for (; job.options.phi <= 2048; job.options.phi *= 2, job.options.q.points *= 2) {
				const double seconds = seconds_of(&job);
				assert_true(seconds > before / CLOCKS);
				before = seconds;
				first = first > 0.0 ? first : seconds;
			}
			assert_true(before > CLOCKS * first);
		}
}

static void test_time_grows_with_atoms(void **state)
{
	(void)state;

	for (int m = 0; m < 2; ++m) {
		struct job job = picture(SONDE_PATTERN_PRECISION_FLOAT64, methods[m]);
		double first = 0.0, before = 0.0;
		job.options.q.points = job.options.phi = 256;
		for (job.radius = 5.0; job.radius < 60.0; job.radius *= 1.6) {
			const double seconds = seconds_of(&job);
			assert_true(seconds > before / CLOCKS);
			before = seconds;
			first = first > 0.0 ? first : seconds;
		}
		assert_true(before > CLOCKS * first);
	}
}

/* Each pattern of a mean costs as much as the next one. */
static void test_time_is_that_of_all_patterns(void **state)
{
	(void)state;

	for (int m = 0; m < 2; ++m) {
		struct job job = picture(SONDE_PATTERN_PRECISION_FLOAT64, methods[m]);
		job.options.q.points = job.options.phi = 512;
		job.radius = 25.0;
		/* with a GPU, its start takes longer than some patterns */
		job.repeats = 2.0;
		const double two = seconds_of(&job);
		job.repeats = 1002.0;
		const double many = seconds_of(&job);
		job.repeats = 10002.0;
		/* 9, or 99 if it was quadratic */
		const double ratio = (seconds_of(&job) - many) / (many - two);
		assert_true(ratio > 9.0 / CLOCKS && ratio < 9.0 * CLOCKS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_time_grows_with_points),
	    cmocka_unit_test(test_time_grows_with_atoms),
	    cmocka_unit_test(test_time_is_that_of_all_patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
