#include "fdtd/streaming/chain.h"

#include <stdlib.h>

#include "base/memory.h"
#include "device/peers.h"
#include "fdtd/streaming/exchange.h"

#define WHAT "planes between devices"

enum { QUEUE_STEPS, QUEUE_LOADS, QUEUE_STORES };

/* Slabs whose events are still needed, and packages on their way. */
#define EVENTS 4u
#define PACKAGES 2u

struct link {
	struct streaming *streaming;
	struct device_buffer sent, received[PACKAGES];
	void *memory; /* of the host, where devices cannot copy to each other */
	struct device_event loaded[EVENTS], stepped[EVENTS], stored[EVENTS], unpacked[PACKAGES];
	struct chain_slab share; /* of the present pass */
	int64_t behind;          /* planes by which its slabs lie behind those of the first device */
};

struct chain {
	uint32_t count, width, planes;
	struct link *links;
};

/* Making ------------------------------------------------------------------------------------- */

/* The most bytes of a slab's planes. */
static sonde_status most_bytes(struct streaming *streaming, size_t *most)
{
	const struct schedule *schedule = &streaming->schedule;

	*most = 1;
	for (uint32_t p = 0; p < schedule->planes; ++p) {
		const uint32_t end = p + schedule->width < schedule->planes ? p + schedule->width : schedule->planes;
		struct plane_packing packing = {.bytes = 0};
		CHECK(exchange_pack(streaming, (struct plane_range){p, end}, &packing));
		*most = packing.bytes > *most ? packing.bytes : *most;
	}
	return SONDE_OK;
}

/* The numbers on the host are those of the first device. */
static void share_host(const struct streaming *first, struct streaming *streaming)
{
	for (int n = 0; n < streaming->count; ++n)
		streaming->arrays[n].host[0] = first->arrays[n].host[0];
}

static sonde_status make_link(const struct chain *chain, uint32_t number)
{
	struct link *link = &chain->links[number];
	size_t bytes;

	if (number + 1 == chain->count)
		return SONDE_OK;
	struct link *next = &chain->links[number + 1];
	CHECK(most_bytes(link->streaming, &bytes));
	if (!device_reaches(link->streaming->device, next->streaming->device))
		return memory_allocate_to_fill(&link->memory, bytes, 1, WHAT);
	CHECK(device_allocate(link->streaming->device, bytes, WHAT, &link->sent));
	for (uint32_t k = 0; k < PACKAGES; ++k)
		CHECK(device_allocate(next->streaming->device, bytes, WHAT, &next->received[k]));
	return SONDE_OK;
}

sonde_status chain_prepare(struct streaming *first)
{
	struct streaming *on = first;
	struct chain *chain;

	CHECK(memory_allocate(&chain, 1, sizeof *chain, WHAT));
	first->links = chain;
	*chain = (struct chain){
	    .count = first->schedule.chain, .width = first->schedule.width, .planes = first->schedule.planes};
	CHECK(memory_allocate(&chain->links, chain->count, sizeof *chain->links, WHAT));
	for (uint32_t g = 0; g < chain->count; ++g, on = on->beside) {
		chain->links[g].streaming = on;
		if (on->count != first->count)
			return status_fail(SONDE_INTERNAL, "devices of a chain have %d and %d arrays", first->count,
					   on->count);
		share_host(first, on);
	}
	for (uint32_t g = 0; g < chain->count; ++g)
		CHECK(make_link(chain, g));
	return SONDE_OK;
}

static void release_events(struct link *link)
{
	struct device *device = link->streaming->device;

	for (uint32_t k = 0; k < EVENTS; ++k) {
		device_event_release(device, &link->loaded[k]);
		device_event_release(device, &link->stepped[k]);
		device_event_release(device, &link->stored[k]);
	}
	for (uint32_t k = 0; k < PACKAGES; ++k)
		device_event_release(device, &link->unpacked[k]);
}

void chain_free(struct streaming *first)
{
	struct chain *chain = first->links;

	for (uint32_t g = 0; chain != NULL && chain->links != NULL && g < chain->count; ++g) {
		struct link *link = &chain->links[g];
		if (link->streaming == NULL)
			continue;
		release_events(link);
		device_release(link->streaming->device, &link->sent);
		for (uint32_t k = 0; k < PACKAGES; ++k)
			device_release(link->streaming->device, &link->received[k]);
		free(link->memory);
	}
	if (chain != NULL)
		free(chain->links);
	free(chain);
	first->links = NULL;
}

