/* Arrays of other libraries in the memory of NVIDIA GPUs. These libraries (PyTorch, CuPy, JAX, programs of the CUDA
 * runtime) use the primary contexts of the devices, and so do we: their addresses are valid here. */
#include "device/cuda_arrays.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"
#include "device/cuda_api.h"
#include "sonde/device.h"

/* Large copies go through a piece of pinned memory, from which all threads take them: the driver's own thread would
 * touch the pages of the host one after the other, which takes most of the time. */
#define LARGE ((size_t)64 << 20)
#define PIECE ((size_t)16 << 20)
#define PART_OF_THREAD ((int64_t)256 << 10)

/* Waits for the work of the default stream, for which producers of arrays prepare them. */
static cuda_result copy_here(const struct cuda_api *api, cuda_pointer from, void *to, size_t bytes)
{
	const cuda_result result = api->copy_to_host(to, from, bytes, NULL);

	return result == 0 ? api->stream_wait(NULL) : result;
}

struct taking {
	const char *from;
	char *to;
};

static void take_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct taking *taking = state;

	(void)worker;
	memcpy(taking->to + first, taking->from + first, (size_t)(end - first));
}

static cuda_result copy_pieces(const struct cuda_api *api, cuda_pointer from, char *to, size_t bytes, char *piece)
{
	for (size_t at = 0, count; at < bytes; at += count) {
		struct taking taking = {piece, to + at};
		count = bytes - at < PIECE ? bytes - at : PIECE;
		const cuda_result result = copy_here(api, from + at, piece, count);
		if (result != 0)
			return result;
		threads_for(threads_available(), (int64_t)count, PART_OF_THREAD, take_some, &taking);
	}
	return 0;
}

static cuda_result copy_large(const struct cuda_api *api, cuda_pointer from, void *to, size_t bytes)
{
	char *piece;
	cuda_result result;

	/* without pinned memory: the slower way */
	if (memory_allocate_pages(&piece, PIECE, "a copy") != SONDE_OK)
		return copy_here(api, from, to, bytes);
	if (api->host_register(piece, PIECE, 1) == 0) {
		result = copy_pieces(api, from, to, bytes, piece);
		(void)api->host_unregister(piece);
	} else {
		result = copy_here(api, from, to, bytes);
	}
	memory_release_pages(piece);
	return result;
}

/* What is done with an array: a copy to the host, or within the device to new memory. */
struct copying {
	cuda_pointer from, *copy;
	void *host;
	size_t bytes;
};

static cuda_result copy_within(const struct cuda_api *api, const struct copying *copying)
{
	cuda_result result = api->memory_allocate(copying->copy, copying->bytes);

	if (result != 0)
		return result;
	result = api->copy_within(*copying->copy, copying->from, copying->bytes, NULL);
	if (result == 0)
		result = api->stream_wait(NULL);
	if (result != 0)
		(void)api->memory_free(*copying->copy);
	return result;
}

static cuda_result copy_here_or_to_host(const struct cuda_api *api, const struct copying *copying)
{
	if (copying->host == NULL)
		return copy_within(api, copying);
	return copying->bytes < LARGE ? copy_here(api, copying->from, copying->host, copying->bytes)
				      : copy_large(api, copying->from, copying->host, copying->bytes);
}

/* With the context of the device, and afterward again with that of the caller's thread, by which other libraries know
 * their device. A copy within the device keeps the context. */
static cuda_result copy_from_device(const struct cuda_api *api, cuda_device device, const struct copying *copying)
{
	cuda_context context, before;
	cuda_result result = api->context_retain(&context, device);

	if (result != 0)
		return result;
	result = api->context_push(context);
	if (result == 0) {
		result = copy_here_or_to_host(api, copying);
		(void)api->context_pop(&before);
	}
	if (result != 0 || copying->host != NULL)
		(void)api->context_release(device);
	return result;
}

static sonde_status copy_array(int device, const struct copying *copying)
{
	const char *reason, *text = NULL;
	const struct cuda_api *api = cuda_api_get(&reason);
	int count = 0;

	if (api == NULL)
		return status_fail(SONDE_RESOURCE, "an array is in the memory of an NVIDIA GPU: %s", reason);
	if (api->device_count(&count) != 0 || device < 0 || device >= count)
		return status_fail(SONDE_INVALID,
				   "an array is in the memory of the NVIDIA GPU %d; this process has %d of them",
				   device, count);
	const cuda_result result = copy_from_device(api, device, copying);
	if (result == 0)
		return SONDE_OK;
	(void)api->error_text(result, &text);
	return status_fail(SONDE_RESOURCE,
			   "a copy of %zu bytes from the memory of the NVIDIA GPU %d: %s (CUDA error %d)",
			   copying->bytes, device, text != NULL ? text : "unknown error", result);
}

sonde_status sonde_cuda_copy_to_host(int device, uint64_t address, void *host, size_t bytes)
{
	const struct copying copying = {.from = address, .host = host, .bytes = bytes};

	if (bytes == 0)
		return SONDE_OK;
	if (host == NULL || address == 0)
		return status_fail(SONDE_INVALID, "a copy from a GPU needs two addresses, and one of them is null");
	return copy_array(device, &copying);
}

sonde_status cuda_array_copy(int device, uint64_t address, size_t bytes, uint64_t *copy)
{
	const struct copying copying = {.from = address, .copy = copy, .bytes = bytes};

	if (address == 0)
		return status_fail(SONDE_INVALID, "a copy within a GPU needs an address, which is null");
	return copy_array(device, &copying);
}

void cuda_array_free(int device, uint64_t copy)
{
	const char *reason;
	const struct cuda_api *api = cuda_api_get(&reason);
	cuda_context context, before;

	if (api == NULL || api->context_retain(&context, device) != 0)
		return;
	if (api->context_push(context) == 0) {
		(void)api->memory_free(copy);
		(void)api->context_pop(&before);
	}
	/* that of now, and that of the copy */
	(void)api->context_release(device);
	(void)api->context_release(device);
}
