/* Rates of sonde ions on a device, compared with a plain loop and the goals for one H200; and whole processes on the
 * CPU and on the GPU. Run by hand or by make bench.
 *
 *     bench_ions [DEVICE [SECONDS]]
 *
 * SECONDS is the approximate total time, from which the numbers of ions follow. */
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/context.h"
#include "ions/tallies/estimates.h"
#include "ions/histories/follow.h"
#include "ions_baseline.h"
#include "sonde/sonde.h"

#define SECONDS 120.0
#define PART_OF_RATES 0.5     /* of the seconds; the rest is for whole processes */
#define PART_OF_PLAIN 0.15    /* of a work's seconds, for the plain loop */
#define LEAST_IONS 64         /* one of each group that errors are made of */
#define MOST_IONS 100000000.0 /* their ends are kept until a launch is over */
#define COLLISIONS_GOAL 2e10  /* a second, on one H200 */
#define PEER_STEP 0.62035     /* of layers, in units of N^(-1/3) */

extern char **environ;

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_ions: %s\n", sonde_status_message());
	exit(1);
}

static void *must_have(void *memory)
{
	if (memory == NULL)
		exit(1);
	return memory;
}

/* One line. Known ranges and vacancies: tests/data/ions/bca_runs.csv, runs of an independent open code with the same stopping,
 * potential and thresholds; its range is in nm, with its standard error. Goals: ions per second on one H200. */
struct work {
	const char *name, *ion, *energy, *target, *displacement, *lattice;
	int flight;
	bool
	    as_peer; /* steps of PEER_STEP, and the collisions omitted in free flights, as in that code; else steps of 1 */
	double goal;
	double range, range_error, vacancies;
};

#define MONOLAYER SONDE_IONS_FLIGHT_MONOLAYER
#define EXPONENTIAL SONDE_IONS_FLIGHT_EXPONENTIAL
#define CARBON "C@2.253", "C=28", "C=3"
#define SILICON "Si@2.3212", "Si=15", "Si=2"
#define IRON "Fe@7.8658", "Fe=40", "Fe=3"
static const struct work works[] = {
    {"H in C, monolayers, as peer", "H", "100keV", CARBON, MONOLAYER, true, 3.3e6, 705.104, 0.586, 6.9652},
    {"H in C, monolayers", "H", "100keV", CARBON, MONOLAYER, false, 5e6, 705.104, 0.586, 6.9652},
    {"H in C, free, as peer", "H", "100keV", CARBON, EXPONENTIAL, true, 3e7, 705.055, 0.127, 6.96286},
    {"H in C, free", "H", "100keV", CARBON, EXPONENTIAL, false, 3e7, 705.055, 0.127, 6.96286},
    {"As in Si, cascades", "As", "50keV", SILICON, EXPONENTIAL, true, 1.3e6, 39.7915, 0.105, 849.901},
    {"Fe in Fe, cascades", "Fe", "2MeV", IRON, EXPONENTIAL, true, 1.7e5, 695.043, 3.65, 7175.88},
    {"B in Si, cascades", "B", "100keV", SILICON, EXPONENTIAL, true, 0.0, 319.949, 0.519, 444.837},
};
#define WORKS (sizeof works / sizeof *works)

static void set_options(const struct work *work, int64_t ions, sonde_ions_options *options)
{
	sonde_ions_options_init(options);
	snprintf(options->ion, sizeof options->ion, "%s", work->ion);
	snprintf(options->energy, sizeof options->energy, "%s", work->energy);
	snprintf(options->target, sizeof options->target, "%s", work->target);
	snprintf(options->displacement, sizeof options->displacement, "%s", work->displacement);
	snprintf(options->lattice, sizeof options->lattice, "%s", work->lattice);
	options->stopping = SONDE_IONS_STOPPING_SRIM13; /* of the known ranges */
	options->straggling = SONDE_IONS_STRAGGLING_NONE;
	options->flight = work->flight;
	options->step = work->as_peer ? PEER_STEP : 1.0;
	if (work->as_peer) {
		options->weakest_transfer = 1.0;
		options->weakest_angle = 2.0;
		options->always_within = 0.0;
	}
	options->number = ions;
	options->exits = 0;
}

