#include "device/link.h"

#include <math.h>

#include "base/clock.h"

#define MOST_BYTES ((size_t)32 << 20)
#define MEMORY_PART 8 /* of the device's memory, at most, for each direction */
#define TURNS 4       /* the fastest one counts */
#define WHAT "a measurement of copies"

/* Buffers for each direction. */
struct copying {
	struct device *device;
	size_t bytes;
	struct device_buffer buffers[2];
	void *host[2];
};

static sonde_status copy(struct copying *copying, bool to_device, bool to_host)
{
	struct device *device = copying->device;
	sonde_status status = SONDE_OK;

	device_use_queue(device, 1);
	if (to_device)
		status = device_send(device, &copying->buffers[0], 0, copying->host[0], copying->bytes);
	device_use_queue(device, 2);
	if (to_host && status == SONDE_OK)
		status = device_fetch(device, &copying->buffers[1], 0, copying->host[1], copying->bytes);
	device_use_queue(device, 0);
	CHECK(status);
	return device_wait(device);
}

static sonde_status best_rate(struct copying *copying, bool to_device, bool to_host, double *rate)
{
	*rate = 0.0;
	for (int turn = 0; turn < TURNS; ++turn) {
		const double began = clock_seconds();
		CHECK(copy(copying, to_device, to_host));
		*rate = fmax(*rate, (double)copying->bytes / fmax(clock_seconds() - began, 1e-9));
	}
	return SONDE_OK;
}

static sonde_status measure(struct copying *copying, bool alone, struct device_link *link)
{
	for (int k = 0; k < 2; ++k) {
		CHECK(device_allocate(copying->device, copying->bytes, WHAT, &copying->buffers[k]));
		CHECK(device_host_allocate(copying->device, copying->bytes, WHAT, &copying->host[k]));
	}
	CHECK(best_rate(copying, true, true, &link->both));
	if (!alone)
		return SONDE_OK;
	CHECK(best_rate(copying, true, false, &link->to_device));
	return best_rate(copying, false, true, &link->to_host);
}

sonde_status device_measure_link(struct device *device, bool alone, struct device_link *link)
{
	const uint64_t memory = device_properties(device)->memory / MEMORY_PART;
	struct copying copying = {.device = device, .bytes = memory < MOST_BYTES ? (size_t)memory : MOST_BYTES};

	*link = (struct device_link){0};
	const sonde_status status = measure(&copying, alone, link);
	for (int k = 0; k < 2; ++k) {
		device_release(device, &copying.buffers[k]);
		device_host_release(device, copying.host[k]);
	}
	return status;
}
