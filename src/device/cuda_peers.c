/* Copies from one NVIDIA GPU to another: directly where the machine allows it, else by way of the host, as the driver
 * sees fit (CUDA Driver API, "Peer Context Memory Access"). */
#include "device/cuda.h"

sonde_status cuda_copy(struct device *device, const void *from, struct device *other, void *to, size_t bytes)
{
	struct cuda *here = device->state, *there = other->state;
	const cuda_pointer source = (cuda_pointer)(uintptr_t)from, target = (cuda_pointer)(uintptr_t)to;
	cuda_stream stream = here->streams[device->queue];

	CHECK(cuda_make_current(here));
	if (here->context == there->context) {
		CUDA_CHECK(here->api, here->api->copy_within(target, source, bytes, stream),
			   "a copy within the device");
		return SONDE_OK;
	}
	/* once is enough; without direct access copies take the longer way */
	if (here->device < CUDA_MOST_PEERS && there->device < CUDA_MOST_PEERS &&
	    (here->asked_for_peers >> there->device & 1u) == 0) {
		here->asked_for_peers |= 1u << there->device;
		(void)here->api->peer_enable(there->context, 0);
	}
	CUDA_CHECK(here->api, here->api->copy_to_peer(target, there->context, source, here->context, bytes, stream),
		   "a copy to another device");
	return SONDE_OK;
}
