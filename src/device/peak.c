#include "device/peak.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define UNITS 2.0 /* per core, for arithmetic on registers */

/* Multiply-adds of float64 per clock and multiprocessor. */
static double f64_units(int capability)
{
	switch (capability) {
	case 70:
	case 80:
		return 32.0;
	case 90:
	case 100:
		return 64.0;
	default:
		return 2.0;
	}
}

/* The same for the matrix units: data sheets of the A100, H100 and B200. */
static double matrix_units(int capability)
{
	return capability == 80 || capability == 90 ? 2.0 * f64_units(capability)
	       : capability == 100                  ? f64_units(capability)
						    : 0.0;
}

/* CUDA C++ Programming Guide, table of arithmetic throughput. */
struct peak peak_of_nvidia(int capability, double multiprocessors, double clock)
{
	bool half = capability == 70 || capability == 72 || capability == 75 || capability == 80;

	return (struct peak){.f64 = 2.0 * f64_units(capability) * multiprocessors * clock,
			     .matrix_f64 = 2.0 * matrix_units(capability) * multiprocessors * clock,
			     .f32 = 2.0 * (half ? 64.0 : 128.0) * multiprocessors * clock};
}

struct processor {
	double clock;   /* Hz; 0 unknown */
	uint32_t cores; /* not counting second threads of cores; 0 unknown */
};

/* The value of "key : value" in a line of /proc/cpuinfo, or null. */
static const char *value_of(const char *line, const char *key)
{
	const char *value = strchr(line, ':');

	return strncmp(line, key, strlen(key)) == 0 && value != NULL ? value + 1 : NULL;
}

#define TRIAL_SECONDS 2e-3 /* idle processors take a part of this to raise their clock */
#define OPERATIONS 20000
#define LEAST_TRIALS 16 /* on a busy machine another process may take most of the time */
#define MORE_TRIALS 10  /* of all of these */
#define LEAST_PART 0.9

/* Dependent operations take one cycle each: this measures the present clock of the processor, which may be above the
 * one that the system reports. (Additions of constants are unsuitable: some processors merge them.) 0 for unknown
 * processors. */
static double measure_clock(void)
{
	double best = 0.0;

#if defined(__x86_64__)
	const double start = clock_seconds();
	double began = start;

	for (int trials = 0; trials < LEAST_TRIALS || began - start < TRIAL_SECONDS;
	     ++trials, began = clock_seconds()) {
		uint64_t bits = 0;
		const uint64_t mask = 0x5555;
		for (int k = 0; k < OPERATIONS / 10; ++k)
			__asm__ volatile("xor %1, %0; xor %1, %0; xor %1, %0; xor %1, %0; xor %1, %0;"
					 "xor %1, %0; xor %1, %0; xor %1, %0; xor %1, %0; xor %1, %0"
					 : "+r"(bits)
					 : "r"(mask));
		double rate = OPERATIONS / (clock_seconds() - began);
		best = rate > best ? rate : best;
	}
#endif
	return best;
}

static struct processor find_processor(void)
{
	struct processor processor = {.clock = measure_clock()};
	double megahertz = 0.0, siblings = 0.0, cores = 0.0, threads = 0.0;
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[256];

	while (file != NULL && fgets(line, sizeof line, file) != NULL) {
		const char *clock = value_of(line, "cpu MHz"), *threads_here = value_of(line, "siblings"),
			   *cores_here = value_of(line, "cpu cores");
		threads += value_of(line, "processor") != NULL;
		megahertz = clock != NULL && atof(clock) > megahertz ? atof(clock) : megahertz;
		siblings = threads_here != NULL ? atof(threads_here) : siblings;
		cores = cores_here != NULL ? atof(cores_here) : cores;
	}
	if (file != NULL)
		fclose(file);
	/* far below the clock that the system reports: it is still being raised, or others have the processor */
	for (int trial = 0;
	     trial < MORE_TRIALS && processor.clock > 0.0 && processor.clock < LEAST_PART * 1e6 * megahertz; ++trial)
		processor.clock = fmax(processor.clock, measure_clock());
	if (processor.clock == 0.0)
		processor.clock = 1e6 * megahertz;
	processor.cores = (uint32_t)(siblings > 0.0 && cores > 0.0 ? threads * cores / siblings : threads);
	return processor;
}

/* Number of float64 values in a register. */
static double lanes_of(const char *instruction_set)
{
	if (strcmp(instruction_set, "avx512") == 0)
		return 8.0;
	if (strcmp(instruction_set, "avx2") == 0)
		return 4.0;
#if defined(__x86_64__)
	if (strcmp(instruction_set, "sse2") != 0)
		return __builtin_cpu_supports("avx512f") ? 8.0 : __builtin_cpu_supports("avx2") ? 4.0 : 2.0;
#endif
	return 2.0;
}

struct peak peak_of_processor(uint32_t threads, const char *instruction_set)
{
	struct processor processor = find_processor();
	double cores = processor.cores > 0 && processor.cores < threads ? processor.cores : threads;
	double lanes = lanes_of(instruction_set);
	/* registers of 128 bits are used without fused multiply-add: one unit adds while the other multiplies */
	double a_clock = lanes > 2.0 ? 2.0 * UNITS * lanes : UNITS * lanes;

	return (struct peak){.f64 = cores * processor.clock * a_clock,
			     .f32 = 2.0 * cores * processor.clock * a_clock};
}