struct timing {
	double kernels, run; /* seconds */
	sonde_ions_result *result;
};

static sonde_status after_round(void *user, const struct ions_sums *sums)
{
	(void)user;
	(void)sums;
	return SONDE_OK;
}

/* The same as sonde_ions_run(), with access to the time in kernels. */
static struct timing follow(sonde_context *context, const struct work *work, int64_t ions)
{
	struct ions_plan *plan = must_have(malloc(sizeof *plan));
	struct timing timing = {.result = must_have(calloc(1, sizeof *timing.result))};
	struct ions_sums *sums;
	sonde_ions_options options;
	double began = clock_seconds();

	set_options(work, ions, &options);
	must(ions_plan_make(context_threads(context), &options, plan));
	must(ions_sums_make(&plan->job, plan->depth_unit, &sums));
	must(ions_follow(context, plan, after_round, NULL, sums, &timing.kernels));
	must(estimates_fill(plan, sums, timing.result));
	timing.run = clock_seconds() - began;
	ions_sums_free(&sums);
	ions_plan_free(plan);
	free(plan);
	return timing;
}

static int64_t ions_for(double rate, double seconds)
{
	return (int64_t)fmin(fmax(rate * seconds, LEAST_IONS), MOST_IONS) / LEAST_IONS * LEAST_IONS;
}

/* The same physics by the plain loop: its flights and stopping are those of the plan. */
static struct ions_baseline_flight *plain_flights(const struct ions_plan *plan, uint32_t species)
{
	uint32_t nodes = plan->job.nodes;
	const struct ions_flight *from = plan->flights + (size_t)species * nodes;
	struct ions_baseline_flight *flights = must_have(malloc(nodes * sizeof *flights));

	for (uint32_t n = 0; n < nodes; ++n)
		flights[n] = (struct ions_baseline_flight){(double)from[n].stopping, (double)from[n].slope,
							   (double)from[n].length, exp2((double)from[n].log2_disc)};
	return flights;
}

/* Ions per second of the plain loop on one core. */
static double plain_rate(const struct work *work, double seconds, struct ions_baseline_answer *answer)
{
	struct ions_plan *plan = must_have(malloc(sizeof *plan));
	sonde_ions_options options;

	set_options(work, 1, &options);
	must(ions_plan_make(1, &options, plan));
	const struct target_kind *kind = &plan->target.kinds[1];
	struct ions_baseline_flight *flights[2] = {plain_flights(plan, 0),
						   plain_flights(plan, plan->kinds[1].species)};
	const struct ions_baseline job = {.z1 = plan->source.atomic_number,
					  .z2 = kind->atomic_number,
					  .m1 = plan->source.mass,
					  .m2 = kind->mass,
					  .energy = plan->source.energy,
					  .displacement = kind->displacement,
					  .lattice = kind->lattice,
					  .cutoff = plan->options.cutoff,
					  .exponential = work->flight == EXPONENTIAL,
					  .flights = {flights[0], flights[1]},
					  .bin = plan->job.cell_nm[0]};
	double took = 0.0;
	int64_t ions = 8;
	while (took < 0.3 * seconds) {
		double began = clock_seconds();
		ions *= 2;
		baseline_ions(&job, ions, answer);
		took = clock_seconds() - began;
	}
	free(flights[0]);
	free(flights[1]);
	ions_plan_free(plan);
	free(plan);
	return (double)ions / took;
}

