#include "device/cuda_api.h"

#include <pthread.h>
#include <stdio.h>

#include "device/dynamic_library.h"

static struct cuda_api api;
static const struct cuda_api *opened; /* null: not available */
static char why[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_driver(void)
{
	static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
	const struct symbol symbols[] = {
	    SYMBOL(&api, init, "cuInit"),
	    SYMBOL(&api, driver_version, "cuDriverGetVersion"),
	    SYMBOL(&api, device_count, "cuDeviceGetCount"),
	    SYMBOL(&api, device_get, "cuDeviceGet"),
	    SYMBOL(&api, device_name, "cuDeviceGetName"),
	    SYMBOL(&api, device_memory, "cuDeviceTotalMem_v2"),
	    SYMBOL(&api, device_attribute, "cuDeviceGetAttribute"),
	    SYMBOL(&api, context_retain, "cuDevicePrimaryCtxRetain"),
	    SYMBOL(&api, context_release, "cuDevicePrimaryCtxRelease_v2"),
	    SYMBOL(&api, context_set, "cuCtxSetCurrent"),
	    SYMBOL(&api, context_get, "cuCtxGetCurrent"),
	    SYMBOL(&api, context_push, "cuCtxPushCurrent_v2"),
	    SYMBOL(&api, context_pop, "cuCtxPopCurrent_v2"),
	    SYMBOL(&api, memory_info, "cuMemGetInfo_v2"),
	    SYMBOL(&api, memory_allocate, "cuMemAlloc_v2"),
	    SYMBOL(&api, memory_free, "cuMemFree_v2"),
	    SYMBOL(&api, copy_to_device, "cuMemcpyHtoDAsync_v2"),
	    SYMBOL(&api, copy_to_host, "cuMemcpyDtoHAsync_v2"),
	    SYMBOL(&api, copy_within, "cuMemcpyDtoDAsync_v2"),
	    SYMBOL(&api, copy_to_peer, "cuMemcpyPeerAsync"),
	    SYMBOL(&api, peer_enable, "cuCtxEnablePeerAccess"),
	    SYMBOL(&api, offer_memory, "cuIpcGetMemHandle"),
	    SYMBOL(&api, take_memory, "cuIpcOpenMemHandle_v2"),
	    SYMBOL(&api, return_memory, "cuIpcCloseMemHandle"),
	    SYMBOL(&api, offer_event, "cuIpcGetEventHandle"),
	    SYMBOL(&api, take_event, "cuIpcOpenEventHandle"),
	    SYMBOL(&api, memory_set, "cuMemsetD8Async"),
	    SYMBOL(&api, memory_granularity, "cuMemGetAllocationGranularity"),
	    SYMBOL(&api, addresses_reserve, "cuMemAddressReserve"),
	    SYMBOL(&api, addresses_free, "cuMemAddressFree"),
	    SYMBOL(&api, memory_create, "cuMemCreate"),
	    SYMBOL(&api, memory_release, "cuMemRelease"),
	    SYMBOL(&api, memory_map, "cuMemMap"),
	    SYMBOL(&api, memory_unmap, "cuMemUnmap"),
	    SYMBOL(&api, memory_access, "cuMemSetAccess"),
	    SYMBOL(&api, host_register, "cuMemHostRegister_v2"),
	    SYMBOL(&api, host_unregister, "cuMemHostUnregister"),
	    SYMBOL(&api, stream_begin_after, "cuStreamWaitEvent"),
	    SYMBOL(&api, stream_create, "cuStreamCreateWithPriority"),
	    SYMBOL(&api, stream_destroy, "cuStreamDestroy_v2"),
	    SYMBOL(&api, stream_wait, "cuStreamSynchronize"),
	    SYMBOL(&api, event_create, "cuEventCreate"),
	    SYMBOL(&api, event_destroy, "cuEventDestroy_v2"),
	    SYMBOL(&api, event_record, "cuEventRecord"),
	    SYMBOL(&api, event_wait, "cuEventSynchronize"),
	    SYMBOL(&api, event_query, "cuEventQuery"),
	    SYMBOL(&api, event_elapsed, "cuEventElapsedTime"),
	    SYMBOL(&api, module_load, "cuModuleLoadDataEx"),
	    SYMBOL(&api, module_unload, "cuModuleUnload"),
	    SYMBOL(&api, module_function, "cuModuleGetFunction"),
	    SYMBOL(&api, function_attribute, "cuFuncGetAttribute"),
	    SYMBOL(&api, function_set, "cuFuncSetAttribute"),
	    SYMBOL(&api, launch, "cuLaunchKernelEx"),
	    SYMBOL(&api, error_text, "cuGetErrorString"),
	};
	const char *text = "unknown error";

	if (dynamic_library_open(names, symbols, sizeof symbols / sizeof *symbols, why, sizeof why) == NULL)
		return;
	cuda_result result = api.init(0);
	if (result == 0) {
		opened = &api;
		return;
	}
	(void)api.error_text(result, &text);
	snprintf(why, sizeof why, "NVIDIA's driver does not start: %s", text);
}

const struct cuda_api *cuda_api_get(const char **reason)
{
	pthread_once(&once, open_driver);
	*reason = why;
	return opened;
}
