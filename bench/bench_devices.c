/* Rates of `debye` on devices, each compared with the measured rate of float64 multiply-adds of the device and with a
 * straightforward loop on one core.
 *     bench_devices [DEVICE...]     "cuda:0", "cuda:0,1"; default: every GPU
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "sonde/sonde.h"

#define HISTOGRAM_CELLS 50 /* of NaCl along each edge: 10^6 atoms */
#define EXACT_CELLS 20     /* 64,000 */
#define BASELINE_ATOMS 6000
#define BASELINE_EXACT_ATOMS 500
#define POINTS 1024
#define RUNS 3
#define FLOAT64_OPERATIONS_PER_PAIR 17.0 /* of kernel histogram_ring: instructions of the float64 units */

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_devices: %s\n", sonde_status_message());
	exit(1);
}

static sonde_context *context_on(const char *devices)
{
	sonde_context *context;

	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, devices));
	return context;
}

static sonde_atoms *make_crystal(sonde_context *context, int cells)
{
	sonde_build_options options;
	sonde_atoms *atoms;

	sonde_build_options_init(&options);
	options.cell = SONDE_BUILD_CELL_ROCKSALT;
	strcpy(options.species, "Na,Cl");
	options.a = 5.6402;
	options.supercell = (sonde_vector){cells, cells, cells};
	must(sonde_build_run(context, &options, &atoms));
	return atoms;
}

/* The best of some runs: the first one compiles kernels and starts devices. */
static sonde_debye_result *best_run(sonde_context *context, const sonde_atoms *atoms, int method, int precision)
{
	sonde_debye_options options;
	sonde_debye_result *best = NULL, *result;

	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.1, 20.08, POINTS};
	options.r = (sonde_grid){1.0, 2.0, 2};
	options.method = method;
	options.precision = precision;
	for (int k = 0; k < RUNS; ++k) {
		must(sonde_debye_run(context, atoms, &options, &result));
		if (best == NULL || result->seconds < best->seconds) {
			sonde_debye_result_free(&best);
			best = result;
		} else {
			sonde_debye_result_free(&result);
		}
	}
	return best;
}

static void bench(sonde_context *context, const char *devices, const char *name, int cells, int method, int precision,
		  double ceiling, double baseline)
{
	sonde_atoms *atoms = make_crystal(context, cells);
	sonde_debye_result *result = best_run(context, atoms, method, precision);
	double n = (double)sonde_atoms_count(atoms), terms = 0.5 * n * (n - 1.0);
	bool exact = method == SONDE_DEBYE_METHOD_EXACT;

	terms *= exact ? POINTS : 1.0;
	double rate = terms / result->seconds, each = exact ? 1.0 : FLOAT64_OPERATIONS_PER_PAIR;
	printf("%-10s %-20s %8.0f atoms  %.3f s  %8.3g %s/s  %5.1f %% of float64  %8.0f x baseline  error estimate "
	       "%.1g\n",
	       devices, name, n, result->seconds, rate, exact ? "sinc" : "pairs", 100.0 * rate * each / ceiling,
	       rate / baseline, result->largest_error);
	fflush(stdout);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* Of all devices of a list, a second: float64 instructions, and multiply-adds by the fastest units they have. */
struct ceiling {
	double instructions, multiply_adds;
};

static struct ceiling measure(sonde_context *context)
{
	sonde_device_description device;
	sonde_device_speed speed;
	struct ceiling sum = {0};
	int found;

	for (int k = 0;; ++k) {
		must(sonde_context_describe_device(context, k, &device, &found));
		if (!found)
			return sum;
		if (!device.chosen)
			continue;
		must(sonde_context_measure_device(context, device.name, &speed));
		sum.instructions += speed.f64 / 2.0;
		sum.multiply_adds += (speed.matrix_f64 > speed.f64 ? speed.matrix_f64 : speed.f64) / 2.0;
	}
}

static void bench_on(const char *devices, double pairs_baseline, double exact_baseline)
{
	sonde_context *context = context_on(devices);
	struct ceiling ceiling = measure(context);

	bench(context, devices, "histogram", HISTOGRAM_CELLS, SONDE_DEBYE_METHOD_HISTOGRAM,
	      SONDE_DEBYE_PRECISION_FLOAT64, ceiling.instructions, pairs_baseline);
	bench(context, devices, "exact, float64", EXACT_CELLS, SONDE_DEBYE_METHOD_EXACT,
	      SONDE_DEBYE_PRECISION_FLOAT64, ceiling.multiply_adds, exact_baseline);
	bench(context, devices, "exact, float32", EXACT_CELLS, SONDE_DEBYE_METHOD_EXACT,
	      SONDE_DEBYE_PRECISION_FLOAT32, ceiling.multiply_adds, exact_baseline);
	sonde_context_free(&context);
}

int main(int argc, char **argv)
{
	sonde_context *context = context_on("cpu");
	sonde_atoms *atoms = make_crystal(context, 10);
	sonde_device_description device;
	int found, gpus = 0;
	uint64_t *counts = calloc(400000, sizeof *counts);
	double sums[POINTS], began = clock_seconds();

	if (counts == NULL)
		return 1;
	baseline_histogram(sonde_atoms_positions(atoms), BASELINE_ATOMS, 0.001, counts, 400000);
	double pairs_baseline = 0.5 * BASELINE_ATOMS * (BASELINE_ATOMS - 1.0) / (clock_seconds() - began);
	began = clock_seconds();
	baseline_debye(sonde_atoms_positions(atoms), BASELINE_EXACT_ATOMS, 0.1, 0.02, POINTS, sums);
	double exact_baseline =
	    0.5 * BASELINE_EXACT_ATOMS * (BASELINE_EXACT_ATOMS - 1.0) * POINTS / (clock_seconds() - began);
	free(counts);
	sonde_atoms_free(&atoms);
	printf("baselines on one core: %.3g pairs/s into bin counts, %.3g sinc/s with a vectorized sine\n",
	       pairs_baseline, exact_baseline);

	for (int k = 1; k < argc; ++k)
		bench_on(argv[k], pairs_baseline, exact_baseline);
	for (int k = 0; argc == 1; ++k) {
		must(sonde_context_describe_device(context, k, &device, &found));
		if (!found)
			break;
		if (!device.usable || device.absent || device.hidden || device.is_cpu)
			continue;
		bench_on(device.name, pairs_baseline, exact_baseline);
		++gpus;
	}
	if (argc == 1 && gpus == 0)
		printf("there is no GPU here\n");
	sonde_context_free(&context);
	return 0;
}
