/* Passes of the planes through a device: while one slab is stepped, the next one is loaded and the one before it is
 * stored. */
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/streaming/host_exchange.h"
#include "fdtd/streaming/rank_notes.h"
#include "fdtd/streaming/store.h"
#include "fdtd/streaming/streaming.h"

enum { QUEUE_STEPS, QUEUE_LOADS, QUEUE_STORES };

/* Slabs whose events are still needed: loading slab s waits until slab s - 3 has been stored. */
#define EVENTS 4u

struct pass {
	struct streaming *streaming;
	uint32_t steps, slabs;
	struct device_event loaded[EVENTS], stepped[EVENTS], stored[EVENTS];
	/* the slab with which the planes for the rank before are complete; not yet sent */
	bool first_is_stored;
	uint32_t first_stored;
};

static size_t begin_of(const struct plane_numbers *part, uint32_t plane)
{
	return part->offset + part->first[plane] * part->size;
}

static size_t end_of(const struct streaming *streaming, const struct plane_numbers *part, uint32_t plane)
{
	return plane == streaming->schedule.planes ? part->offset + part->all * part->size : begin_of(part, plane);
}

static int window_of_slab(const struct streaming *streaming, uint32_t number)
{
	return (int)(number % schedule_windows(&streaming->schedule));
}

static sonde_status load_array(struct streaming *streaming, struct streamed_array *array, struct plane_range planes,
			       int window)
{
	const int copy = array->changes ? streaming->present : 0;

	if (array->strips != NULL)
		return store_load(streaming, array, planes, window);
	for (int k = 0; k < array->part_count; ++k) {
		const size_t begin = begin_of(&array->parts[k], planes.begin),
			     end = end_of(streaming, &array->parts[k], planes.end);
		if (array->scratch) {
			CHECK(device_clear(streaming->device, &array->windows[window], begin, end - begin));
			continue;
		}
		CHECK(device_send(streaming->device, &array->windows[window], begin,
				  streaming_host_byte(array, copy, k, begin), end - begin));
		streaming->bytes_loaded += (double)(end - begin);
	}
	return SONDE_OK;
}

/* Of pyramids into the copy that does not have the values at the beginning of the pass, which other slabs need. */
static sonde_status store_array(struct streaming *streaming, struct streamed_array *array, struct plane_range planes,
				int window)
{
	const int copy = array->host[1] != NULL ? 1 - streaming->present : 0;

	if (array->strips != NULL)
		return array->changes ? store_keep(streaming, array, planes, window) : SONDE_OK;
	for (int k = 0; k < array->part_count && array->changes; ++k) {
		const size_t begin = begin_of(&array->parts[k], planes.begin),
			     end = end_of(streaming, &array->parts[k], planes.end);
		CHECK(device_fetch(streaming->device, &array->windows[window], begin,
				   streaming_host_byte(array, copy, k, begin), end - begin));
		streaming->bytes_stored += (double)(end - begin);
	}
	return SONDE_OK;
}

static sonde_status record(struct device *device, struct device_event *event)
{
	device_event_release(device, event);
	return device_event_record(device, event);
}

/* The planes of a window are overwritten once those that they take the place of have been stored. */
static sonde_status load_slab(struct pass *pass, uint32_t number)
{
	struct streaming *streaming = pass->streaming;
	struct device *device = streaming->device;
	const struct streamed_slab slab = schedule_slab(&streaming->schedule, pass->steps, number);
	const uint32_t before =
	    streaming->schedule.method == STREAMING_SKEW ? 3 : schedule_windows(&streaming->schedule);

	host_exchange_await(streaming, slab.load, false);
	device_use_queue(device, QUEUE_LOADS);
	CHECK(store_reach(streaming, number));
	if (number >= before)
		CHECK(device_begin_after(device, &pass->stored[(number - before) % EVENTS]));
	for (int n = 0; n < streaming->count && slab.load.begin < slab.load.end; ++n)
		CHECK(load_array(streaming, &streaming->arrays[n], slab.load, window_of_slab(streaming, number)));
	return record(device, &pass->loaded[number % EVENTS]);
}

/* Planes for the rank before are sent once they have come to the host: the event of their slab is used again for a slab
 * EVENTS later. */
static sonde_status send_first(struct pass *pass, uint32_t number, bool waits)
{
	struct streaming *streaming = pass->streaming;
	struct device_event *stored = &pass->stored[pass->first_stored % EVENTS];
	bool done = false;

	host_exchange_go_on(streaming);
	if (!pass->first_is_stored)
		return SONDE_OK;
	if (waits || number + 1 >= pass->first_stored + EVENTS)
		CHECK(device_event_wait(streaming->device, stored));
	CHECK(device_event_done(streaming->device, stored, &done));
	if (!done)
		return SONDE_OK;
	pass->first_is_stored = false;
	host_exchange_send_first(streaming);
	return SONDE_OK;
}

static void note_first(struct pass *pass, uint32_t number, const struct streamed_slab *slab)
{
	if (pass->first_is_stored || slab->store.begin >= slab->store.end ||
	    !host_exchange_has_first(pass->streaming, slab->store.end))
		return;
	pass->first_is_stored = true;
	pass->first_stored = number;
}

