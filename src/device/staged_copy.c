/* Large arrays to a device, by way of pinned memory that threads fill while earlier parts are on their way: a driver copies from memory
 * that is not pinned with one thread, at a fraction of the rate of the link. */
#include "device/staged_copy.h"

#include <string.h>

#include "base/threads.h"
#include "device/backend.h"

#define LEAST_STAGED ((size_t)32 << 20)
#define CHUNK ((size_t)4 << 20)
#define SLOTS 3 /* chunks of pinned memory */
#define BYTES_OF_THREAD ((int64_t)256 << 10)

struct staging {
	const char *from;
	char *to;
	size_t count;
};

static void copy_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct staging *staging = state;
	const size_t begin = (size_t)(first * BYTES_OF_THREAD), behind = (size_t)(end * BYTES_OF_THREAD);

	(void)worker;
	memcpy(staging->to + begin, staging->from + begin,
	       (behind < staging->count ? behind : staging->count) - begin);
}

static sonde_status send_chunk(struct device *device, struct device_buffer *buffer, size_t offset,
			       const struct staging *staging)
{
	struct staging copied = *staging;

	threads_for(device->properties.host_threads,
		    ((int64_t)staging->count + BYTES_OF_THREAD - 1) / BYTES_OF_THREAD, 1, copy_some, &copied);
	return device_send(device, buffer, offset, staging->to, staging->count);
}

static sonde_status send_all(struct device *device, struct device_buffer *buffer, size_t offset, const char *from,
			     size_t bytes, char *memory)
{
	struct device_event sent[SLOTS] = {0};
	sonde_status status = SONDE_OK;

	for (size_t at = 0, n = 0; at < bytes && status == SONDE_OK; at += CHUNK, ++n) {
		struct device_event *event = &sent[n % SLOTS];
		const struct staging staging = {from + at, memory + n % SLOTS * CHUNK,
						bytes - at < CHUNK ? bytes - at : CHUNK};
		if (n >= SLOTS)
			status = device_event_wait(device, event);
		device_event_release(device, event);
		if (status == SONDE_OK)
			status = send_chunk(device, buffer, offset + at, &staging);
		if (status == SONDE_OK)
			status = device_event_record(device, event);
	}
	for (int slot = 0; slot < SLOTS; ++slot)
		device_event_release(device, &sent[slot]);
	/* also after a failure, before the memory goes */
	const sonde_status waited = device_wait(device);
	return status == SONDE_OK ? waited : status;
}

sonde_status device_write_large(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
				size_t bytes)
{
	void *memory;

	if (bytes < LEAST_STAGED || device_copies_at_once(device))
		return device_write(device, buffer, offset, from, bytes);
	CHECK(device_host_allocate(device, SLOTS * CHUNK, "a copy to the device", &memory));
	const sonde_status status = send_all(device, buffer, offset, from, bytes, memory);
	device_host_release(device, memory);
	return status;
}
