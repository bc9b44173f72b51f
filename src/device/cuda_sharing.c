/* Memory and events of NVIDIA GPUs for other processes of the machine (CUDA Driver API, "Memory Management" and "Event
 * Management": functions of inter-process communication). */
#include <string.h>

#include "device/cuda.h"
#include "device/sharing.h"

_Static_assert(sizeof(struct device_ticket) == sizeof(struct cuda_ticket), "tickets are those of the driver");

static sonde_status offer_memory(struct device *device, void *memory, struct device_ticket *ticket)
{
	struct cuda *cuda = device->state;
	struct cuda_ticket handle;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api, cuda->api->offer_memory(&handle, (cuda_pointer)(uintptr_t)memory),
		   "memory for another process");
	memcpy(ticket, &handle, sizeof handle);
	return SONDE_OK;
}

static sonde_status take_memory(struct device *device, const struct device_ticket *ticket, void **memory)
{
	struct cuda *cuda = device->state;
	struct cuda_ticket handle;
	cuda_pointer pointer = 0;

	memcpy(&handle, ticket, sizeof handle);
	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api, cuda->api->take_memory(&pointer, handle, CUDA_TAKEN_MEMORY_OF_PEERS),
		   "memory of another process");
	*memory = (void *)(uintptr_t)pointer;
	return SONDE_OK;
}

static void return_memory(struct device *device, void *memory)
{
	struct cuda *cuda = device->state;

	if (cuda_make_current(cuda) == SONDE_OK)
		(void)cuda->api->return_memory((cuda_pointer)(uintptr_t)memory);
}

static sonde_status offer_event(struct device *device, struct device_event *event, struct device_ticket *ticket)
{
	struct cuda *cuda = device->state;
	struct cuda_ticket handle;
	cuda_event created = NULL;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api,
		   cuda->api->event_create(&created, CUDA_EVENT_WITHOUT_TIME | CUDA_EVENT_BETWEEN_PROCESSES),
		   "an event for another process");
	const cuda_result result = cuda->api->offer_event(&handle, created);
	if (result != 0)
		(void)cuda->api->event_destroy(created);
	CUDA_CHECK(cuda->api, result, "an event for another process");
	memcpy(ticket, &handle, sizeof handle);
	event->handle = created;
	return SONDE_OK;
}

static sonde_status renew_event(struct device *device, const struct device_event *event)
{
	struct cuda *cuda = device->state;

	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api, cuda->api->event_record(event->handle, cuda->streams[device->queue]), "an event");
	return SONDE_OK;
}

static sonde_status take_event(struct device *device, const struct device_ticket *ticket, struct device_event *event)
{
	struct cuda *cuda = device->state;
	struct cuda_ticket handle;
	cuda_event opened = NULL;

	memcpy(&handle, ticket, sizeof handle);
	CHECK(cuda_make_current(cuda));
	CUDA_CHECK(cuda->api, cuda->api->take_event(&opened, handle), "an event of another process");
	event->handle = opened;
	return SONDE_OK;
}

const struct backend_sharing cuda_sharing = {.offer_memory = offer_memory,
					     .take_memory = take_memory,
					     .return_memory = return_memory,
					     .offer_event = offer_event,
					     .renew_event = renew_event,
					     .take_event = take_event};
