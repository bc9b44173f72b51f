/* Windows of buffers on NVIDIA GPUs by the driver's management of virtual addresses: several ranges of addresses share
 * memory. Work that writes by one address and reads by another is in different launches or copies, one after the other
 * (CUDA Programming Guide, "Virtual Memory Management", aliases). */
#include <stdlib.h>

#include "base/memory.h"
#include "device/cuda.h"

static struct cuda_memory_properties properties_of(const struct cuda *cuda)
{
	return (struct cuda_memory_properties){
	    .type = CUDA_MEMORY_PINNED, .location = CUDA_LOCATION_DEVICE, .device = cuda->device};
}

size_t cuda_window_chunk(const struct device *device)
{
	const struct cuda *cuda = device->state;
	const struct cuda_memory_properties properties = properties_of(cuda);
	size_t bytes = 0;

	return cuda_make_current(cuda) == SONDE_OK &&
		       cuda->api->memory_granularity(&bytes, &properties, CUDA_GRANULARITY_MINIMUM) == 0
		   ? bytes
		   : 0;
}

/* The memory: pieces of consecutive chunks that are always mapped together, since only whole objects of the driver are
 * mapped, and mapping each chunk alone would take half a second for 25 GB of addresses. */
struct piece {
	uint32_t first, count; /* chunks of memory */
	cuda_memory memory;
};

struct pieces {
	uint32_t created, mapped; /* pieces; chunks of addresses, from the first one on */
	uint32_t count;
	struct piece *piece;      /* in the order of their chunks */
	uint32_t *piece_of_chunk; /* of memory */
};

/* A piece begins where a run of addresses begins or has ended. */
static sonde_status cut(const struct device_window *window, const char *what, struct pieces *pieces)
{
	unsigned char *begins;

	CHECK(memory_allocate(&begins, (size_t)window->memory_chunks + 1, 1, what));
	begins[0] = 1;
	for (uint32_t n = 0, run; n < window->chunks; n += run) {
		run = device_window_run(window, n);
		begins[window->memory_of_chunk[n]] = begins[window->memory_of_chunk[n] + run] = 1;
	}
	for (uint32_t n = 0; n < window->memory_chunks; ++n) {
		if (begins[n] != 0)
			pieces->piece[pieces->count++].first = n;
		pieces->piece_of_chunk[n] = pieces->count - 1;
		++pieces->piece[pieces->count - 1].count;
	}
	free(begins);
	return SONDE_OK;
}

static sonde_status make_pieces(const struct device_window *window, const char *what, struct pieces *pieces)
{
	CHECK(memory_allocate(&pieces->piece, window->memory_chunks, sizeof *pieces->piece, what));
	CHECK(memory_allocate(&pieces->piece_of_chunk, window->memory_chunks, sizeof *pieces->piece_of_chunk, what));
	return cut(window, what, pieces);
}

static sonde_status create(const struct cuda *cuda, const struct device_window *window, const char *what,
			   struct pieces *pieces)
{
	const struct cuda_memory_properties properties = properties_of(cuda);

	for (; pieces->created < pieces->count; ++pieces->created) {
		struct piece *piece = &pieces->piece[pieces->created];
		const cuda_result result =
		    cuda->api->memory_create(&piece->memory, (size_t)piece->count * window->chunk, &properties, 0);
		if (result == CUDA_OUT_OF_MEMORY)
			return status_fail(SONDE_RESOURCE, "out of memory: %zu bytes for %s",
					   (size_t)window->memory_chunks * window->chunk, what);
		CUDA_CHECK(cuda->api, result, what);
	}
	return SONDE_OK;
}

static const struct piece *piece_at(const struct device_window *window, const struct pieces *pieces, uint32_t chunk)
{
	return &pieces->piece[pieces->piece_of_chunk[window->memory_of_chunk[chunk]]];
}

static sonde_status map(const struct cuda *cuda, const struct device_window *window, cuda_pointer base,
			const char *what, struct pieces *pieces)
{
	const struct cuda_memory_access access = {CUDA_LOCATION_DEVICE, cuda->device, CUDA_ACCESS_READ_WRITE};

	while (pieces->mapped < window->chunks) {
		const struct piece *piece = piece_at(window, pieces, pieces->mapped);
		CUDA_CHECK(cuda->api,
			   cuda->api->memory_map(base + (cuda_pointer)pieces->mapped * window->chunk,
						 (size_t)piece->count * window->chunk, 0, piece->memory, 0),
			   what);
		pieces->mapped += piece->count;
	}
	CUDA_CHECK(cuda->api, cuda->api->memory_access(base, (size_t)window->chunks * window->chunk, &access, 1),
		   what);
	return SONDE_OK;
}

