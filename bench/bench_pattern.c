/* Rates of `pattern`: atoms times points per second, with the error of each, compared with a plain loop and with the ceiling: on one
 * core of the CPU its multiply-adds, on a GPU its units for sines, for multiply-adds, and for products of matrices; then the fast method, with four times as many
 * points, its mesh, compared with the GPU's bandwidth, and one GPU against all cores of the CPU.
 *     bench_pattern [DEVICE [POINTS]]      default: a GPU if there is one; 256 circles of 256 points, on GPUs 1024 of 1024
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "pattern/pattern.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/nodes.h"
#include "pattern/products.h"
#include "pattern_mesh.h"
#include "run/context.h"
#include "sonde/sonde.h"

#define BASELINE_POINTS 400

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

/* Instructions of a term in kernels/pattern_sums.k, a multiply-add or one for the unit for sines each: in float32 with that unit, and
 * on a CPU without it. */
struct instructions {
	double sines, of_f32, of_f64, on_cpu;
};
static const struct instructions instructions_of[] = {[ARRANGED_LIST] = {1.75, 9.75, 23.0, 19.0},
						      [ARRANGED_PAIRS] = {1.0, 7.6, 15.8, 13.9},
						      [ARRANGED_LINES] = {0.5, 6.25, 9.0, 8.6},
						      [ARRANGED_LONG_LINES] = {0.25, 5.1, 5.8, 6.8},
						      [ARRANGED_LONG_PAIRS] = {0.875, 7.0, 14.4, 12.7}};
static const char *const arrangements[] = {[ARRANGED_LIST] = "list",
					   [ARRANGED_PAIRS] = "pairs",
					   [ARRANGED_LINES] = "lines",
					   [ARRANGED_LONG_LINES] = "long lines",
					   [ARRANGED_LONG_PAIRS] = "long pairs"};
/* With nodes these are the instructions of an atom at a node: kernels/pattern_resample.k has two for each node of a tile at a point, and
 * this number for the rest of the tile. */
#define OF_TILE 70.0
#define OF_PRODUCTS 2.0 /* with rows on both sides of the middle */

/* How points are computed, and the instructions of a term: on a CPU, and in float32 or float64 on a GPU; with sines by unit apart. */
struct work {
	struct pixel_division division;
	struct instructions each;
	bool products; /* of matrices */
	char name[48];
};

static struct work work_of(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options)
{
	struct pattern_plan *plan = calloc(1, sizeof *plan);
	struct work work;

	must(pattern_plan_make(context, atoms, options, plan));
	pixel_division_expect(plan, options->precision == SONDE_PATTERN_PRECISION_FLOAT32, &work.division);
	must(products_choose(context, plan));
	work.products = plan->products;
	pattern_plan_free(plan);
	free(plan);
	const struct pixel_division *division = &work.division;
	work.each = instructions_of[division->arrangement];
	if (work.products) {
		work.each = (struct instructions){.of_f64 = OF_PRODUCTS, .on_cpu = OF_PRODUCTS};
		snprintf(work.name, sizeof work.name, "products of matrices");
		return work;
	}
	snprintf(work.name, sizeof work.name, "%s", arrangements[division->arrangement]);
	if (division->along.axis < 0)
		return work;
	const double part = pixel_division_part(division),
		     others = (2.0 * pixel_division_interpolated(division) + OF_TILE) / division->atoms;
	work.each.sines *= part;
	work.each.of_f32 = part * work.each.of_f32 + others;
	work.each.of_f64 = part * work.each.of_f64 + others;
	work.each.on_cpu = part * work.each.on_cpu + others;
	const struct axis_division *along = &division->along, *across = &division->across;
	const int used =
	    snprintf(work.name, sizeof work.name, "%s, %d of %lld nodes", arrangements[division->arrangement],
		     along->windows * along->nodes, (long long)along->points);
	if (across->axis >= 0)
		snprintf(work.name + used, sizeof work.name - (size_t)used, ", %d of %lld",
			 across->windows * across->nodes, (long long)across->points);
	return work;
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

static sonde_pattern_options sphere(int precision, int64_t points)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){0.5, 7.0, points};
	options.phi = points;
	options.wavelength = 0.5;
	options.precision = precision;
	return options;
}

static sonde_pattern_options plane_of(int precision, int64_t points)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.precision = precision;
	options.h = options.k = (sonde_grid){-4.0, 4.0, points};
	options.l = (sonde_grid){0.0, 0.0, 1};
	options.u.x = options.v.y = options.w.z = 1.0;
	return options;
}

