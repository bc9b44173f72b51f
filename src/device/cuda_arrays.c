/* Arrays of other libraries in the memory of NVIDIA GPUs. These libraries (PyTorch, CuPy, JAX, programs of the CUDA
 * runtime) use the primary contexts of the devices, and so do we: their addresses are valid here. */
#include <stddef.h>

#include "base/status.h"
#include "device/cuda_api.h"
#include "sonde/device.h"

/* Waits for the work of the default stream, for which producers of arrays prepare them. */
static cuda_result copy_here(const struct cuda_api *api, cuda_pointer from, void *to, size_t bytes)
{
	const cuda_result result = api->copy_to_host(to, from, bytes, NULL);

	return result == 0 ? api->stream_wait(NULL) : result;
}

/* With the context of the device, and afterward again with that of the caller's thread, by which other libraries know
 * their device. */
static cuda_result copy_from_device(const struct cuda_api *api, cuda_device device, cuda_pointer from, void *to,
				    size_t bytes)
{
	cuda_context context, before;
	cuda_result result = api->context_retain(&context, device);

	if (result != 0)
		return result;
	result = api->context_push(context);
	if (result == 0) {
		result = copy_here(api, from, to, bytes);
		(void)api->context_pop(&before);
	}
	(void)api->context_release(device);
	return result;
}

sonde_status sonde_cuda_copy_to_host(int device, uint64_t address, void *host, size_t bytes)
{
	const char *reason, *text = NULL;
	const struct cuda_api *api = cuda_api_get(&reason);
	int count = 0;

	if (bytes == 0)
		return SONDE_OK;
	if (host == NULL || address == 0)
		return status_fail(SONDE_INVALID, "a copy from a GPU needs two addresses, and one of them is null");
	if (api == NULL)
		return status_fail(SONDE_RESOURCE, "an array is in the memory of an NVIDIA GPU: %s", reason);
	if (api->device_count(&count) != 0 || device < 0 || device >= count)
		return status_fail(SONDE_INVALID,
				   "an array is in the memory of the NVIDIA GPU %d; this process has %d of them",
				   device, count);
	const cuda_result result = copy_from_device(api, device, address, host, bytes);
	if (result == 0)
		return SONDE_OK;
	(void)api->error_text(result, &text);
	return status_fail(SONDE_RESOURCE,
			   "a copy of %zu bytes from the memory of the NVIDIA GPU %d: %s (CUDA error %d)", bytes,
			   device, text != NULL ? text : "unknown error", result);
}
