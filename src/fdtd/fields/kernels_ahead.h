/* Kernels that are loaded and tested in the background. */
#ifndef SONDE_FDTD_FIELDS_KERNELS_AHEAD_H
#define SONDE_FDTD_FIELDS_KERNELS_AHEAD_H

#include <pthread.h>
#include <stdbool.h>

#include "device/device.h"

/* What is known of the fields before bodies are painted. */
struct kernels_wanted {
	const struct fdtd_grid *grid;
	bool single, bodies;
	bool pairs; /* two steps at once are likely to be tried */
};

struct kernels_ahead {
	struct device *device;
	struct kernels_wanted wanted;
	bool begun;
	pthread_t thread;
};

/* Begins to load the kernels of a device, including their self-test, which no other thread may use until
 * kernels_ahead_end(), after the fields' own kernels have been requested, which are compiled meanwhile. Errors are left to the first that needs the kernels. */
void kernels_ahead_begin(struct device *device, const struct kernels_wanted *wanted, struct kernels_ahead *ahead);
void kernels_ahead_end(struct kernels_ahead *ahead);

#endif
