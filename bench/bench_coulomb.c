/* Rates of sonde coulomb on the devices of this machine, compared with a plain loop. Run by hand or by make bench.
 *
 *     bench_coulomb [DEVICE [POINTS]]
 *
 * With a number of points, only scattered points are summed, with as many charges.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench_points.h"
#include "coulomb_baselines.h"
#include "sonde/measure.h"
#include "sonde/sonde.h"

#define RUNS 3

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_coulomb: %s\n", sonde_status_message());
	exit(1);
}

static double uniform(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

static sonde_atoms *make_charges(int count, double edge)
{
	double *charges = malloc((size_t)count * sizeof *charges);
	sonde_atoms *atoms;

	if (charges == NULL)
		exit(1);
	must(sonde_atoms_create(&atoms));
	for (int i = 0; i < count; ++i) {
		const double r[3] = {edge * uniform(), edge * uniform(), edge * uniform()};
		must(sonde_atoms_add(atoms, "X", r));
		charges[i] = 2.0 * uniform() - 1.0;
	}
	must(sonde_atoms_set_charges(atoms, charges));
	free(charges);
	return atoms;
}

/* The loop of the textbooks, in float32. */
static double plain_rate(const float *numbers, int count, int points)
{
	volatile float kept = 0.0F;
	double began = clock_seconds();
	for (int p = 0; p < points; ++p) {
		float x = (float)p * 0.5F, sum = 0.0F;
		for (int i = 0; i < count; ++i) {
			float dx = x - numbers[4 * i], dy = 3.3F - numbers[4 * i + 1], dz = 1.1F - numbers[4 * i + 2];
			sum += numbers[4 * i + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
		}
		kept = kept + sum;
	}
	return (double)points * count / (clock_seconds() - began);
}

/* x, y, z and charge of each in float32. */
static float *as_floats(const sonde_atoms *atoms)
{
	const double *r = sonde_atoms_positions(atoms), *charges = sonde_atoms_charges(atoms);
	size_t count = (size_t)sonde_atoms_count(atoms);
	float *numbers = malloc(count * 4 * sizeof *numbers);

	if (numbers == NULL)
		exit(1);
	for (size_t i = 0; i < count; ++i) {
		for (size_t k = 0; k < 3; ++k)
			numbers[4 * i + k] = (float)r[3 * i + k];
		numbers[4 * i + 3] = (float)charges[i];
	}
	return numbers;
}

/* Upper limit of the machine: the rate of a GPU's unit for reciprocal square roots, where it is known, or of
 * multiply-adds. An evaluation of the potential takes six vector instructions of float32 on a CPU, its points sharing
 * common terms, and eleven of float64; with the field eleven and sixteen. */
struct ceilings {
	double potential, both, potential_f64, both_f64;
	sonde_device_speed speed;
};

static struct ceilings find_ceilings(sonde_context *context, const char *device)
{
	sonde_device_speed speed = {0};
	struct ceilings ceilings = {.potential = coulomb_rsqrt_ceiling(device)};

	if (strcmp(device, "auto") == 0 || sonde_context_measure_device(context, device, &speed) != SONDE_OK)
		return ceilings;
	ceilings.speed = speed;
	if (ceilings.potential == 0.0)
		ceilings.potential = speed.f32 / 12.0;
	ceilings.both = speed.f32 / 22.0;
	ceilings.potential_f64 = speed.f64 / 22.0;
	ceilings.both_f64 = speed.f64 / 32.0;
	return ceilings;
}

/* One line: direct in that precision, or fast within that tolerance. */
struct work {
	const char *name;
	int charges, nx, ny, nz;
	int quantity, precision;
	double tolerance;
	int periodic, sets;
};

static void add_sets(sonde_atoms *atoms, const struct work *work)
{
	double *charges = malloc((size_t)work->charges * sizeof *charges);

	for (int s = 1; s < work->sets && charges != NULL; ++s) {
		for (int i = 0; i < work->charges; ++i)
			charges[i] = 2.0 * uniform() - 1.0;
		must(sonde_atoms_add_charges(atoms, charges));
	}
	free(charges);
}

static void bench(sonde_context *context, const char *device, const struct work *work, double plain,
		  const struct ceilings *ceilings)
{
	double edge = work->tolerance > 0.0 ? 0.25 * work->nx : 64.0;
	sonde_atoms *atoms = make_charges(work->charges, edge);
	sonde_coulomb_options options;
	sonde_coulomb_result *result, *best = NULL;

	add_sets(atoms, work);
	sonde_coulomb_options_init(&options);
	options.size = (sonde_vector){work->nx, work->ny, work->nz};
	options.spacing = (sonde_vector){0.25, 0.25, 0.25};
	options.quantity = work->quantity;
	options.precision = work->precision;
	options.method = work->tolerance > 0.0 ? SONDE_COULOMB_METHOD_FAST : SONDE_COULOMB_METHOD_DIRECT;
	if (work->tolerance > 0.0)
		options.tolerance = work->tolerance;
	if (work->periodic) {
		options.boundary = SONDE_COULOMB_BOUNDARY_PERIODIC;
		options.cell = (sonde_vector){edge, edge, edge};
	}
	for (int k = 0; k < RUNS; ++k) {
		must(sonde_coulomb_run(context, atoms, &options, &result));
		if (best == NULL || result->kernel_seconds < best->kernel_seconds) {
			sonde_coulomb_result_free(&best);
			best = result;
		} else {
			sonde_coulomb_result_free(&result);
		}
	}
	double evaluations = (double)best->charge_count * (double)best->point_count * best->charge_sets;
	bool f64 = work->precision == SONDE_COULOMB_PRECISION_FLOAT64,
	     both = work->quantity == SONDE_COULOMB_QUANTITY_BOTH;
	double rate = evaluations / best->kernel_seconds,
	       ceiling = f64    ? both ? ceilings->both_f64 : ceilings->potential_f64
			 : both ? ceilings->both
				: ceilings->potential;
	printf("%-9s %-28s %4d x %4d x %3d x %7d  run %.4f s  kernels %.4f s  %.3g /s", device, work->name, work->nx,
	       work->ny, work->nz, work->charges, best->seconds, best->kernel_seconds, rate);
	/* sets and blocks do less than the evaluations that they stand for */
	if (work->tolerance == 0.0 && work->sets == 1 && ceiling > 0.0)
		printf("  %3.0f %% of the ceiling", 100.0 * rate / ceiling);
	printf("  %7.0f x plain loop  error %.1e\n", rate / plain, best->relative_error);
	fflush(stdout);
	sonde_coulomb_result_free(&best);
	sonde_atoms_free(&atoms);
}

#define LIST_POINTS 100000
#define LIST_EDGE 36.84 /* Angstrom: two charges in a cubic Angstrom */

/* A file of points at random in a cube. */
static void write_list(char path[32])
{
	strcpy(path, "bench_coulomb_XXXXXX");
	int descriptor = mkstemp(path);
	FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;

	if (file == NULL) {
		perror("bench_coulomb");
		exit(1);
	}
	for (int n = 0; n < LIST_POINTS; ++n)
		fprintf(file, "%.9f %.9f %.9f\n", LIST_EDGE * uniform(), LIST_EDGE * uniform(),
			LIST_EDGE * uniform());
	if (fclose(file) != 0)
		exit(1);
}

/* Scattered points, by the mesh and directly: the times of both sums in the same run. */
static void bench_list(sonde_context *context, const char *device)
{
	static const double tolerances[] = {5e-5, 1e-7};
	sonde_atoms *atoms = make_charges(LIST_POINTS, LIST_EDGE);
	sonde_coulomb_options options;
	char path[32];

	write_list(path);
	sonde_coulomb_options_init(&options);
	snprintf(options.points, sizeof options.points, "%s", path);
	for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; ++t) {
		double seconds[2] = {INFINITY, INFINITY}, error = 0.0;
		options.tolerance = tolerances[t];
		for (int fast = 0; fast < 2; ++fast) {
			options.method = fast ? SONDE_COULOMB_METHOD_AUTO : SONDE_COULOMB_METHOD_DIRECT;
			for (int k = 0; k < (fast ? RUNS : 1); ++k) {
				sonde_coulomb_result *result;
				must(sonde_coulomb_run(context, atoms, &options, &result));
				seconds[fast] = fmin(seconds[fast], result->kernel_seconds);
				error = result->relative_error;
				sonde_coulomb_result_free(&result);
			}
		}
		printf("%-9s list, both, %.0e               %7d x %7d  kernels %.4f s  direct %.4f s, %.1f times  "
		       "error %.1e\n",
		       device, tolerances[t], LIST_POINTS, LIST_POINTS, seconds[1], seconds[0],
		       seconds[0] / seconds[1], error);
		fflush(stdout);
	}
	(void)unlink(path);
	sonde_atoms_free(&atoms);
}