static sonde_status store_slab(struct pass *pass, uint32_t number, const struct streamed_slab *slab)
{
	struct streaming *streaming = pass->streaming;
	struct device *device = streaming->device;

	host_exchange_await(streaming, slab->store, true);
	device_use_queue(device, QUEUE_STORES);
	CHECK(device_begin_after(device, &pass->stepped[number % EVENTS]));
	for (int n = 0; n < streaming->count && slab->store.begin < slab->store.end; ++n)
		CHECK(store_array(streaming, &streaming->arrays[n], slab->store, window_of_slab(streaming, number)));
	CHECK(record(device, &pass->stored[number % EVENTS]));
	note_first(pass, number, slab);
	return SONDE_OK;
}

/* Selects the window of a slab for the launches to come. */
static void use_window(struct streaming *streaming, uint32_t number)
{
	for (int n = 0; n < streaming->count; ++n)
		*streaming->arrays[n].buffer = streaming->arrays[n].windows[window_of_slab(streaming, number)];
}

static void count(struct streaming *streaming, const struct streamed_slab *slab, bool stores)
{
	streaming->done.loaded += slab->load.end > slab->load.begin ? slab->load.end - slab->load.begin : 0;
	if (stores)
		streaming->done.stored +=
		    slab->store.end > slab->store.begin ? slab->store.end - slab->store.begin : 0;
}

static sonde_status step_slab(struct pass *pass, uint32_t number, bool stores, slab_stepper *step, void *user)
{
	struct streaming *streaming = pass->streaming;
	struct device *device = streaming->device;
	const struct streamed_slab slab = schedule_slab(&streaming->schedule, pass->steps, number);

	device_use_queue(device, QUEUE_STEPS);
	CHECK(device_begin_after(device, &pass->loaded[number % EVENTS]));
	use_window(streaming, number);
	CHECK(step(user, &slab, number));
	CHECK(record(device, &pass->stepped[number % EVENTS]));
	count(streaming, &slab, stores);
	if (stores)
		return store_slab(pass, number, &slab);
	/* nothing is kept: what has been seen makes room */
	device_use_queue(device, QUEUE_STORES);
	CHECK(device_begin_after(device, &pass->stepped[number % EVENTS]));
	return record(device, &pass->stored[number % EVENTS]);
}

/* Continues with messages of ranks until an event. */
static sonde_status end_beside_messages(struct pass *pass, uint32_t number, const struct device_event *event)
{
	bool done = false;

	for (long looks = 0; !done; ++looks) {
		CHECK(send_first(pass, number, false));
		CHECK(device_event_done(pass->streaming->device, event, &done));
		if (!done)
			rank_rest(looks);
	}
	return SONDE_OK;
}

/* Where messages are on their way the host is one slab ahead of the device, not further: it waits for room in queues without
 * messages. */
static sonde_status keep_pace(struct pass *pass, uint32_t number)
{
	return pass->streaming->host_far == NULL || number == 0
		   ? SONDE_OK
		   : end_beside_messages(pass, number, &pass->stepped[(number - 1) % EVENTS]);
}

static sonde_status go(struct pass *pass, bool stores, slab_stepper *step, void *user)
{
	const bool alone = pass->streaming->schedule.alone;

	CHECK(store_begin(pass->streaming, pass->steps, pass->slabs));
	CHECK(load_slab(pass, 0));
	for (uint32_t n = 0; n < pass->slabs; ++n) {
		if (n + 1 < pass->slabs && !alone)
			CHECK(load_slab(pass, n + 1));
		CHECK(step_slab(pass, n, stores, step, user));
		CHECK(keep_pace(pass, n));
		if (n + 1 < pass->slabs && alone)
			CHECK(load_slab(pass, n + 1));
	}
	return SONDE_OK;
}

static sonde_status end_messages(struct pass *pass)
{
	const uint32_t last = pass->slabs - 1;

	if (pass->streaming->host_far == NULL)
		return SONDE_OK;
	CHECK(end_beside_messages(pass, last, &pass->stored[last % EVENTS]));
	return send_first(pass, last, true);
}

static sonde_status run(struct streaming *streaming, uint32_t steps, bool stores, slab_stepper *step, void *user)
{
	struct pass pass = {
	    .streaming = streaming, .steps = steps, .slabs = schedule_slabs(&streaming->schedule, steps)};
	sonde_status status;

	/* what was written or cleared before */
	CHECK(device_wait(streaming->device));
	status = go(&pass, stores, step, user);
	if (status == SONDE_OK)
		status = end_messages(&pass);
	device_use_queue(streaming->device, QUEUE_STEPS);
	const sonde_status waited = device_wait(streaming->device);
	if (status != SONDE_OK || waited != SONDE_OK)
		store_forget(streaming);
	for (uint32_t k = 0; k < EVENTS; ++k) {
		device_event_release(streaming->device, &pass.loaded[k]);
		device_event_release(streaming->device, &pass.stepped[k]);
		device_event_release(streaming->device, &pass.stored[k]);
	}
	return status != SONDE_OK ? status : waited;
}

sonde_status streaming_pass(struct streaming *streaming, uint32_t steps, slab_stepper *step, void *user)
{
	CHECK(run(streaming, steps, true, step, user));
	if (schedule_copies(&streaming->schedule) > 1)
		streaming->present = 1 - streaming->present;
	return SONDE_OK;
}

sonde_status streaming_visit(struct streaming *streaming, slab_stepper *look, void *user)
{
	return run(streaming, 0, false, look, user);
}