static void bench(sonde_context *context, const char *device, const struct work *work, bool gpu, double seconds)
{
	struct ions_baseline_answer plain_answer;
	double plain = plain_rate(work, PART_OF_PLAIN * seconds, &plain_answer), rate = plain;

	/* kernels are compiled, and the rate is found */
	for (int64_t ions = gpu ? 1 << 14 : LEAST_IONS;;) {
		struct timing first = follow(context, work, ions);
		sonde_ions_result_free(&first.result);
		rate = (double)ions / first.kernels;
		if (first.kernels > 0.02 * seconds || ions >= 1 << 22)
			break;
		ions *= 8;
	}
	int64_t ions = ions_for(rate, (0.9 - PART_OF_PLAIN) * seconds);
	struct timing best = follow(context, work, ions);
	const sonde_ions_result *result = best.result;
	double count = (double)ions,
	       collisions = count * (result->collisions[0] + result->collisions[1]) / best.kernels;

	printf("%-8s %-27s %9lld ions  kernels %9.4g ions/s", device, work->name, (long long)ions,
	       count / best.kernels);
	if (work->goal > 0.0)
		printf(" (%5.1f %% of %.2g)", 100.0 * count / best.kernels / work->goal, work->goal);
	else
		printf("%20s", "");
	printf("  run %9.4g ions/s  %.3g collisions/s (%4.1f %%)  %6.1f x plain loop", count / best.run, collisions,
	       100.0 * collisions / COLLISIONS_GOAL, count / best.kernels / plain);
	printf("  range %.6g +- %.2g nm (%+.2f %%)  vacancies %.5g +- %.2g (%+.2f %%)\n", 0.1 * result->range.value,
	       0.1 * result->range.error, 100.0 * (0.1 * result->range.value / work->range - 1.0),
	       result->vacancies.value, result->vacancies.error,
	       100.0 * (result->vacancies.value / work->vacancies - 1.0));
	printf("%-8s %-27s %9lld ions  one core %8.4g ions/s  %.3g collisions/s  range %.4g +- %.2g nm  vacancies "
	       "%.4g +- %.2g\n",
	       "", "  plain loop", (long long)plain_answer.ions, plain, plain * plain_answer.collisions,
	       plain_answer.range, plain_answer.range_error, plain_answer.vacancies, plain_answer.vacancies_error);
	fflush(stdout);
	sonde_ions_result_free(&best.result);
}

/* Seconds of a whole process; negative where it fails. */
static double process_seconds(const char *program, const char *device, const char *energy, int64_t ions)
{
	char number[32];
	snprintf(number, sizeof number, "%lld", (long long)ions);
	const char *const arguments[] = {program,    "ions",    "--ion",          "H",    "--energy", energy,
					 "--target", "C@2.253", "--displacement", "C=28", "--number", number,
					 "--device", device,    "--quiet",        NULL};
	posix_spawn_file_actions_t actions;
	double began = clock_seconds();
	int status;
	pid_t child;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return -1.0;
	bool right =
	    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
	    posix_spawn(&child, program, &actions, NULL, (char *const *)(uintptr_t)arguments, environ) == 0 &&
	    waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	posix_spawn_file_actions_destroy(&actions);
	return right ? clock_seconds() - began : -1.0;
}

#define SIZES 3
static const int64_t sizes[SIZES] = {10000, 100000, 1000000};

/* Row of seconds by size, 0 where there was no time for it. */
static void measure_row(const char *program, const char *device, const char *energy, double most, double *row)
{
	for (int s = 0; s < SIZES; ++s) {
		row[s] = 0.0;
		/* the longest one that came before, all of it for its ions */
		if (s > 0 && (row[s - 1] <= 0.0 || row[s - 1] * (double)sizes[s] / (double)sizes[s - 1] > most))
			continue;
		row[s] = process_seconds(program, device, energy, sizes[s]);
		for (int again = 0; again < 2 && row[s] > 0.0 && row[s] < 0.05 * most; ++again)
			row[s] = fmin(row[s], process_seconds(program, device, energy, sizes[s]));
		most -= row[s];
	}
}

static void print_row(const char *energy, const char *device, const double *row)
{
	printf("H in C, %7s  %s:", energy, device);
	for (int s = 0; s < SIZES; ++s) {
		if (row[s] > 0.0)
			printf("  %7lld ions %8.3f s", (long long)sizes[s], row[s]);
		else
			printf("  %7lld ions %10s", (long long)sizes[s], row[s] < 0.0 ? "failed" : "-");
	}
	printf("\n");
	fflush(stdout);
}

