/* Rates of `match` with synthetic libraries: ranking of single candidates on the library's own points and on others, the mixture among 1000
 * candidates with 1500 points on one thread, and a series of curves with 50 candidates.
 *     bench_match [CANDIDATES [POINTS [CURVES [FOLDER [DEVICE ...]]]]]      default: 100000 candidates of 1000 points, a series of 1000 curves,
 * in the folder for temporary files, where a library of 10^6 takes 4 GB; the ranking on each device, by default the CPU. A second ranking
 * finds the curves in the memory of a GPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/options.h"
#include "base/threads.h"
#include "match/match.h"
#include "match/mixture.h"
#include "match/option_table.h"
#include "match/ranking.h"
#include "sonde/sonde.h"

#define PEAKS 6

static char folder[2048];

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_match: %s\n", sonde_status_message());
	exit(1);
}

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return (double)(*state >> 11) * 0x1p-53;
}

/* A curve with some peaks, a function of its number. */
static void make_curve(int64_t number, const double *q, int64_t points, double *curve)
{
	uint64_t state = 0x9e3779b97f4a7c15U * (uint64_t)(number + 1);

	(void)uniform(&state);
	for (int64_t k = 0; k < points; ++k)
		curve[k] = 40.0 / (1.0 + q[k] * q[k]);
	for (int n = 0; n < PEAKS; ++n) {
		const double center = 1.0 + 18.0 * uniform(&state), width = 0.2 + 0.6 * uniform(&state),
			     height = 5.0 + 50.0 * uniform(&state);
		const double step = (q[points - 1] - q[0]) / (double)(points - 1);
		const int64_t reach = (int64_t)(4.0 * width / step), middle = (int64_t)((center - q[0]) / step);
		for (int64_t k = middle - reach < 0 ? 0 : middle - reach; k < points && k <= middle + reach; ++k)
			curve[k] += height * exp(-0.5 * pow((q[k] - center) / width, 2.0));
	}
}

static void make_axis(double *q, int64_t points, double shift)
{
	for (int64_t k = 0; k < points; ++k)
		q[k] = 0.5 + shift + (19.5 - 2.0 * shift) * (double)k / (double)(points - 1);
}