/* As far as q = 7, tilted, with the beam off its middle. */
static sonde_pattern_options detector_of(int precision, int64_t points)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.precision = precision;
	snprintf(options.detector, sizeof options.detector, "%lld,%lld", (long long)points, (long long)points);
	snprintf(options.beam_center, sizeof options.beam_center, "%.1f,%.1f", 0.4 * (double)points,
		 0.53 * (double)points);
	options.detector_rotation = (sonde_vector){8.0, -5.0, 0.0};
	options.distance = 100.0;
	options.pixel_size = 80.0 / (double)points;
	options.wavelength = 0.5;
	return options;
}

static const char *geometry_name(const sonde_pattern_options *options)
{
	return options->detector[0] != '\0' ? "detector," : options->h.points > 1 ? "plane," : "sphere,";
}

static sonde_pattern_result *run(sonde_context *context, const sonde_atoms *atoms,
				 const sonde_pattern_options *options, double *seconds)
{
	sonde_pattern_result *result = NULL;

	*seconds = INFINITY;
	for (int repeat = 0; repeat < 3; ++repeat) {
		sonde_pattern_result_free(&result);
		const double began = now();
		must(sonde_pattern_run(context, atoms, options, &result));
		*seconds = fmin(*seconds, now() - began);
	}
	return result;
}

/* `ceiling`: multiply-adds of float64 per second; 0: unknown. */
static void bench_direct(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			 double ceiling, double *baseline)
{
	const bool single = options->precision == SONDE_PATTERN_PRECISION_FLOAT32;
	const struct work work = work_of(context, atoms, options);
	const struct instructions *each = &work.each;
	double seconds;
	sonde_pattern_result *result = run(context, atoms, options, &seconds);
	const double rate = (double)result->atom_count * (double)result->count / seconds;
	if (*baseline == 0.0) {
		*baseline = time_baseline(atoms, result);
		printf("plain loop, float64, one core: %.3g terms/s\n", *baseline);
	}
	printf("%s, %-9s %8lld atoms x %lld points, %-30s  %.3f s  %9.3g terms/s  %6.1f x baseline",
	       single ? "float32" : "float64", geometry_name(options), (long long)result->atom_count,
	       (long long)result->count, work.name, seconds, rate, rate / *baseline);
	if (ceiling > 0.0)
		printf("  %5.1f %% of multiply-adds",
		       100.0 * rate * (single ? 0.5 * each->on_cpu : each->of_f64) / ceiling);
	printf("  error %.1g\n", result->largest_error);
	sonde_pattern_result_free(&result);
}

