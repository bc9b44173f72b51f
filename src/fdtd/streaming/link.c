#include "fdtd/streaming/link.h"

#include <math.h>

#include "base/clock.h"

#define MOST_BYTES ((size_t)32 << 20)
#define MEMORY_PART 8 /* of the device's memory, at most, for each direction */
#define WHAT "a measurement of copies"

static sonde_status copy(struct device *device, size_t bytes, struct device_buffer buffers[2], void *const host[2])
{
	device_use_queue(device, 1);
	CHECK(device_send(device, &buffers[0], 0, host[0], bytes));
	device_use_queue(device, 2);
	CHECK(device_fetch(device, &buffers[1], 0, host[1], bytes));
	device_use_queue(device, 0);
	return device_wait(device);
}

sonde_status link_measure(struct device *device, double *rate)
{
	const uint64_t memory = device_properties(device)->memory / MEMORY_PART;
	const size_t bytes = memory < MOST_BYTES ? (size_t)memory : MOST_BYTES;
	struct device_buffer buffers[2] = {{0}};
	void *host[2] = {NULL};
	double best = 0.0;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < 2 && status == SONDE_OK; ++k) {
		status = device_allocate(device, bytes, WHAT, &buffers[k]);
		if (status == SONDE_OK)
			status = device_host_allocate(device, bytes, WHAT, &host[k]);
	}
	for (int turn = 0; turn < 4 && status == SONDE_OK; ++turn) {
		const double began = clock_seconds();
		status = copy(device, bytes, buffers, host);
		best = fmax(best, (double)bytes / fmax(clock_seconds() - began, 1e-9));
	}
	device_use_queue(device, 0);
	for (int k = 0; k < 2; ++k) {
		device_release(device, &buffers[k]);
		device_host_release(device, host[k], bytes);
	}
	*rate = best;
	return status;
}