static const char *path_of(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void write_library(const char *path, int64_t count, int64_t points)
{
	struct library_head head = {.physics = (char *)"", .q_count = points};
	struct library_writer *writer;
	double *q = malloc((size_t)points * sizeof *q), *curve = malloc((size_t)points * sizeof *curve);
	char key[LIBRARY_KEY + 1], name[32];

	make_axis(q, points, 0.0);
	head.q = q;
	head.has[LIBRARY_I_PER_ATOM] = true;
	must(library_create(path, true, &head, &writer));
	for (int64_t n = 0; n < count; ++n) {
		snprintf(name, sizeof name, "candidate %lld", (long long)n);
		snprintf(key, sizeof key, "%064llx", (unsigned long long)n);
		make_curve(n, q, points, curve);
		struct library_candidate candidate = {.name = name, .key = key, .atoms = 1, .size = NAN};
		candidate.curves[LIBRARY_I_PER_ATOM] = curve;
		must(library_add(writer, &candidate));
	}
	must(library_writer_finish(&writer));
	free(q);
	free(curve);
}

/* The sum of three candidates with noise. */
static void write_measured(const char *path, int64_t points, double shift, uint64_t seed)
{
	double *q = malloc((size_t)points * sizeof *q), *curve = malloc((size_t)points * sizeof *curve),
	       *sum = calloc((size_t)points, sizeof *sum);
	FILE *file = fopen(path, "w");
	uint64_t state = seed;

	if (file == NULL) {
		fprintf(stderr, "bench_match: %s cannot be written\n", path);
		exit(1);
	}
	make_axis(q, points, shift);
	for (int n = 0; n < 3; ++n) {
		make_curve(7 * n + 3, q, points, curve);
		const double factor = 1.0 + n + (n == 1 ? 0.5 * uniform(&state) : 0.0);
		for (int64_t k = 0; k < points; ++k)
			sum[k] += factor * curve[k];
	}
	for (int64_t k = 0; k < points; ++k)
		fprintf(file, "%.17g %.8g 1\n", q[k], sum[k] + 50.0 + 3.4 * (uniform(&state) - 0.5));
	fclose(file);
	free(q);
	free(curve);
	free(sum);
}

static sonde_context *make_context(int threads)
{
	sonde_context *context;

	must(sonde_context_create(&context));
	if (threads > 0)
		must(sonde_context_set_threads(context, threads));
	return context;
}

static void rank(const char *library, const char *measured, const char *what, int64_t count, int64_t points,
		 const char *device)
{
	sonde_context *context = make_context(0);
	sonde_match_options options;
	struct data_set set;
	struct common common;
	struct ranked *ranking;

	must(sonde_context_set_device(context, device));
	options_set_defaults(&match_option_table, &options);
	must(data_set_make(measured, &library, 1, &options, &set));
	must(common_make(&set, 1, &common));
	for (int run = 0; run < 3; ++run) {
		const double began = clock_seconds(), processor = clock_processor_seconds();
		must(ranking_make(context, &common, &ranking));
		const double seconds = clock_seconds() - began;
		printf("ranking, %s, %s: %lld candidates of %lld points: %.3f s, %.3f s of processors, %.3g "
		       "candidates/s, best %lld\n",
		       device, what, (long long)count, (long long)points, seconds,
		       clock_processor_seconds() - processor, (double)count / seconds,
		       (long long)ranking[0].candidate);
		free(ranking);
	}
	common_free(&common);
	data_set_free(&set);
	sonde_context_free(&context);
}

static void run_match(const char *const *measured, int64_t curves, const char *library, int threads, const char *what)
{
	sonde_context *context = make_context(threads);
	sonde_match_options options;
	struct match_result result;
	const struct match_request request = {measured, curves, &library, 1};
	const double began = clock_seconds(), processor = clock_processor_seconds();

	options_set_defaults(&match_option_table, &options);
	must(match_run(context, &request, &options, &result));
	printf("%s: %.3f s, %.3f s of processors, %d weights, reduced chi^2 %.4f\n", what, clock_seconds() - began,
	       clock_processor_seconds() - processor, result.weight_count,
	       result.chi_square / (double)result.degrees_of_freedom);
	match_result_free(&result);
	sonde_context_free(&context);
}

int main(int argc, char **argv)
{
	const int64_t count = argc > 1 ? atoll(argv[1]) : 100000, points = argc > 2 ? atoll(argv[2]) : 1000,
		      curves = argc > 3 ? atoll(argv[3]) : 1000;
	const char *base = argc > 4 ? argv[4] : getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
	char library[2100], same[2100], other[2100];

	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(folder, sizeof folder, "%s/bench_match.XXXXXX", base);
	if (mkdtemp(folder) == NULL) {
		fprintf(stderr, "bench_match: no folder in %s\n", base);
		return 1;
	}
	snprintf(library, sizeof library, "%s/library.h5", folder);
	snprintf(same, sizeof same, "%s/same.xy", folder);
	snprintf(other, sizeof other, "%s/other.xy", folder);
	printf("%d threads\n", threads_available());
	const double began = clock_seconds();
	write_library(library, count, points);
	printf("library: written in %.2f s\n", clock_seconds() - began);
	write_measured(same, points, 0.0, 1);
	write_measured(other, points, 0.01, 1);
	for (int k = argc > 5 ? 5 : 0; k < (argc > 5 ? argc : 1); ++k) {
		rank(library, same, "own points", count, points, argc > 5 ? argv[k] : "cpu");
		rank(library, other, "other points", count, points, argc > 5 ? argv[k] : "cpu");
	}
	unlink(library);
	write_library(library, 1000, 1500);
	write_measured(other, 1500, 0.01, 1);
	const char *const one = other;
	run_match(&one, 1, library, 1, "mixture among 1000 candidates, 1500 points, one thread");
	write_library(library, 50, 1000);
	const char **series = calloc((size_t)curves, sizeof *series);
	for (int64_t k = 0; k < curves; ++k) {
		char name[64];
		snprintf(name, sizeof name, "curve_%lld.xy", (long long)k);
		series[k] = strdup(path_of(name));
		write_measured(series[k], 1000, 0.01, (uint64_t)k + 2);
	}
	char what[64];
	snprintf(what, sizeof what, "series of %lld curves, 50 candidates", (long long)curves);
	run_match(series, curves, library, 0, what);
	for (int64_t k = 0; k < curves; ++k) {
		unlink(series[k]);
		free((char *)series[k]);
	}
	free(series);
	unlink(library);
	unlink(same);
	unlink(other);
	rmdir(folder);
	return 0;
}