static void bench(sonde_context *context, const sonde_atoms *atoms, int64_t points, double ceiling)
{
	double baseline = 0.0;

	for (int precision = 0; precision < 2; ++precision) {
		const sonde_pattern_options circles = sphere(precision, points),
					    detector = detector_of(precision, points),
					    plane = plane_of(precision, points);
		bench_direct(context, atoms, &circles, ceiling, &baseline);
		bench_direct(context, atoms, &detector, ceiling, &baseline);
		bench_direct(context, atoms, &plane, ceiling, &baseline);
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

/* Of a GPU ------------------------------------------------------------------------------------------------------ */

#define SINES_OF_F32 \
	(1.0 / 16.0) /* a multiprocessor has 16 units for sines and 128 for multiply-adds, of 2 FLOP each */
static double time_run(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
		       double *terms, double *error)
{
	double seconds = INFINITY;

	for (int repeat = 0; repeat < 2; ++repeat) {
		sonde_pattern_result *result;
		const double began = now();
		must(sonde_pattern_run(context, atoms, options, &result));
		seconds = fmin(seconds, now() - began);
		*terms = (double)result->atom_count * (double)result->count;
		*error = result->largest_error;
		sonde_pattern_result_free(&result);
	}
	return seconds;
}

/* Bytes that interpolation from nodes reads for each term, from the caches mostly: sums over a tile at the nodes, for several points at a
 * time, and the vector and the amplitude of each point. */
static double bytes_of_term(const struct work *work, bool single)
{
	const struct pixel_division *division = &work->division;
	const double number = single ? sizeof(float) : sizeof(double);

	return division->along.axis < 0
		   ? 0.0
		   : (2.0 * number * pixel_division_interpolated(division) / RESAMPLED(single, true) +
		      5.0 * sizeof(double)) /
			 division->atoms;
}

/* Terms per second of the kernel, by the difference between a picture and one of twice as many points: the work of the host at the
 * atoms is the same. */
static void bench_kernel(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			 const sonde_pattern_options *larger, const sonde_device_speed *speed)
{
	const bool single = options->precision == SONDE_PATTERN_PRECISION_FLOAT32;
	const struct work work = work_of(context, atoms, options);
	const struct instructions *each = &work.each;
	double terms, all, error;
	const double shorter = time_run(context, atoms, options, &terms, &error),
		     longer = time_run(context, atoms, larger, &all, &error),
		     rate = (all - terms) / (longer - shorter), sines = speed->f32 * SINES_OF_F32 / each->sines,
		     adds = 0.5 * speed->f32 / each->of_f32, peak = work.products ? speed->matrix_f64 : speed->f64,
		     ceiling = single ? fmin(sines, adds) : 0.5 * peak / each->of_f64;

	printf("kernel, %s, %-9s %-30s %9.3g terms/s  %5.1f %% of %.3g, the ceiling by %s",
	       single ? "float32" : "float64", geometry_name(options), work.name, rate, 100.0 * rate / ceiling,
	       ceiling,
	       single && sines < adds ? "the units for sines"
	       : work.products        ? "the units for products"
				      : "instructions");
	if (work.division.along.axis >= 0 && !work.products)
		printf("; interpolation reads %.2g TB/s, %.0f %% of copies",
		       1e-12 * rate * bytes_of_term(&work, single),
		       100.0 * rate * bytes_of_term(&work, single) / speed->bandwidth);
	printf("  error %.1g\n", error);
}

static void bench_kernels(sonde_context *context, int64_t points, const sonde_device_speed *speed)
{
	sonde_atoms *atoms = make_sphere(context, points < 1024 ? 53.0 : 84.0);

	for (int precision = 0; precision < 2; ++precision) {
		sonde_pattern_options circles = sphere(precision, points), others = circles,
				      plane = plane_of(precision, points);
		others.phi = 4 * points - 1;  /* without pairs, */
		others.q.points = points / 4; /* and too far from each other for lines */
		sonde_pattern_options pairs = others;
		pairs.phi = 4 * points;
		sonde_pattern_options detector = detector_of(precision, points),
				      *all[] = {&others, &pairs, &circles, &detector, &plane};
		for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
			sonde_pattern_options larger = *all[k];
			if (all[k] == &plane)
				larger.k.points *= 2;
			else if (all[k] == &detector)
				larger = detector_of(precision, 2 * points);
			else
				larger.phi = 2 * larger.phi - (all[k] == &others); /* which remains odd */
			if (precision == 1 || all[k] != &pairs)
				bench_kernel(context, atoms, all[k], &larger, speed);
		}
	}
	sonde_atoms_free(&atoms);
}

/* One GPU against all cores, from the atoms of a small particle to those of the paper that compared them first (V. S. Neverov,
 * 2011: 39 times for 64,103 atoms). */
static void compare_with_cpu(sonde_context *context, int64_t points)
{
	static const double radii[] = {13.2, 26.4, 52.9};
	sonde_context *cpu;

	must(sonde_context_create(&cpu));
	must(sonde_context_set_device(cpu, "cpu"));
	printf("one GPU against all %d threads of the CPU, %lld points, with the work of the host\n",
	       context_threads(cpu), (long long)(points * points));
	for (size_t k = 0; k < sizeof radii / sizeof *radii; ++k) {
		sonde_atoms *atoms = make_sphere(context, radii[k]);
		for (int precision = 0; precision < 2; ++precision) {
			const sonde_pattern_options options = sphere(precision, points);
			double terms, error;
			const double gpu = time_run(context, atoms, &options, &terms, &error),
				     cores = time_run(cpu, atoms, &options, &terms, &error);
			printf("%8lld atoms  %s  %.3g s  %.3g s  %5.1f times\n", (long long)sonde_atoms_count(atoms),
			       precision == SONDE_PATTERN_PRECISION_FLOAT32 ? "float32" : "float64", gpu, cores,
			       cores / gpu);
		}
		sonde_atoms_free(&atoms);
	}
	sonde_context_free(&cpu);
}

static void bench_gpu(sonde_context *context, int64_t points)
{
	struct device *gpu = NULL;
	sonde_device_speed speed;
	int index;

	must(context_first_device(context, &index, &gpu));
	if (!device_properties(gpu)->gpu_kernels)
		return;
	must(sonde_context_measure_device(context, device_name(gpu), &speed));
	printf(
	    "%s, measured: float32 %.3g, float64 %.3g multiply-adds/s, %.3g sines or cosines/s, copies %.3g TB/s\n",
	    device_name(gpu), 0.5 * speed.f32, 0.5 * speed.f64, SINES_OF_F32 * speed.f32, 1e-12 * speed.bandwidth);
	bench_kernels(context, points, &speed);
	must(bench_mesh(context, gpu, points, speed.bandwidth));
	compare_with_cpu(context, points);
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
	if (!cpu)
		bench_gpu(context, points);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	return 0;
}
