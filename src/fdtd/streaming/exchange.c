#include "fdtd/streaming/exchange.h"

#include <stdlib.h>

#include "base/memory.h"
#include "device/peers.h"

#define WHAT "the planes of neighbors"

/* Planes that go to the device before, and to the one after. */
enum { BEFORE, AFTER, DIRECTIONS };

struct plane_exchange {
	struct device_buffer sent[DIRECTIONS], received[DIRECTIONS];
	struct device_event arrived[DIRECTIONS]; /* at the neighbor */
	struct device_event unpacked;            /* what was received */
	size_t bytes[DIRECTIONS];                /* sent */
};

/* Of a device's own planes those that a neighbor needs. */
static struct plane_range needed(const struct streaming *of, const struct streaming *neighbor)
{
	const struct plane_range own = of->schedule.own, there = schedule_kept(&neighbor->schedule);

	return (struct plane_range){own.begin > there.begin ? own.begin : there.begin,
				    own.end < there.end ? own.end : there.end};
}

static sonde_status pack_some(struct streaming *streaming, const struct device_buffer *buffer, size_t begin,
			      size_t end, void *user)
{
	struct plane_packing *packing = user;
	const struct device_bytes there = {streaming->device, buffer, begin},
				  here = {streaming->device, packing->buffer, packing->bytes};
	char *const memory = packing->memory;
	struct device_buffer to = *buffer;
	const size_t at = packing->bytes;

	packing->bytes += end - begin;
	if (memory != NULL)
		return packing->unpacks ? device_write(streaming->device, &to, begin, memory + at, end - begin)
					: device_read(streaming->device, buffer, begin, memory + at, end - begin);
	if (packing->buffer == NULL)
		return SONDE_OK;
	return packing->unpacks ? device_copy(&here, &there, end - begin) : device_copy(&there, &here, end - begin);
}

sonde_status exchange_pack(struct streaming *streaming, struct plane_range planes, struct plane_packing *packing)
{
	for (int n = 0; n < streaming->count; ++n) {
		const struct streamed_array *array = &streaming->arrays[n];
		const struct byte_range all = {0, array->bytes};
		if (array->changes)
			CHECK(streaming_visit_bytes(streaming, array, planes, false, all, pack_some, packing));
	}
	return SONDE_OK;
}

static sonde_status count_bytes(struct streaming *streaming, struct plane_range planes, size_t *bytes)
{
	struct plane_packing packing = {.bytes = 0};
	const sonde_status status = exchange_pack(streaming, planes, &packing);

	*bytes = packing.bytes;
	return status;
}

/* Two devices next to each other, and the direction from one to the other. */
struct pair {
	struct streaming *from, *to;
	int direction;
};

static sonde_status make_pair(const struct pair *pair)
{
	struct plane_exchange *here = pair->from->exchange, *there = pair->to->exchange;
	size_t *bytes = &here->bytes[pair->direction];
	const bool direct = device_reaches(pair->from->device, pair->to->device);

	CHECK(count_bytes(pair->from, needed(pair->from, pair->to), bytes));
	if (!direct)
		return SONDE_OK;
	CHECK(device_allocate(pair->from->device, *bytes, WHAT, &here->sent[pair->direction]));
	return device_allocate(pair->to->device, *bytes, WHAT, &there->received[pair->direction]);
}

typedef sonde_status pair_visitor(const struct pair *pair);

static sonde_status visit_pairs(struct streaming *first, pair_visitor *visitor)
{
	for (struct streaming *on = first; on->beside != NULL; on = on->beside) {
		const struct pair after = {on, on->beside, AFTER}, before = {on->beside, on, BEFORE};
		CHECK(visitor(&after));
		CHECK(visitor(&before));
	}
	return SONDE_OK;
}

sonde_status exchange_prepare(struct streaming *first)
{
	for (struct streaming *on = first; on != NULL; on = on->beside)
		CHECK(memory_allocate(&on->exchange, 1, sizeof *on->exchange, WHAT));
	return visit_pairs(first, make_pair);
}

void exchange_free(struct streaming *streaming)
{
	struct plane_exchange *exchange = streaming->exchange;

	if (exchange == NULL)
		return;
	for (int n = 0; n < DIRECTIONS; ++n) {
		device_release(streaming->device, &exchange->sent[n]);
		device_release(streaming->device, &exchange->received[n]);
		device_event_release(streaming->device, &exchange->arrived[n]);
	}
	device_event_release(streaming->device, &exchange->unpacked);
	free(exchange);
	streaming->exchange = NULL;
}

static sonde_status record(struct device *device, struct device_event *event)
{
	device_event_release(device, event);
	return device_event_record(device, event);
}

/* By way of the host. */
static sonde_status move(const struct pair *pair)
{
	const struct plane_range planes = needed(pair->from, pair->to);
	struct plane_packing packing = {.bytes = 0};
	sonde_status status;

	CHECK(memory_allocate_to_fill(&packing.memory, pair->from->exchange->bytes[pair->direction], 1, WHAT));
	status = exchange_pack(pair->from, planes, &packing);
	packing.bytes = 0;
	packing.unpacks = true;
	if (status == SONDE_OK)
		status = exchange_pack(pair->to, planes, &packing);
	free(packing.memory);
	return status;
}

/* The buffer at the neighbor is free once its earlier contents have been unpacked. */
static sonde_status send(const struct pair *pair)
{
	struct device *device = pair->from->device;
	struct plane_exchange *here = pair->from->exchange, *there = pair->to->exchange;
	struct plane_packing packing = {.buffer = &here->sent[pair->direction]};

	if (here->sent[pair->direction].memory == NULL)
		return SONDE_OK;
	CHECK(exchange_pack(pair->from, needed(pair->from, pair->to), &packing));
	CHECK(device_begin_after(device, &there->unpacked));
	const struct device_bytes from = {device, &here->sent[pair->direction], 0},
				  to = {pair->to->device, &there->received[pair->direction], 0};
	CHECK(device_copy(&from, &to, packing.bytes));
	return record(device, &here->arrived[pair->direction]);
}

static sonde_status receive(const struct pair *pair)
{
	struct device *device = pair->to->device;
	struct plane_exchange *here = pair->from->exchange, *there = pair->to->exchange;
	struct plane_packing packing = {.buffer = &there->received[pair->direction], .unpacks = true};

	if (here->sent[pair->direction].memory == NULL)
		return move(pair);
	CHECK(device_begin_after(device, &here->arrived[pair->direction]));
	return exchange_pack(pair->to, needed(pair->from, pair->to), &packing);
}

sonde_status exchange_planes(struct streaming *first)
{
	CHECK(visit_pairs(first, send));
	CHECK(visit_pairs(first, receive));
	for (struct streaming *on = first; on != NULL; on = on->beside)
		CHECK(record(on->device, &on->exchange->unpacked));
	return SONDE_OK;
}
