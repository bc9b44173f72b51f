/* Refinements of a ball of gold: patterns that are computed separately, and jobs. For one test program. */
#ifndef SONDE_TESTS_REFINED_GOLD_H
#define SONDE_TESTS_REFINED_GOLD_H

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

#endif
