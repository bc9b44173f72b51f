#include "fdtd/streaming/exchange.h"

#include <stdlib.h>

#include "base/memory.h"
#include "device/peers.h"

#define WHAT "the planes of neighbors"

/* Numbers of all --------------------------------------------------------------------------- */

/* Some bytes of an array on one device. */
typedef sonde_status byte_visitor(struct streaming *streaming, const struct device_buffer *buffer, size_t begin,
				  size_t end, void *user);

/* Those of a range that are of some planes, and if `between` those that are of no plane. Parts are in the order of their
 * offsets. */
static sonde_status visit(struct streaming *streaming, const struct streamed_array *array, struct plane_range planes,
			  bool between, struct byte_range range, byte_visitor *visitor, void *user)
{
	const struct plane_range all = {0, streaming->schedule.planes};
	size_t at = range.begin;

	for (int k = 0; k < array->part_count && at < range.end; ++k) {
		const struct byte_range whole = streaming_bytes(streaming, &array->parts[k], all),
					some = streaming_bytes(streaming, &array->parts[k], planes);
		const size_t until = whole.begin < range.end ? whole.begin : range.end;
		if (between && at < until)
			CHECK(visitor(streaming, array->buffer, at, until, user));
		const size_t begin = at > some.begin ? at : some.begin,
			     end = range.end < some.end ? range.end : some.end;
		if (begin < end)
			CHECK(visitor(streaming, array->buffer, begin, end, user));
		at = at > whole.end ? at : whole.end;
	}
	return between && at < range.end ? visitor(streaming, array->buffer, at, range.end, user) : SONDE_OK;
}

struct moving {
	size_t offset; /* of the first byte in memory */
	const char *from;
	char *to;
};

static sonde_status write_some(struct streaming *streaming, const struct device_buffer *buffer, size_t begin,
			       size_t end, void *user)
{
	const struct moving *moving = user;
	struct device_buffer to = *buffer;

	return device_write(streaming->device, &to, begin, moving->from + (begin - moving->offset), end - begin);
}

static sonde_status read_some(struct streaming *streaming, const struct device_buffer *buffer, size_t begin,
			      size_t end, void *user)
{
	const struct moving *moving = user;

	return device_read(streaming->device, buffer, begin, moving->to + (begin - moving->offset), end - begin);
}

/* Arrays that change are in the same order on all devices; others may be wholly on some. */
static int number_of(const struct streaming *streaming, const struct streamed_array *array)
{
	int number = 0;

	for (const struct streamed_array *before = streaming->arrays; before < array; ++before)
		number += before->changes ? 1 : 0;
	return number;
}

/* The array of this number; null: there are fewer. */
static const struct streamed_array *changing(const struct streaming *streaming, int number)
{
	for (int n = 0; n < streaming->count; ++n)
		if (streaming->arrays[n].changes && number-- == 0)
			return &streaming->arrays[n];
	return NULL;
}

sonde_status exchange_write(struct streaming *streaming, const struct streamed_array *array, size_t offset,
			    const void *from, size_t bytes)
{
	struct moving moving = {.offset = offset, .from = from};
	const struct byte_range range = {offset, offset + bytes};
	const int number = number_of(streaming, array);

	CHECK(visit(streaming, array, schedule_kept(&streaming->schedule), true, range, write_some, &moving));
	for (struct streaming *on = streaming->beside; on != NULL && array->changes; on = on->beside) {
		const struct streamed_array *same = changing(on, number);
		if (same != NULL)
			CHECK(visit(on, same, schedule_kept(&on->schedule), true, range, write_some, &moving));
	}
	return SONDE_OK;
}

sonde_status exchange_read(const struct streaming *streaming, const struct streamed_array *array, size_t offset,
			   void *to, size_t bytes)
{
	struct moving moving = {.offset = offset, .to = to};
	const struct byte_range range = {offset, offset + bytes};
	struct streaming *first = (struct streaming *)streaming;
	const int number = number_of(streaming, array);

	CHECK(visit(first, array, streaming->schedule.own, true, range, read_some, &moving));
	for (struct streaming *on = first->beside; on != NULL && array->changes; on = on->beside) {
		const struct streamed_array *same = changing(on, number);
		if (same != NULL)
			CHECK(visit(on, same, on->schedule.own, false, range, read_some, &moving));
	}
	return SONDE_OK;
}

