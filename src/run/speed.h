/* Estimates of the time of runs: what kernels take, in cycles of a processor's core and in operations of a GPU, and how fast the
 * devices of a context are by their clocks. For `plan` only: what a run does must not depend on the machine. */
#ifndef SONDE_RUN_SPEED_H
#define SONDE_RUN_SPEED_H

#include <stdbool.h>

#include "run/context.h"

/* Which peak of a GPU a kernel's rate is compared with. */
enum speed_unit { SPEED_F64, SPEED_F32, SPEED_MATRIX, SPEED_BANDWIDTH, SPEED_UNITS };

/* What a unit of work costs. */
struct speed_cost {
	double cycles[DEVICE_MOST_INSTRUCTION_SETS]; /* of a core: SSE2, AVX2, AVX-512 */
	enum speed_unit unit; /* GPUs: operations or bytes that the peak of this unit would do */
	double of_gpu;        /* in the time that a unit of work takes */
};

/* Host and devices. */
struct speed {
	double clock; /* Hz, of the host's processor */
	int instructions, threads;
	bool gpu;                        /* GPUs, and no CPU */
	double peaks[SPEED_UNITS];       /* of all GPUs together, a second; 0: not known */
	double cpu_threads, gpu_workers; /* of devices */
	bool matrix;                     /* all GPUs multiply matrices of float64 */
	double start;                    /* seconds until kernels of GPUs are ready, after these are open */
};

/* Opens the devices if that was not done. */
sonde_status speed_find(sonde_context *context, struct speed *speed);
/* Of one thread of the host, whatever the devices are. */
struct speed speed_of_host(const sonde_context *context);
/* Seconds that the devices together take for `work` units of that cost. */
double speed_seconds(const struct speed *speed, const struct speed_cost *cost, double work);
/* Seconds that `threads` threads of the host take for cycles of a core. */
double speed_host_seconds(const struct speed *speed, double cycles, int threads);

#endif
