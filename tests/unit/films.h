/* Synthetic candidates, films that are made of them, and their fits. For one test program. */
#ifndef SONDE_TESTS_FILMS_H
#define SONDE_TESTS_FILMS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/support.h"
#include "base/options.h"
#include "match/match.h"
#include "match/option_table.h"

#define POINTS 150

static double axis[POINTS];

/* A curve with two broad peaks, a function of its number. */
static double curve_at(int number, double q)
{
	uint64_t state = 77 + (uint64_t)number * 1000003U;

	(void)test_random(&state);
	const double first = 2.0 + 4.0 * test_random_real(&state), second = 8.0 + 5.0 * test_random_real(&state),
		     width = 0.8 + 0.8 * test_random_real(&state);
	return 30.0 / (1.0 + q * q) + 20.0 * exp(-0.5 * pow((q - first) / width, 2.0)) +
	       12.0 * exp(-0.5 * pow((q - second) / width, 2.0));
}

static const char *write_library(const char *name, int first, int end, enum library_radiation radiation,
				 double factor)
{
	const char *path = test_path(name);
	struct library_head head = {.radiation = radiation, .physics = (char *)"", .q_count = POINTS, .q = axis};
	struct library_writer *writer;
	double curve[POINTS];

	for (int k = 0; k < POINTS; ++k)
		axis[k] = 0.5 + 0.1 * k;
	head.has[LIBRARY_I_PER_ATOM] = true;
	assert_status(SONDE_OK, library_create(path, true, &head, &writer));
	for (int n = first; n != end; n += end > first ? 1 : -1) {
		char key[LIBRARY_KEY + 1], text[32];
		snprintf(key, sizeof key, "%064x", (unsigned)n);
		snprintf(text, sizeof text, "candidate %d", n);
		for (int k = 0; k < POINTS; ++k)
			curve[k] = factor * curve_at(factor == 1.0 ? n : n + 5000, axis[k]);
		struct library_candidate candidate = {.name = text, .key = key, .atoms = 10, .size = NAN};
		candidate.curves[LIBRARY_I_PER_ATOM] = curve;
		assert_status(SONDE_OK, library_add(writer, &candidate));
	}
	assert_status(SONDE_OK, library_writer_finish(&writer));
	return path;
}

static double normal(uint64_t *state)
{
	const double u = test_random_real(state), v = test_random_real(state);

	return sqrt(-2.0 * log(1.0 - u)) * cos(6.283185307179586 * v);
}

/* sum of weights times candidates, on points between those of the library, with noise of a standard deviation. */
static const char *write_measured(const char *name, const int *numbers, const double *weights, int count,
				  double factor, int offset, double sigma, bool column, uint64_t seed)
{
	const char *path = test_path(name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "# a film\n# q I\n");
	for (int k = 0; k < POINTS - 10; ++k) {
		const double q = 0.83 + 0.1001 * k;
		double sum = 100.0 - 2.0 * q;
		for (int n = 0; n < count; ++n)
			sum += weights[n] * factor * curve_at(numbers[n] + offset, q);
		fprintf(file, "%.12g %.12g", q, sum + sigma * normal(&seed));
		fprintf(file, column ? " %.6g\n" : "\n", sigma);
	}
	fclose(file);
	return path;
}

static sonde_match_options defaults(void)
{
	sonde_match_options options;

	options_set_defaults(&match_option_table, &options);
	return options;
}

static sonde_status run_many(const char *const *measured, int curves, const char *library,
			     const sonde_match_options *options, int threads, struct match_result *result)
{
	const struct match_request request = {measured, curves, &library, 1};
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
	return run_many(&measured, 1, library, options, threads, result);
}

#endif