static sonde_status clear(const struct device *device, const struct device_window *window, cuda_pointer base,
			  const char *what)
{
	const struct cuda *cuda = device->state;

	CUDA_CHECK(
	    cuda->api,
	    cuda->api->memory_set(base, 0, (size_t)window->chunks * window->chunk, cuda->streams[device->queue]),
	    what);
	CUDA_CHECK(cuda->api, cuda->api->stream_wait(cuda->streams[device->queue]), what);
	return SONDE_OK;
}

void cuda_window_unmap(struct device *device, struct device_window *window, void *memory)
{
	struct cuda *cuda = device->state;
	struct pieces *pieces = window->state;
	const cuda_pointer base = (cuda_pointer)(uintptr_t)memory;

	if (pieces == NULL)
		return;
	(void)cuda->api->context_set(cuda->context);
	/* not in the order of the queues, unlike a release of memory */
	for (int k = 0; k < DEVICE_ALL_QUEUES; ++k)
		(void)cuda->api->stream_wait(cuda->streams[k]);
	for (uint32_t n = 0, count; n < pieces->mapped; n += count) {
		count = piece_at(window, pieces, n)->count;
		(void)cuda->api->memory_unmap(base + (cuda_pointer)n * window->chunk, (size_t)count * window->chunk);
	}
	for (uint32_t n = 0; n < pieces->created; ++n)
		(void)cuda->api->memory_release(pieces->piece[n].memory);
	if (base != 0)
		(void)cuda->api->addresses_free(base, (size_t)window->chunks * window->chunk);
	free(pieces->piece);
	free(pieces->piece_of_chunk);
	free(pieces);
	window->state = NULL;
}

sonde_status cuda_window_map(struct device *device, struct device_window *window, const char *what, void **memory)
{
	struct cuda *cuda = device->state;
	struct pieces *pieces;
	cuda_pointer base = 0;
	sonde_status status = SONDE_OK;

	CHECK(cuda_make_current(cuda));
	CHECK(memory_allocate(&pieces, 1, sizeof *pieces, what));
	window->state = pieces;
	CHECK_GOTO(status, make_pieces(window, what, pieces), done);
	const cuda_result result =
	    cuda->api->addresses_reserve(&base, (size_t)window->chunks * window->chunk, 0, 0, 0);
	if (result != 0) {
		base = 0;
		status = cuda_failed(cuda->api, result, what);
		goto done;
	}
	CHECK_GOTO(status, create(cuda, window, what, pieces), done);
	CHECK_GOTO(status, map(cuda, window, base, what, pieces), done);
	status = clear(device, window, base, what);
done:
	if (status == SONDE_OK)
		*memory = (void *)(uintptr_t)base;
	else
		cuda_window_unmap(device, window, (void *)(uintptr_t)base);
	return status;
}

#define EVERY_CONTEXT 1 /* CU_MEMHOSTREGISTER_PORTABLE */

sonde_status cuda_host_pin(struct device *device, void *memory, size_t bytes)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api, cuda->api->host_register(memory, bytes, EVERY_CONTEXT), "memory of the host");
	return SONDE_OK;
}

void cuda_host_unpin(struct device *device, void *memory)
{
	struct cuda *cuda = device->state;

	(void)cuda->api->context_set(cuda->context);
	(void)cuda->api->host_unregister(memory);
}

sonde_status cuda_fetch(struct device *device, void *memory, size_t offset, void *to, size_t bytes)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api,
		   cuda->api->copy_to_host(to, (cuda_pointer)(uintptr_t)memory + offset, bytes,
					   cuda->streams[device->queue]),
		   "a copy from the device");
	return SONDE_OK;
}

sonde_status cuda_begin_after(struct device *device, const struct device_event *event)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	if (event->handle != NULL)
		CUDA_CHECK(cuda->api, cuda->api->stream_begin_after(cuda->streams[device->queue], event->handle, 0),
			   "an event");
	return SONDE_OK;
}

sonde_status cuda_event_wait(struct device *device, const struct device_event *event)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	if (event->handle != NULL)
		CUDA_CHECK(cuda->api, cuda->api->event_wait(event->handle), "work on the device");
	return SONDE_OK;
}
