/* Exact sums on one device: float32 compared with float64 over q, for the cobalt of a CoO sphere (Lønning Reiten 2010
 * has relative errors of 5e-5 at a small feature near q = 5.8 and of 5e-6 at the largest peak, near 2.5); and the time
 * against the number of atoms, with the default shapes of the kernels and with tuned ones (`sonde devices --tune`).
 *     bench_precision [DEVICE [POINTS [ATOMS]]]
 * 1456 points of q, and samples of up to 64000 atoms. Without a device the first one of CUDA, OpenCL, and the CPU; where that is a
 * processor, as with PoCL, a smaller sphere, samples of up to 8000 atoms, and the default shapes only, in some minutes. The
 * CPU's own kernels have float64 only: the errors shown there are those of plain loops. */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "sonde/sonde.h"

#define FIRST_Q 0.1
#define LAST_Q 10.0

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_precision: %s\n", sonde_status_message());
	exit(1);
}

static sonde_context *open_context(const char *device, const char *cache)
{
	sonde_context *context;

	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, device));
	must(sonde_context_set_kernel_cache(context, cache));
	return context;
}

static sonde_debye_options options_of(int64_t points, int precision)
{
	sonde_debye_options options;

	sonde_debye_options_init(&options);
	options.q = (sonde_grid){FIRST_Q, LAST_Q, points};
	options.r = (sonde_grid){1.0, 2.0, 2};
	options.method = SONDE_DEBYE_METHOD_EXACT;
	options.factors = SONDE_DEBYE_FACTORS_UNIT;
	options.precision = precision;
	return options;
}

static sonde_debye_result *run(sonde_context *context, const sonde_atoms *atoms, int64_t points, int precision,
			       double *seconds)
{
	const sonde_debye_options options = options_of(points, precision);
	sonde_debye_result *result;
	const double began = clock_seconds();

	must(sonde_debye_run(context, atoms, &options, &result));
	*seconds = clock_seconds() - began;
	return result;
}

/* The sum over pairs in float32 throughout, as a first program has it: the intensity per atom. */
static float plain_intensity(const sonde_atoms *atoms, float q)
{
	const double *r = sonde_atoms_positions(atoms);
	const int64_t count = sonde_atoms_count(atoms);
	float sum = 0.0f;

	for (int64_t i = 0; i < count; ++i) {
		float row = 0.0f;
		for (int64_t j = i + 1; j < count; ++j) {
			const float x = (float)(r[3 * j] - r[3 * i]), y = (float)(r[3 * j + 1] - r[3 * i + 1]),
				    z = (float)(r[3 * j + 2] - r[3 * i + 2]);
			const float phase = q * sqrtf(x * x + y * y + z * z);
			row += sinf(phase) / phase;
		}
		sum += row;
	}
	return 1.0f + 2.0f * sum / (float)count;
}

/* Errors in a window of q: the largest of |d I|/I, and that at the window's highest point. */
static void show_window(const sonde_atoms *atoms, const sonde_debye_result *is, const sonde_debye_result *should,
			double low, double high, const char *name)
{
	int64_t peak = -1;
	double worst = 0.0;

	for (int64_t k = 0; k < is->q_count; ++k) {
		if (!(is->q[k] >= low && is->q[k] <= high))
			continue;
		const double exact = should->intensity_per_atom[k];
		worst = fmax(worst, fabs(is->intensity_per_atom[k] - exact) / exact);
		if (peak < 0 || exact > should->intensity_per_atom[peak])
			peak = k;
	}
	if (peak < 0)
		return;
	const double exact = should->intensity_per_atom[peak];
	printf("  %-28s q = %.3f  I/N = %9.4g  relative error %.1e, in the window %.1e; plain float32 loops %.1e\n",
	       name, is->q[peak], exact, fabs(is->intensity_per_atom[peak] - exact) / exact, worst,
	       fabs((double)plain_intensity(atoms, (float)is->q[peak]) - exact) / exact);
}

static void compare_precisions(sonde_context *context, double radius, int64_t points)
{
	sonde_build_options build;
	sonde_atoms *atoms;
	double seconds[2];

	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_FCC;
	strcpy(build.species, "Co");
	build.a = 4.2614;
	build.sphere = radius;
	must(sonde_build_run(context, &build, &atoms));
	sonde_debye_result *exact = run(context, atoms, points, SONDE_DEBYE_PRECISION_FLOAT64, &seconds[0]);
	sonde_debye_result *single = run(context, atoms, points, SONDE_DEBYE_PRECISION_FLOAT32, &seconds[1]);
	printf("%lld Co atoms of a CoO sphere, %lld points of q: float64 %.3f s, float32 %.3f s%s\n",
	       (long long)sonde_atoms_count(atoms), (long long)points, seconds[0], seconds[1],
	       single->options->precision == SONDE_DEBYE_PRECISION_FLOAT32 ? "" : " (computed in float64 here)");
	show_window(atoms, single, exact, 2.3, 2.8, "main peaks");
	show_window(atoms, single, exact, 5.6, 6.0, "small feature");
	show_window(atoms, single, exact, FIRST_Q, LAST_Q, "all q");
	sonde_debye_result_free(&single);
	sonde_debye_result_free(&exact);
	sonde_atoms_free(&atoms);
}