/* Slabs -------------------------------------------------------------------------------------- */

void chain_share(const struct schedule *schedule, uint32_t steps, uint32_t position, struct chain_slab *slab)
{
	const uint32_t before = position * schedule->height, left = steps > before ? steps - before : 0;

	slab->first_step = before < steps ? before : steps;
	slab->steps = left < schedule->height ? left : schedule->height;
}

static uint32_t plane_of(const struct chain *chain, int64_t number)
{
	return number < 0 ? 0 : number > (int64_t)chain->planes ? chain->planes : (uint32_t)number;
}

/* Planes are loaded one ahead, since the last plane of a slab needs E of the next one: what a device hands over after a
 * slab is just what the next one loads for its slab of the same number. */
static struct chain_slab slab_of(const struct chain *chain, const struct link *link, uint32_t number)
{
	struct chain_slab slab = link->share;

	slab.begin = (int64_t)number * chain->width - link->behind;
	slab.end = slab.begin + chain->width;
	slab.load.begin = number == 0 ? 0 : plane_of(chain, slab.begin + 1);
	slab.load.end = plane_of(chain, slab.end + 1);
	slab.store.begin = plane_of(chain, slab.begin - slab.steps);
	slab.store.end = plane_of(chain, slab.end - slab.steps);
	return slab;
}

/* A pass ------------------------------------------------------------------------------------- */

struct pass {
	struct chain *chain;
	uint32_t devices; /* that have steps to make */
	chain_stepper *step;
	void *user;
};

static sonde_status record(struct device *device, struct device_event *event)
{
	device_event_release(device, event);
	return device_event_record(device, event);
}

static sonde_status move_planes(const struct streaming *streaming, const struct streamed_array *array,
				struct plane_range planes, bool stores)
{
	struct device_buffer to = array->windows[0];

	for (int k = 0; k < array->part_count && planes.begin < planes.end; ++k) {
		const struct byte_range bytes = streaming_bytes(streaming, &array->parts[k], planes);
		char *const host = (char *)array->host[0] + bytes.begin;
		const size_t size = bytes.end - bytes.begin;
		CHECK(array->scratch ? device_clear(streaming->device, &to, bytes.begin, size)
		      : stores       ? device_fetch(streaming->device, &to, bytes.begin, host, size)
				     : device_send(streaming->device, &to, bytes.begin, host, size));
	}
	return SONDE_OK;
}

/* Planes from the device before. */
static sonde_status take_over(struct link *before, struct link *link, uint32_t number, struct plane_range planes)
{
	struct device *device = link->streaming->device;
	struct plane_packing packing = {
	    .buffer = &link->received[number % PACKAGES], .memory = before->memory, .unpacks = true};

	if (planes.begin >= planes.end)
		return SONDE_OK;
	CHECK(device_begin_after(device, &before->stored[number % EVENTS]));
	CHECK(exchange_pack(link->streaming, planes, &packing));
	return record(device, &link->unpacked[number % PACKAGES]);
}

/* The planes of a window are overwritten once those that they take the place of have left. */
static sonde_status load(struct pass *pass, uint32_t g, uint32_t number)
{
	struct link *link = &pass->chain->links[g];
	struct streaming *streaming = link->streaming;
	struct device *device = streaming->device;
	const struct chain_slab slab = slab_of(pass->chain, link, number);

	device_use_queue(device, QUEUE_LOADS);
	if (number >= 3)
		CHECK(device_begin_after(device, &link->stored[(number - 3) % EVENTS]));
	for (int n = 0; n < streaming->count; ++n)
		if (g == 0 || !streaming->arrays[n].changes)
			CHECK(move_planes(streaming, &streaming->arrays[n], slab.load, false));
	if (g > 0)
		CHECK(take_over(&pass->chain->links[g - 1], link, number, slab.load));
	return record(device, &link->loaded[number % EVENTS]);
}

