/* Rates of `debye` on one core, each with its error, compared with a straightforward loop and the core's ceiling.
 *     bench_debye [RADIUS]      of the CoO sphere; default: 40 Angstrom */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "debye/debye.h"
#include "sonde/sonde.h"

#define BASELINE_ATOMS 12000 /* of the straightforward histogram */
#define EXACT_ATOMS 4000     /* of the exact sums */
#define BASELINE_EXACT_ATOMS 700

static const double bin_width = 1.0 / 512;

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_debye: %s\n", sonde_status_message());
	exit(1);
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

/* A copy with every atom moved by up to `amplitude` along each axis; at most `count` atoms. */
static sonde_atoms *disordered(const sonde_atoms *atoms, double amplitude, int64_t count)
{
	sonde_atoms *copy;
	uint64_t state = 1;

	must(sonde_atoms_create(&copy));
	for (int64_t i = 0; i < sonde_atoms_count(atoms) && i < count; ++i) {
		double position[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			position[k] = sonde_atoms_positions(atoms)[3 * i + k] +
				      amplitude * ((double)(state >> 11) * 0x1p-52 - 1.0);
		}
		must(
		    sonde_atoms_add(copy, sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]), position));
	}
	return copy;
}

static double pairs_of(const sonde_atoms *atoms)
{
	double n = (double)sonde_atoms_count(atoms);

	return 0.5 * n * (n - 1.0);
}

/* Largest |difference|/(<f^2> + I/N) of a result from exact sums at eight of its points. */
static double measured_error(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_result *result,
			     int method)
{
	sonde_debye_options options = *result->options;
	sonde_debye_result *better;
	double largest = 0.0;
	int64_t stride = (result->q_count - 1) / 7;

	options.method = method;
	options.q = (sonde_grid){result->q[0], result->q[7 * stride], 8};
	must(sonde_debye_run(context, atoms, &options, &better));
	for (int k = 0; k < 8; ++k)
		largest = fmax(largest, fabs(result->intensity_per_atom[k * stride] - better->intensity_per_atom[k]) /
					    (better->mean_square_amplitude[k] + better->intensity_per_atom[k]));
	sonde_debye_result_free(&better);
	return largest;
}

static sonde_debye_result *run(sonde_context *context, const sonde_atoms *atoms, int method, double *seconds)
{
	sonde_debye_options options;
	sonde_debye_result *result;

	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.1, 20.08, 1000};
	options.r = (sonde_grid){1.0, 2.0, 2};
	options.method = method;
	double began = clock_seconds();
	must(sonde_debye_run(context, atoms, &options, &result));
	*seconds = clock_seconds() - began;
	return result;
}

static void bench_histogram(sonde_context *context, const sonde_atoms *atoms, const char *name, double baseline,
			    double ceiling)
{
	double seconds;
	sonde_debye_result *result = run(context, atoms, SONDE_DEBYE_METHOD_HISTOGRAM, &seconds);
	double rate = pairs_of(atoms) / seconds;
	double error = measured_error(context, atoms, result, SONDE_DEBYE_METHOD_EXACT);

	printf("%-22s %8lld atoms  %9.3g pairs/s  %5.1f %% of the square roots  %5.1f x baseline  error %.1g, "
	       "estimate %.1g\n",
	       name, (long long)sonde_atoms_count(atoms), rate, 100.0 * rate / ceiling, rate / baseline, error,
	       result->largest_error);
	sonde_debye_result_free(&result);
}

/* `check`: the method of the points that are compared; exact sums at few points do not use windows of distances. */
static void bench_exact(sonde_context *context, const sonde_atoms *atoms, const char *name, int check,
			double baseline, double ceiling)
{
	double seconds;
	sonde_debye_result *result = run(context, atoms, SONDE_DEBYE_METHOD_EXACT, &seconds);
	double rate = pairs_of(atoms) * 1000.0 / seconds;
	double error = measured_error(context, atoms, result, check);

	printf("%-22s %8lld atoms  %9.3g sinc/s   %5.1f %% of multiply-adds    %5.1f x baseline  error %.1g, "
	       "estimate %.1g\n",
	       name, (long long)sonde_atoms_count(atoms), rate, 100.0 * rate / ceiling, rate / baseline, error,
	       result->largest_error);
	sonde_debye_result_free(&result);
}