/* Atoms at random in a cube, 0.05 per cubic Angstrom. */
static sonde_atoms *make_gas(int64_t count)
{
	const double edge = cbrt((double)count / 0.05);
	uint64_t state = 1;
	sonde_atoms *atoms;

	must(sonde_atoms_create(&atoms));
	for (int64_t i = 0; i < count; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = edge * (double)(state >> 11) * 0x1p-53;
		}
		must(sonde_atoms_add(atoms, "Co", r));
	}
	return atoms;
}

static void count_trial(const sonde_tune_trial *trial, void *user)
{
	int *trials = user;

	(void)trial;
	++*trials;
}

/* Seconds of float64 sums for each number of atoms; the first run, which compiles kernels, does not count. */
static void time_sizes(sonde_context *context, int64_t points, const int64_t *sizes, int count, double *seconds)
{
	for (int k = 0; k < count; ++k) {
		sonde_atoms *atoms = make_gas(sizes[k]);
		for (int repeat = k == 0 ? 0 : 1; repeat < 2; ++repeat) {
			sonde_debye_result *result =
			    run(context, atoms, points, SONDE_DEBYE_PRECISION_FLOAT64, &seconds[k]);
			sonde_debye_result_free(&result);
		}
		sonde_atoms_free(&atoms);
	}
}

/* Tunes the device; the kernels of a processor have one shape. */
static void tune(sonde_context *context)
{
	const double began = clock_seconds();
	int trials = 0;

	must(sonde_debye_tune(context, count_trial, &trials));
	printf("tuned in %.1f s, %d trials\n", clock_seconds() - began, trials);
}

static void compare_shapes(const char *device, int64_t points, int64_t most, bool tuning, const char *cache)
{
	static const int64_t sizes[] = {1000, 8000, 64000};
	double usual[3], tuned[3];
	int count = 0;

	while (count < 3 && sizes[count] <= most)
		++count;
	sonde_context *context = open_context(device, cache);
	time_sizes(context, points, sizes, count, usual);
	if (tuning)
		tune(context);
	sonde_context_free(&context);
	if (tuning) {
		context = open_context(device, cache);
		time_sizes(context, points, sizes, count, tuned);
		sonde_context_free(&context);
	}
	printf("    atoms   default (s)     tuned (s)   sin(qr)/qr per second, default and tuned\n");
	for (int k = 0; k < count; ++k) {
		const double terms = 0.5 * (double)sizes[k] * (double)(sizes[k] - 1) * (double)points;
		printf("%9lld  %12.4f  ", (long long)sizes[k], usual[k]);
		if (tuning)
			printf("%12.4f   %.3g  %.3g\n", tuned[k], terms / usual[k], terms / tuned[k]);
		else
			printf("%12s   %.3g\n", "-", terms / usual[k]);
	}
}

/* Whether a device sums anything. */
static bool is_usable(const char *device, const char *cache)
{
	const sonde_debye_options options = options_of(2, SONDE_DEBYE_PRECISION_FLOAT64);
	sonde_context *context = open_context(device, cache);
	sonde_atoms *atoms = make_gas(2);
	sonde_debye_result *result;
	const bool usable = sonde_debye_run(context, atoms, &options, &result) == SONDE_OK;

	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	return usable;
}

static const char *find_device(const char *cache)
{
	static const char *const names[] = {"cuda:0", "opencl:0"};

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		if (is_usable(names[k], cache))
			return names[k];
	return "cpu";
}

static bool is_processor(const char *name, const char *cache)
{
	sonde_context *context = open_context(name, cache);
	sonde_device_description device = {0};
	int found = 1;

	for (int k = 0; found && strcmp(device.name, name) != 0; ++k)
		must(sonde_context_describe_device(context, k, &device, &found));
	sonde_context_free(&context);
	return !found || device.is_cpu;
}

static void remove_folder(const char *folder)
{
	DIR *files = opendir(folder);
	struct dirent *file;
	char path[512];

	while (files != NULL && (file = readdir(files)) != NULL) {
		snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
		(void)unlink(path);
	}
	if (files != NULL)
		(void)closedir(files);
	(void)rmdir(folder);
}

int main(int argc, char **argv)
{
	char cache[] = "/tmp/sonde-bench-XXXXXX";
	if (mkdtemp(cache) == NULL) {
		fprintf(stderr, "bench_precision: no folder for kernels\n");
		return 1;
	}
	const char *device = argc > 1 ? argv[1] : find_device(cache);
	const bool small = argc < 2 && is_processor(device, cache);
	const int64_t points = argc > 2 ? atoll(argv[2]) : 1456, most = argc > 3 ? atoll(argv[3])
									: small  ? 8000
										 : 64000;
	int status = 0;

	if (points < 2 || most < 1) {
		fprintf(stderr, "usage: bench_precision [DEVICE [POINTS [ATOMS]]]\n");
		status = 2;
	} else {
		printf("device %s\n", device);
		(void)fflush(stdout);
		sonde_context *context = open_context(device, cache);
		compare_precisions(context, small ? 30.0 : 40.0, points);
		sonde_context_free(&context);
		compare_shapes(device, points, most, !small && strcmp(device, "cpu") != 0, cache);
	}
	remove_folder(cache);
	return status;
}