static sonde_status hand_over(struct link *link, struct link *next, uint32_t number, struct plane_range planes)
{
	struct device *device = link->streaming->device;
	struct plane_packing packing = {.buffer = &link->sent, .memory = link->memory};

	if (planes.begin >= planes.end)
		return SONDE_OK;
	CHECK(exchange_pack(link->streaming, planes, &packing));
	if (link->memory != NULL)
		return SONDE_OK;
	/* until the package before the last one is unpacked */
	CHECK(device_begin_after(device, &next->unpacked[number % PACKAGES]));
	const struct device_bytes from = {device, &link->sent, 0},
				  to = {next->streaming->device, &next->received[number % PACKAGES], 0};
	return device_copy(&from, &to, packing.bytes);
}

static sonde_status store(struct pass *pass, uint32_t g, uint32_t number, const struct chain_slab *slab)
{
	struct link *link = &pass->chain->links[g];
	struct streaming *streaming = link->streaming;
	struct device *device = streaming->device;

	device_use_queue(device, QUEUE_STORES);
	CHECK(device_begin_after(device, &link->stepped[number % EVENTS]));
	if (g + 1 < pass->devices)
		CHECK(hand_over(link, &pass->chain->links[g + 1], number, slab->store));
	for (int n = 0; n < streaming->count && g + 1 == pass->devices; ++n)
		if (streaming->arrays[n].changes)
			CHECK(move_planes(streaming, &streaming->arrays[n], slab->store, true));
	return record(device, &link->stored[number % EVENTS]);
}

static sonde_status step_slab(struct pass *pass, uint32_t g, uint32_t number)
{
	struct link *link = &pass->chain->links[g];
	struct streaming *streaming = link->streaming;
	struct device *device = streaming->device;
	const struct chain_slab slab = slab_of(pass->chain, link, number);

	device_use_queue(device, QUEUE_STEPS);
	CHECK(device_begin_after(device, &link->loaded[number % EVENTS]));
	for (int n = 0; n < streaming->count; ++n)
		*streaming->arrays[n].buffer = streaming->arrays[n].windows[0];
	CHECK(pass->step(pass->user, g, &slab));
	CHECK(record(device, &link->stepped[number % EVENTS]));
	return store(pass, g, number, &slab);
}

/* Slab after slab goes through all devices; the first device's next one is loaded meanwhile. */
static sonde_status go(struct pass *pass, uint32_t slabs)
{
	CHECK(load(pass, 0, 0));
	for (uint32_t number = 0; number < slabs; ++number) {
		if (number + 1 < slabs)
			CHECK(load(pass, 0, number + 1));
		for (uint32_t g = 0; g < pass->devices; ++g) {
			if (g > 0)
				CHECK(load(pass, g, number));
			CHECK(step_slab(pass, g, number));
		}
	}
	return SONDE_OK;
}

/* Slabs until the last device has stored all planes. */
static uint32_t begin_pass(struct pass *pass, const struct schedule *schedule, uint32_t steps)
{
	struct chain *chain = pass->chain;
	int64_t behind = 0;

	for (uint32_t g = 0; g < chain->count; ++g) {
		struct link *link = &chain->links[g];
		chain_share(schedule, steps, g, &link->share);
		link->behind = behind;
		pass->devices += g == 0 || link->share.steps > 0 ? 1 : 0;
		if (link->share.steps > 0)
			behind += link->share.steps + 1;
	}
	const struct link *last = &chain->links[pass->devices - 1];
	return (uint32_t)((chain->planes + last->behind + last->share.steps + chain->width - 1) / chain->width);
}

sonde_status chain_pass(struct streaming *first, uint32_t steps, chain_stepper *step, void *user)
{
	struct pass pass = {.chain = first->links, .step = step, .user = user};
	const uint32_t slabs = begin_pass(&pass, &first->schedule, steps);
	sonde_status status = SONDE_OK;

	for (struct streaming *on = first; on != NULL && status == SONDE_OK; on = on->beside)
		status = device_wait(on->device); /* what was written or cleared before */
	if (status == SONDE_OK)
		status = go(&pass, slabs);
	for (uint32_t g = 0; g < pass.chain->count; ++g) {
		struct link *link = &pass.chain->links[g];
		device_use_queue(link->streaming->device, QUEUE_STEPS);
		const sonde_status waited = device_wait(link->streaming->device);
		status = status == SONDE_OK ? waited : status;
		release_events(link);
	}
	return status;
}
