/* The context that a thread of the driver has. Other libraries that the program uses know their device by it: what the
 * caller's thread had before a run, it has again after it. */
#include "device/cuda.h"

/* What the calling thread had before its first work for a device since cuda_enter_thread(), and the driver: null before that. */
static _Thread_local cuda_context context_before;
static _Thread_local const struct cuda_api *used;

sonde_status cuda_make_current(const struct cuda *cuda)
{
	if (used == NULL && cuda->api->context_get(&context_before) == 0)
		used = cuda->api;
	CUDA_CHECK(cuda->api, cuda->api->context_set(cuda->context), "the device's context");
	return SONDE_OK;
}

void cuda_enter_thread(void)
{
	used = NULL;
}

void cuda_leave_thread(void)
{
	if (used != NULL)
		(void)used->context_set(context_before);
	used = NULL;
}