/* Start and seconds for an ion, from the smallest and the largest size that was measured. */
static bool line_of(const double *row, double *start, double *each)
{
	int last = SIZES - 1;

	while (last > 0 && !(row[last] > 0.0))
		--last;
	if (last == 0 || !(row[0] > 0.0))
		return false;
	*each = (row[last] - row[0]) / (double)(sizes[last] - sizes[0]);
	*start = row[0] - *each * (double)sizes[0];
	return *each > 0.0;
}

static void print_crossover(const double *cpu, const double *gpu)
{
	double cpu_start, cpu_each, gpu_start, gpu_each;

	if (!line_of(cpu, &cpu_start, &cpu_each) || !line_of(gpu, &gpu_start, &gpu_each) || gpu_each >= cpu_each)
		return;
	printf("                 the GPU is faster from %.2g ions on; with very many %.0f times\n",
	       fmax((gpu_start - cpu_start) / (cpu_each - gpu_each), 1.0), cpu_each / gpu_each);
}

/* CPU and GPU as users experience them: including start, tables and results. */
static void whole_processes(const char *program, bool gpu, double seconds)
{
	static const char *const energies[] = {"10keV", "100keV", "1000keV"};
	double left = seconds;

	printf("Whole processes, default options: start, tables, ions, result\n");
	if (gpu)
		printf("first one on the GPU, which may compile kernels: %.3f s\n",
		       process_seconds(program, "gpu", energies[0], 1000));
	for (int e = 0; e < 3; ++e) {
		double cpu[SIZES], on_gpu[SIZES], began = clock_seconds();
		measure_row(program, "cpu", energies[e], left / (3 - e), cpu);
		print_row(energies[e], "CPU", cpu);
		if (gpu) {
			measure_row(program, "gpu", energies[e], left / (3 - e), on_gpu);
			print_row(energies[e], "GPU", on_gpu);
			print_crossover(cpu, on_gpu);
		}
		left -= clock_seconds() - began;
	}
}

/* Name of the first GPU; "cpu" where there is none. */
static void find_gpu(char *name, size_t size)
{
	sonde_device_description device;
	sonde_context *context;
	int found = 0;

	snprintf(name, size, "cpu");
	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, "cpu"));
	for (int k = 0; sonde_context_describe_device(context, k, &device, &found) == SONDE_OK && found; ++k) {
		if (device.usable && !device.is_cpu && !device.hidden && !device.absent) {
			snprintf(name, size, "%s", device.name);
			break;
		}
	}
	sonde_context_free(&context);
}

int main(int argc, char **argv)
{
	char gpu[32], program[4096];
	const char *slash = strrchr(argv[0], '/');
	double seconds = argc > 2 ? strtod(argv[2], NULL) : SECONDS;

	find_gpu(gpu, sizeof gpu);
	const char *device = argc > 1 ? argv[1] : gpu;
	bool is_gpu = strcmp(device, "cpu") != 0 && strcmp(device, "emulated") != 0;
	sonde_context *context;
	must(sonde_context_create(&context));
	must(sonde_context_set_device(context, device));
	printf("Percentages are of the goals for one H200; range and vacancies are compared with an independent "
	       "code's\n");
	for (size_t k = 0; k < WORKS; ++k)
		bench(context, device, &works[k], is_gpu, PART_OF_RATES * seconds / (double)WORKS);
	sonde_context_free(&context);
	snprintf(program, sizeof program, "%.*s/../src/sonde", slash != NULL ? (int)(slash - argv[0]) : 1,
		 slash != NULL ? argv[0] : ".");
	if (access(program, X_OK) == 0)
		whole_processes(program, is_gpu, (1.0 - PART_OF_RATES) * seconds);
	else
		printf("%s is not there: no whole processes\n", program);
	return 0;
}
