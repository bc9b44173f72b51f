/* Passes of the planes through a device, or each of several ones: while one slab is stepped, the next one is loaded and the
 * one before it is stored. */
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/streaming/host_exchange.h"
#include "fdtd/streaming/rank_notes.h"
#include "fdtd/streaming/store.h"
#include "fdtd/streaming/streaming.h"

enum { QUEUE_STEPS, QUEUE_LOADS, QUEUE_STORES };

/* Slabs whose events are still needed: loading slab s waits until slab s - 3 has been stored. */
#define EVENTS 4u

/* Of a device. */
struct pass {
	struct streaming *streaming;
	uint32_t steps, slabs;
	struct device_event loaded[EVENTS], stepped[EVENTS], stored[EVENTS];
	uint32_t loads, begun; /* slabs of which the loads, and the steps, are in its queues */
	/* the slab with which the planes for the device before are complete; not yet sent */
	bool first_is_stored;
	uint32_t first_stored;
	/* of the device after in this process, which gets its copies of planes directly; or null */
	struct pass *after;
	uint32_t
	    copies_loaded; /* loads after which its own copies of planes of the device before are on the device */
};

/* Of the devices of this process. */
struct passes {
	int count;
	struct pass *of;
	bool stores;
	slab_stepper *step;
	void *user;
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

	device_use_queue(device, QUEUE_LOADS);
	CHECK(store_reach(streaming, number));
	if (number >= before)
		CHECK(device_begin_after(device, &pass->stored[(number - before) % EVENTS]));
	for (int n = 0; n < streaming->count && slab.load.begin < slab.load.end; ++n)
		CHECK(load_array(streaming, &streaming->arrays[n], slab.load, window_of_slab(streaming, number)));
	return record(device, &pass->loaded[number % EVENTS]);
}

/* Planes for the device before are sent once they have come to the host: the event of their slab is used again for a slab
 * EVENTS later. */
