/* The context that a thread of the driver has. Other libraries that the program uses know their device by it: what the
 * caller's thread had before a run, it has again after it. */
#include "device/cuda.h"

/* What the calling thread had before its first work for a device since cuda_enter_thread(); api is null before that. */
static _Thread_local struct {
	const struct cuda_api *api;
	cuda_context context;
} before;

sonde_status cuda_make_current(const struct cuda *cuda)
{
	if (before.api == NULL && cuda->api->context_get(&before.context) == 0)
		before.api = cuda->api;
	CUDA_CHECK(cuda->api, cuda->api->context_set(cuda->context), "the device's context");
	return SONDE_OK;
}

void cuda_enter_thread(void)
{
	before.api = NULL;
}

void cuda_leave_thread(void)
{
	if (before.api != NULL)
		(void)before.api->context_set(before.context);
	before.api = NULL;
}