/* From a histogram with every bin filled twice to 1000 points of q. */
static void bench_list(sonde_context *context, double extent, double pair_seconds)
{
	uint32_t count = (uint32_t)(2.0 * extent / bin_width);
	double *r = calloc(count + 16, sizeof *r), *weight_over_r = calloc(count + 16, sizeof *r), totals[1000] = {0};
	sonde_grid q = {0.1, 20.08, 1000};

	for (uint32_t k = 0; k < count; ++k) {
		r[k] = 1.0 + 0.5 * k * bin_width;
		weight_over_r[k] = 1000.0 / r[k];
	}
	struct sinc_list *list;
	double began = clock_seconds();
	struct device *device;
	must(context_device(context, &device));
	must(sinc_list_create(context, device, &list));
	must(sinc_list_add(list, r, weight_over_r, count, &q, totals));
	double seconds = clock_seconds() - began;
	sinc_list_free(&list);
	printf("%-22s %8u entries %8.3g sinc/s   %.3f s, %.1f %% of the time for the pairs\n", "histogram to I(q)",
	       count, count * 1000.0 / seconds, seconds, 100.0 * seconds / pair_seconds);
	free(r);
	free(weight_over_r);
}

static double time_baseline_histogram(const sonde_atoms *atoms)
{
	int64_t n = sonde_atoms_count(atoms) < BASELINE_ATOMS ? sonde_atoms_count(atoms) : BASELINE_ATOMS;
	int64_t bins = 400 * 1000;
	uint64_t *counts = calloc((size_t)bins, sizeof *counts);
	double began = clock_seconds();

	baseline_histogram(sonde_atoms_positions(atoms), n, 0.001, counts, bins);
	double rate = 0.5 * (double)n * (double)(n - 1) / (clock_seconds() - began);
	free(counts);
	return rate;
}

static double time_baseline_debye(const sonde_atoms *atoms)
{
	double sums[1000], began = clock_seconds();

	baseline_debye(sonde_atoms_positions(atoms), BASELINE_EXACT_ATOMS, 0.1, 0.02, 1000, sums);
	return 0.5 * BASELINE_EXACT_ATOMS * (BASELINE_EXACT_ATOMS - 1) * 1000.0 / (clock_seconds() - began);
}

int main(int argc, char **argv)
{
	double radius = argc > 1 ? atof(argv[1]) : 40.0;
	sonde_context *context;
	sonde_device_description device = {0};
	int found;

	must(sonde_context_create(&context));
	must(sonde_context_set_threads(context, 1));
	must(sonde_context_set_device(context, "cpu"));
	for (int k = 0; strcmp(device.name, "cpu") != 0; ++k)
		must(sonde_context_describe_device(context, k, &device, &found));
	printf("%s, one thread, kernels for %s\n", device.model, device.instructions);

	sonde_atoms *crystal = make_sphere(context, radius);
	sonde_atoms *random = disordered(crystal, 0.1, INT64_MAX), *small = disordered(crystal, 0.0, EXACT_ATOMS);
	double pairs_baseline = time_baseline_histogram(random), exact_baseline = time_baseline_debye(crystal);
	double roots = ceiling_square_roots(), multiply_adds = ceiling_multiply_add_and_add();
	printf("baselines: %.3g pairs/s into bin counts, %.3g sinc/s with a vectorized sine\n", pairs_baseline,
	       exact_baseline);
	printf("ceilings:  %.3g square roots/s, %.3g (multiply-add and add)/s\n", roots, multiply_adds);
	bench_histogram(context, crystal, "histogram, crystal", pairs_baseline, roots);
	bench_histogram(context, random, "histogram, disordered", pairs_baseline, roots);
	bench_list(context, 2.0 * radius, pairs_of(crystal) / (4.0 * pairs_baseline));
	bench_exact(context, small, "exact, 1000 q", SONDE_DEBYE_METHOD_REFERENCE, exact_baseline, multiply_adds);
	bench_exact(context, crystal, "exact, 1000 q, windows", SONDE_DEBYE_METHOD_EXACT, exact_baseline,
		    multiply_adds);

	sonde_atoms_free(&crystal);
	sonde_atoms_free(&random);
	sonde_atoms_free(&small);
	sonde_context_free(&context);
	return 0;
}