int main(int argc, char **argv)
{
	/* an NVIDIA GPU if there is one */
	const char *device = argc > 1 ? argv[1] : coulomb_rsqrt_ceiling("cuda:0") > 0.0 ? "cuda:0" : "auto";
	const int potential = SONDE_COULOMB_QUANTITY_POTENTIAL, both = SONDE_COULOMB_QUANTITY_BOTH;
	const int f32 = SONDE_COULOMB_PRECISION_FLOAT32, f64 = SONDE_COULOMB_PRECISION_FLOAT64,
		  automatic = SONDE_COULOMB_PRECISION_AUTO;
	sonde_context *context;
	sonde_atoms *atoms = make_charges(10000, 64.0);
	float *numbers = as_floats(atoms);
	double plain = plain_rate(numbers, 4000, 20000);

	printf("plain loop on one core, float32: %.3g evaluations/s\n", plain);
	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, device));
	const struct ceilings ceilings = find_ceilings(context, device);
	if (ceilings.potential > 0.0)
		printf("ceilings, evaluations/s: potential %.3g, and field %.3g; float64 %.3g, %.3g\n",
		       ceilings.potential, ceilings.both, ceilings.potential_f64, ceilings.both_f64);
	if (argc <= 2)
		coulomb_classic(device, numbers, 10000, plain);
	free(numbers);
	sonde_atoms_free(&atoms);
	if (argc > 2) {
		bench_points(context, device, atoi(argv[2]), ceilings.speed.f32, ceilings.speed.f64);
		bench_uneven_points(context, device, atoi(argv[2]));
		sonde_context_free(&context);
		return 0;
	}
	/* smaller numbers for a CPU; fast: grids with steps of 0.25 Angstrom and this many charges in their box */
	const int small = strcmp(device, "cpu") == 0 ? 8 : 1, n = 2048 / small, edge = 512 / (small > 1 ? 2 : 1);
	const struct work works[] = {
	    {"potential", 4000, n, n, 1, potential, f32, 0.0, 0, 1},
	    {"potential", 16384, 256, 256, 256 / small / small, potential, f32, 0.0, 0, 1},
	    {"potential, classic", 10000, 512 / small, 512, 1, potential, f32, 0.0, 0, 1},
	    {"potential and field", 4000, n, n, 1, both, f32, 0.0, 0, 1},
	    {"potential, float64", 4000, n, n, 1, potential, f64, 0.0, 0, 1},
	    {"potential and field, float64", 4000, n, n, 1, both, f64, 0.0, 0, 1},
	    {"potential, 4 sets", 4000, n, n, 1, potential, f32, 0.0, 0, 4},
	    {"potential and field, 4 sets", 4000, n, n, 1, both, f32, 0.0, 0, 4},
	    {"fast, 1e-4", 100000, edge, edge, edge, potential, automatic, 1e-4, 0, 1},
	    {"fast, 1e-6", 100000, edge, edge, edge, potential, automatic, 1e-6, 0, 1},
	    {"fast, 1e-4", 1000000 / small, edge, edge, edge, potential, automatic, 1e-4, 0, 1},
	    {"fast, 3e-5, FMM3D's", 10000, 64, 64, 64, potential, automatic, 3e-5, 0, 1},
	    {"fast, 1e-9", 10000, 64, 64, 64, potential, automatic, 1e-9, 0, 1},
	    {"fast, both, 1e-4", 100000, edge / 2, edge / 2, edge / 2, both, automatic, 1e-4, 0, 1},
	    {"fast, 4 sets, 1e-4", 100000, edge / 2, edge / 2, edge / 2, potential, automatic, 1e-4, 0, 4},
	    {"periodic, 1e-5", 100000, 256, 256, 256, potential, automatic, 1e-5, 1, 1},
	};
	for (size_t k = 0; k < sizeof works / sizeof *works; ++k)
		bench(context, device, &works[k], plain, &ceilings);
	bench_list(context, device);
	bench_points(context, device, small > 1 ? 50000 : 1000000, ceilings.speed.f32, ceilings.speed.f64);
	bench_uneven_points(context, device, small > 1 ? 50000 : 100000);
	sonde_context_free(&context);
	return 0;
}