static sonde_status send_first(struct pass *pass, bool waits)
{
	struct streaming *streaming = pass->streaming;
	struct device_event *stored = &pass->stored[pass->first_stored % EVENTS];
	bool done = false;

	host_exchange_go_on(streaming);
	if (!pass->first_is_stored)
		return SONDE_OK;
	if (waits || pass->begun >= pass->first_stored + EVENTS)
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

/* Those of a slab's planes of which the device after has copies. */
static struct plane_range copied_after(const struct pass *pass, const struct streamed_slab *slab)
{
	const uint32_t first =
	    pass->after != NULL ? schedule_here(&pass->after->streaming->schedule).begin : slab->store.end;

	return (struct plane_range){slab->store.begin > first ? slab->store.begin : first, slab->store.end};
}

/* The next array that changes: these are in the same order on all devices. */
static int next_changing(const struct streaming *streaming, int number)
{
	while (number < streaming->count && !streaming->arrays[number].changes)
		++number;
	return number;
}

/* Stores copies of planes where the device after expects them, once it has loaded those of this pass. */
static sonde_status store_copies(const struct pass *pass, struct plane_range planes, int window)
{
	const struct pass *after = pass->after;
	struct streaming *streaming = pass->streaming, *there = after->streaming;
	int m = next_changing(there, 0);

	CHECK(device_begin_after(streaming->device, &after->loaded[(after->copies_loaded - 1) % EVENTS]));
	for (int n = next_changing(streaming, 0); n < streaming->count && m < there->count;
	     n = next_changing(streaming, n + 1), m = next_changing(there, m + 1)) {
		struct streamed_array *array = &streaming->arrays[n];
		for (int k = 0; k < array->part_count; ++k) {
			const struct byte_range bytes = streaming_bytes(streaming, &array->parts[k], planes);
			CHECK(device_fetch(streaming->device, &array->windows[window], bytes.begin,
					   streaming_host_byte(&there->arrays[m], there->present, k, bytes.begin),
					   bytes.end - bytes.begin));
		}
	}
	return SONDE_OK;
}

static sonde_status store_slab(struct pass *pass, uint32_t number, const struct streamed_slab *slab)
{
	struct streaming *streaming = pass->streaming;
	struct device *device = streaming->device;

	device_use_queue(device, QUEUE_STORES);
	CHECK(device_begin_after(device, &pass->stepped[number % EVENTS]));
	for (int n = 0; n < streaming->count && slab->store.begin < slab->store.end; ++n)
		CHECK(store_array(streaming, &streaming->arrays[n], slab->store, window_of_slab(streaming, number)));
	const struct plane_range copied = copied_after(pass, slab);
	if (copied.begin < copied.end)
		CHECK(store_copies(pass, copied, window_of_slab(streaming, number)));
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

static sonde_status step_slab(struct pass *pass, uint32_t number, const struct passes *passes)
{
	struct streaming *streaming = pass->streaming;
	struct device *device = streaming->device;
	const struct streamed_slab slab = schedule_slab(&streaming->schedule, pass->steps, number);

	device_use_queue(device, QUEUE_STEPS);
	CHECK(device_begin_after(device, &pass->loaded[number % EVENTS]));
	use_window(streaming, number);
	CHECK(passes->step(passes->user, streaming, &slab, number));
	CHECK(record(device, &pass->stepped[number % EVENTS]));
	count(streaming, &slab, passes->stores);
	if (passes->stores)
		return store_slab(pass, number, &slab);
	/* nothing is kept: what has been seen makes room */
	device_use_queue(device, QUEUE_STORES);
	CHECK(device_begin_after(device, &pass->stepped[number % EVENTS]));
	return record(device, &pass->stored[number % EVENTS]);
}

/* Slabs that are loaded before one is stepped: with the next one, unless a slab is alone on the device. */
static uint32_t loads_before(const struct pass *pass, uint32_t number)
{
	const uint32_t loads = number + (pass->streaming->schedule.alone ? 1 : 2);

	return loads < pass->slabs ? loads : pass->slabs;
}

/* Whether a device may begin its next slab: where planes are exchanged the host is one slab ahead of the device, not
 * further, as it would wait for room in queues without exchanging any; and neighbors' planes that are loaded have come, and own
 * ones that are overwritten have been sent. */
static sonde_status may_begin(const struct pass *pass, bool stores, bool *may)
{
	const struct streaming *streaming = pass->streaming;
	const uint32_t number = pass->begun;

	*may = true;
	if (streaming->host_far == NULL)
		return SONDE_OK;
	if (number > 1)
		CHECK(device_event_done(streaming->device, &pass->stepped[(number - 2) % EVENTS], may));
	for (uint32_t n = pass->loads; n < loads_before(pass, number) && *may; ++n)
		*may =
		    host_exchange_is_free(streaming, schedule_slab(&streaming->schedule, pass->steps, n).load, false);
	if (!*may || !stores)
		return SONDE_OK;
	const struct streamed_slab slab = schedule_slab(&streaming->schedule, pass->steps, number);
	const struct plane_range copied = copied_after(pass, &slab);
	*may = host_exchange_is_free(streaming, slab.store, true) &&
	       (copied.begin >= copied.end || pass->after->loads >= pass->after->copies_loaded);
	return SONDE_OK;
}

static sonde_status begin_slab(struct pass *pass, const struct passes *passes)
{
	const uint32_t number = pass->begun, loads = loads_before(pass, number);

	for (; pass->loads < loads; ++pass->loads)
		CHECK(load_slab(pass, pass->loads));
	CHECK(step_slab(pass, number, passes));
	++pass->begun;
	return SONDE_OK;
}

/* All devices at the same time, each as far as its neighbors let it. */
static sonde_status go(const struct passes *passes)
{
	bool ended = false;

	for (int k = 0; k < passes->count; ++k)
		CHECK(store_begin(passes->of[k].streaming, passes->of[k].steps, passes->of[k].slabs));
	for (long looks = 0; !ended; ++looks) {
		ended = true;
		for (int k = 0; k < passes->count; ++k) {
			struct pass *pass = &passes->of[k];
			bool may = false;
			if (pass->begun < pass->slabs)
				CHECK(may_begin(pass, passes->stores, &may));
			if (may)
				CHECK(begin_slab(pass, passes));
			CHECK(send_first(pass, false));
			ended = ended && pass->begun == pass->slabs;
			looks = may ? 0 : looks;
		}
		rank_rest(looks);
	}
	return SONDE_OK;
}

/* Continues with exchanges until all slabs have been stored. */
static sonde_status end_stores(const struct passes *passes, const struct pass *pass)
{
	bool done = false;

	for (long looks = 0; !done; ++looks) {
		for (int k = 0; k < passes->count; ++k)
			CHECK(send_first(&passes->of[k], false));
		CHECK(device_event_done(pass->streaming->device, &pass->stored[(pass->slabs - 1) % EVENTS], &done));
		if (!done)
			rank_rest(looks);
	}
	return SONDE_OK;
}

static sonde_status end_exchanges(const struct passes *passes)
{
	for (int k = 0; k < passes->count; ++k) {
		struct pass *pass = &passes->of[k];
		if (pass->streaming->host_far == NULL)
			continue;
		CHECK(end_stores(passes, pass));
		CHECK(send_first(pass, true));
	}
	return SONDE_OK;
}

/* The queues of a device are empty. */
static sonde_status end_pass(struct pass *pass, sonde_status status)
{
	struct streaming *streaming = pass->streaming;

	device_use_queue(streaming->device, QUEUE_STEPS);
	const sonde_status waited = device_wait(streaming->device);
	if (status != SONDE_OK || waited != SONDE_OK)
		store_forget(streaming);
	for (uint32_t k = 0; k < EVENTS; ++k) {
		device_event_release(streaming->device, &pass->loaded[k]);
		device_event_release(streaming->device, &pass->stepped[k]);
		device_event_release(streaming->device, &pass->stored[k]);
	}
	return status != SONDE_OK ? status : waited;
}

/* What a device stores for the one after it. */
static void find_copies(struct pass *pass, struct pass *after)
{
	const struct schedule *schedule = &after->streaming->schedule;

	pass->after = after;
	while (after->copies_loaded < after->slabs &&
	       schedule_slab(schedule, after->steps, after->copies_loaded).load.begin < schedule->own.begin)
		++after->copies_loaded;
}

/* Those that share the grid; the first one of a chain has all planes on the host. */
static struct streaming *next_of(const struct streaming *streaming)
{
	return streaming->schedule.shared ? streaming->beside : NULL;
}

static sonde_status run(struct streaming *first, uint32_t steps, bool stores, slab_stepper *step, void *user)
{
	struct passes passes = {.stores = stores, .step = step, .user = user};
	sonde_status status = SONDE_OK;

	for (const struct streaming *on = first; on != NULL; on = next_of(on))
		++passes.count;
	CHECK(memory_allocate(&passes.of, (size_t)passes.count, sizeof *passes.of, "a pass"));
	passes.count = 0;
	for (struct streaming *on = first; on != NULL; on = next_of(on)) {
		passes.of[passes.count++] =
		    (struct pass){.streaming = on, .steps = steps, .slabs = schedule_slabs(&on->schedule, steps)};
		/* what was written or cleared before */
		if (status == SONDE_OK)
			status = device_wait(on->device);
	}
	for (int k = 0; k + 1 < passes.count && stores && host_exchange_is_beside_steps(first); ++k)
		find_copies(&passes.of[k], &passes.of[k + 1]);
	if (status == SONDE_OK)
		status = go(&passes);
	if (status == SONDE_OK)
		status = end_exchanges(&passes);
	for (int k = 0; k < passes.count; ++k)
		status = end_pass(&passes.of[k], status);
	free(passes.of);
	return status;
}

sonde_status streaming_pass(struct streaming *streaming, uint32_t steps, slab_stepper *step, void *user)
{
	CHECK(run(streaming, steps, true, step, user));
	for (struct streaming *on = streaming; on != NULL; on = next_of(on))
		if (schedule_copies(&on->schedule) > 1)
			on->present = 1 - on->present;
	return SONDE_OK;
}

sonde_status streaming_visit(struct streaming *streaming, slab_stepper *look, void *user)
{
	return run(streaming, 0, false, look, user);
}
