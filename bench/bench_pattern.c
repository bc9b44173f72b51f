/* Rates of `pattern`: atoms times points per second, with the error of each, compared with a plain loop and, on one core of the
 * CPU, with its multiply-adds; and the fast method, with four times as many points.
 *     bench_pattern [DEVICE [POINTS]]      default: a GPU if there is one; 256 circles of 256 points, on GPUs 1024 of 1024
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "sonde/sonde.h"

#define BASELINE_POINTS 400
#define OPERATIONS_F64 17.6 /* of a term in pairs: kernels/pattern_sums.k */
#define OPERATIONS_F32 13.9

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_pattern: %s\n", sonde_status_message());
	exit(1);
}

/* Of one thread on a machine that others use as well, the time of the processor is the better measure. */
static bool one_thread;
static double now(void)
{
	return one_thread ? clock_processor_seconds() : clock_seconds();
}

static sonde_atoms *make_sphere(sonde_context *context, double radius)
{
	sonde_build_options options;
	sonde_atoms *atoms;

	sonde_build_options_init(&options);
	options.cell = SONDE_BUILD_CELL_ROCKSALT;
	strcpy(options.species, "Co,O");
	options.a = 4.2614;
	options.sphere = radius;
	must(sonde_build_run(context, &options, &atoms));
	return atoms;
}

/* Terms per second of the plain loop, on one core. */
static double time_baseline(const sonde_atoms *atoms, const sonde_pattern_result *result)
{
	const int64_t n = sonde_atoms_count(atoms), count = BASELINE_POINTS;
	const double *r = sonde_atoms_positions(atoms);
	double *x = calloc(3 * (size_t)n, sizeof *x), *y = x + n, *z = y + n;
	double vectors[3 * BASELINE_POINTS], real[BASELINE_POINTS], imaginary[BASELINE_POINTS];

	for (int64_t j = 0; j < n; ++j) {
		x[j] = r[3 * j];
		y[j] = r[3 * j + 1];
		z[j] = r[3 * j + 2];
	}
	for (int64_t k = 0; k < count; ++k)
		sonde_pattern_vector(result, k * result->count / count, vectors + 3 * k);
	const double began = now();
	baseline_pattern(x, y, z, n, vectors, count, real, imaginary);
	const double seconds = now() - began;
	free(x);
	return (double)n * (double)count / seconds;
}

static sonde_pattern_result *run(sonde_context *context, const sonde_atoms *atoms, int precision, int64_t points,
				 double *seconds)
{
	sonde_pattern_options options;
	sonde_pattern_result *result = NULL;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){0.5, 7.0, points};
	options.phi = points;
	options.wavelength = 0.5;
	options.precision = precision;
	*seconds = INFINITY;
	for (int repeat = 0; repeat < 3; ++repeat) {
		sonde_pattern_result_free(&result);
		const double began = now();
		must(sonde_pattern_run(context, atoms, &options, &result));
		*seconds = fmin(*seconds, now() - began);
	}
	return result;
}

/* `ceiling`: multiply-adds of float64 per second; 0: unknown. */
static void bench(sonde_context *context, const sonde_atoms *atoms, int64_t points, double ceiling)
{
	double baseline = 0.0;

	for (int precision = 0; precision < 2; ++precision) {
		const bool single = precision == SONDE_PATTERN_PRECISION_FLOAT32;
		double seconds;
		sonde_pattern_result *result = run(context, atoms, precision, points, &seconds);
		const double rate = (double)result->atom_count * (double)result->count / seconds;
		if (baseline == 0.0) {
			baseline = time_baseline(atoms, result);
			printf("plain loop, float64, one core: %.3g terms/s\n", baseline);
		}
		printf("%-8s %8lld atoms x %lld points  %.3f s  %9.3g terms/s  %6.1f x baseline",
		       single ? "float32" : "float64", (long long)result->atom_count, (long long)result->count,
		       seconds, rate, rate / baseline);
		if (ceiling > 0.0)
			printf("  %5.1f %% of multiply-adds",
			       100.0 * rate * (single ? 0.5 * OPERATIONS_F32 : OPERATIONS_F64) / ceiling);
		printf("  error %.1g\n", result->largest_error);
		sonde_pattern_result_free(&result);
	}
}

/* The fast method: seconds, and the rate of the direct sum that would take as long. */
static void bench_fast(sonde_context *context, const sonde_atoms *atoms, const char *what,
		       const sonde_pattern_options *options)
{
	static const double tolerances[] = {1e-3, 1e-6, 1e-9};

	for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; ++k) {
		sonde_pattern_options own = *options;
		sonde_pattern_result *result;
		own.method = SONDE_PATTERN_METHOD_FAST;
		own.tolerance = tolerances[k];
		const double began = now();
		must(sonde_pattern_run(context, atoms, &own, &result));
		const double seconds = now() - began;
		printf("fast, %-6s %8lld atoms x %lld points, tolerance %.0e  %.3f s  as %9.3g terms/s  error %.1g\n",
		       what, (long long)result->atom_count, (long long)result->count, tolerances[k], seconds,
		       (double)result->atom_count * (double)result->count / seconds, result->largest_error);
		sonde_pattern_result_free(&result);
	}
}

static void bench_fast_methods(sonde_context *context, const sonde_atoms *atoms, int64_t points)
{
	const int64_t edge = (int64_t)ceil(pow((double)points * (double)points, 1.0 / 3.0));
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){0.5, 7.0, points};
	options.phi = points;
	options.wavelength = 0.5;
	bench_fast(context, atoms, "sphere", &options);
	options.wavelength = 1e-9;
	bench_fast(context, atoms, "plane", &options);
	options.h = options.k = options.l = (sonde_grid){-4.0, 4.0, edge};
	options.u.x = options.v.y = options.w.z = 1.0;
	bench_fast(context, atoms, "volume", &options);
}

int main(int argc, char **argv)
{
	const char *device = argc > 1 ? argv[1] : "auto";
	const bool cpu = strcmp(device, "cpu") == 0;
	const int64_t points = argc > 2 ? atoll(argv[2]) : cpu ? 256 : 1024;
	sonde_context *context;

	one_thread = cpu;
	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, device));
	if (cpu)
		must(sonde_context_set_threads(context, 1));
	printf("pattern, %s%s\n", device, cpu ? ", one thread" : "");
	sonde_atoms *atoms = make_sphere(context, cpu ? 25.0 : 53.0);
	/* a multiply-add and an addition at a time take two of its slots */
	bench(context, atoms, points, cpu ? 2.0 * ceiling_multiply_add_and_add() : 0.0);
	bench_fast_methods(context, atoms, 2 * points);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	return 0;
}
