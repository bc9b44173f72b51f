/* Estimates of the time of runs: costs of kernels, in cycles of a processor core and in operations of a GPU, and the speeds of a
 * context's devices from their clocks. For `plan` only: a run must not depend on the machine. */
#ifndef SONDE_RUN_SPEED_H
#define SONDE_RUN_SPEED_H

#include <stdbool.h>

#include "run/context.h"

/* The peak rate of a GPU to which a kernel's rate is compared. */
enum speed_unit { SPEED_F64, SPEED_F32, SPEED_MATRIX, SPEED_BANDWIDTH, SPEED_UNITS };

/* The cost of a unit of work. */
struct speed_cost {
	double cycles[DEVICE_MOST_INSTRUCTION_SETS]; /* of a core: SSE2, AVX2, AVX-512 */
	enum speed_unit unit;                        /* GPUs: operations or bytes at the peak rate of this unit */
	double of_gpu;                               /* in the time that a unit of work takes */
};

/* Host and devices. */
struct speed {
	double clock; /* Hz, of the host's processor */
	int instructions, threads;
	bool gpu;                        /* GPUs, and no CPU */
	double peaks[SPEED_UNITS];       /* of all GPUs together, per second; 0: unknown */
	double cpu_threads, gpu_workers; /* of devices */
	bool matrix;                     /* all GPUs multiply matrices of float64 */
	double start;                    /* seconds until GPU kernels are ready, after opening */
};

/* Opens the devices unless they are open. */
sonde_status speed_find(sonde_context *context, struct speed *speed);
/* The same of some open devices only. */
void speed_find_some(const sonde_context *context, struct device *const *devices, int count, struct speed *speed);
/* Speed of one thread of the host, independent of the devices. */
struct speed speed_of_host(const sonde_context *context);
/* Seconds of all devices together for `work` units of that cost. */
double speed_seconds(const struct speed *speed, const struct speed_cost *cost, double work);
/* Seconds of `threads` threads of the host for cycles of a core. */
double speed_host_seconds(const struct speed *speed, double cycles, int threads);

#endif
