/* Kernels that are loaded and tested in the background. */
#ifndef SONDE_FDTD_FIELDS_KERNELS_AHEAD_H
#define SONDE_FDTD_FIELDS_KERNELS_AHEAD_H

#include <pthread.h>
#include <stdbool.h>

#include "device/device.h"

struct kernels_ahead {
	struct device *device;
	bool single, begun;
	pthread_t thread;
};

/* Begins to load the kernels of a device, including their self-test, which no other thread may use until
 * kernels_ahead_end(). Errors are left to the first that needs the kernels. */
void kernels_ahead_begin(struct device *device, bool single, struct kernels_ahead *ahead);
void kernels_ahead_end(struct kernels_ahead *ahead);

#endif