/* Exchanges -------------------------------------------------------------------------------- */

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

/* One array's bytes after the other in a buffer. */
struct packing {
	struct device_buffer *packed; /* null: they are only counted */
	void *memory;                 /* of the host instead; or null */
	bool unpacks;
	size_t at;
};

static sonde_status pack_some(struct streaming *streaming, const struct device_buffer *buffer, size_t begin,
			      size_t end, void *user)
{
	struct packing *packing = user;
	const struct device_bytes there = {streaming->device, buffer, begin},
				  here = {streaming->device, packing->packed, packing->at};
	char *const memory = packing->memory;
	struct device_buffer to = *buffer;
	const size_t at = packing->at;

	packing->at += end - begin;
	if (memory != NULL)
		return packing->unpacks ? device_write(streaming->device, &to, begin, memory + at, end - begin)
					: device_read(streaming->device, buffer, begin, memory + at, end - begin);
	if (packing->packed == NULL)
		return SONDE_OK;
	return packing->unpacks ? device_copy(&here, &there, end - begin) : device_copy(&there, &here, end - begin);
}

static sonde_status pack(struct streaming *streaming, struct plane_range planes, struct packing *packing)
{
	for (int n = 0; n < streaming->count; ++n) {
		const struct streamed_array *array = &streaming->arrays[n];
		const struct byte_range all = {0, array->bytes};
		if (array->changes)
			CHECK(visit(streaming, array, planes, false, all, pack_some, packing));
	}
	return SONDE_OK;
}

static sonde_status count_bytes(struct streaming *streaming, struct plane_range planes, size_t *bytes)
{
	struct packing packing = {.at = 0};
	const sonde_status status = pack(streaming, planes, &packing);

	*bytes = packing.at;
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
	struct packing packing = {.at = 0};
	sonde_status status;

	CHECK(memory_allocate_to_fill(&packing.memory, pair->from->exchange->bytes[pair->direction], 1, WHAT));
	status = pack(pair->from, planes, &packing);
	packing.at = 0;
	packing.unpacks = true;
	if (status == SONDE_OK)
		status = pack(pair->to, planes, &packing);
	free(packing.memory);
	return status;
}

/* The buffer at the neighbor is free once its earlier contents have been unpacked. */
static sonde_status send(const struct pair *pair)
{
	struct device *device = pair->from->device;
	struct plane_exchange *here = pair->from->exchange, *there = pair->to->exchange;
	struct packing packing = {.packed = &here->sent[pair->direction]};

	if (here->sent[pair->direction].memory == NULL)
		return SONDE_OK;
	CHECK(pack(pair->from, needed(pair->from, pair->to), &packing));
	CHECK(device_begin_after(device, &there->unpacked));
	const struct device_bytes from = {device, &here->sent[pair->direction], 0},
				  to = {pair->to->device, &there->received[pair->direction], 0};
	CHECK(device_copy(&from, &to, packing.at));
	return record(device, &here->arrived[pair->direction]);
}

static sonde_status receive(const struct pair *pair)
{
	struct device *device = pair->to->device;
	struct plane_exchange *here = pair->from->exchange, *there = pair->to->exchange;
	struct packing packing = {.packed = &there->received[pair->direction], .unpacks = true};

	if (here->sent[pair->direction].memory == NULL)
		return move(pair);
	CHECK(device_begin_after(device, &here->arrived[pair->direction]));
	return pack(pair->to, needed(pair->from, pair->to), &packing);
}

sonde_status exchange_planes(struct streaming *first)
{
	CHECK(visit_pairs(first, send));
	CHECK(visit_pairs(first, receive));
	for (struct streaming *on = first; on != NULL; on = on->beside)
		CHECK(record(on->device, &on->exchange->unpacked));
	return SONDE_OK;
}
