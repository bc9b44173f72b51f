#include "fdtd/streaming/streaming.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parallel/parallel.h"
#include "fdtd/streaming/store.h"

#define WHAT "the planes of the grid"

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static sonde_status make_first(uint32_t planes, uint32_t **first)
{
	return memory_allocate(first, (size_t)planes + 1, sizeof **first, WHAT);
}

sonde_status streaming_make(struct device *device, const struct fdtd_step *layout, const struct schedule *schedule,
			    struct streaming *streaming)
{
	const uint32_t planes = schedule->planes, low = layout->low[0], high = layout->high[0];

	*streaming = (struct streaming){.device = device, .schedule = *schedule};
	CHECK(make_first(planes, &streaming->field_planes));
	CHECK(make_first(planes, &streaming->planes));
	CHECK(make_first(planes, &streaming->layer_planes));
	for (uint32_t p = 0; p <= planes; ++p) {
		/* the plane before the first one goes with it */
		streaming->field_planes[p] = p > 0 ? p + 1 : 0;
		streaming->planes[p] = p;
		streaming->layer_planes[p] = p < low ? p : p < high ? low : low + p - high;
	}
	streaming->field_plane_count = layout->planes;
	return SONDE_OK;
}

void streaming_free(struct streaming *streaming)
{
	if (streaming->store != NULL)
		store_close(streaming);
	free(streaming->field_planes);
	free(streaming->planes);
	free(streaming->layer_planes);
	free(streaming->arrays);
	*streaming = (struct streaming){0};
}

void streaming_field_parts(const struct streaming *streaming, size_t offset, size_t stride, size_t size,
			   int components, struct plane_numbers *parts)
{
	for (int a = 0; a < components; ++a)
		parts[a] = (struct plane_numbers){.offset = offset + (size_t)a * stride,
						  .size = size,
						  .first = streaming->field_planes,
						  .all = streaming->field_plane_count};
}

struct byte_range streaming_bytes(const struct streaming *streaming, const struct plane_numbers *part,
				  struct plane_range planes)
{
	return (struct byte_range){part->offset + streaming_bytes_before(streaming, part, planes.begin),
				   part->offset + streaming_bytes_before(streaming, part, planes.end)};
}

/* The most bytes that a window of planes has. */
static size_t window_of(const struct streaming *streaming, const struct plane_numbers *part)
{
	const struct plane_range here = schedule_here(&streaming->schedule);
	const uint32_t window = schedule_window(&streaming->schedule);
	size_t most = 0;

	for (uint32_t p = here.begin; p + window <= here.end; ++p) {
		const struct byte_range range = streaming_bytes(streaming, part, (struct plane_range){p, p + window});
		most = range.end - range.begin > most ? range.end - range.begin : most;
	}
	return most;
}

static sonde_status make_parts(const struct streaming *streaming, const struct streamed_array *array,
			       struct device_part **parts)
{
	const struct plane_range all = {0, streaming->schedule.planes};

	CHECK(memory_allocate(parts, (size_t)array->part_count, sizeof **parts, WHAT));
	for (int k = 0; k < array->part_count; ++k) {
		const struct byte_range range = streaming_bytes(streaming, &array->parts[k], all);
		(*parts)[k] = (struct device_part){range.begin, range.end - range.begin,
						   window_of(streaming, &array->parts[k])};
	}
	return SONDE_OK;
}

/* Devices of a chain but the first have the host's numbers of that one. */
static bool has_host(const struct streaming *streaming)
{
	return !streaming->schedule.kept && streaming->schedule.position == 0;
}

/* Bytes of the planes that are here; and, unless `skipped` is null, how they lie one part after the other in the host's
 * memory. */
static size_t bytes_here(const struct streaming *streaming, const struct streamed_array *array, size_t *skipped)
{
	const struct plane_range here = schedule_here(&streaming->schedule);
	size_t bytes = 0;

	for (int k = 0; k < array->part_count; ++k) {
		const struct byte_range range = streaming_bytes(streaming, &array->parts[k], here);
		if (skipped != NULL)
			skipped[k] = range.begin - bytes;
		bytes += range.end - range.begin;
	}
	return bytes;
}

/* All of an array, or the planes that are here. */
static sonde_status allocate_host(struct streaming *streaming, struct streamed_array *array, uint32_t copies,
				  const char *what)
{
	size_t bytes = array->bytes;

	if (streaming->schedule.shared) {
		CHECK(memory_allocate(&array->skipped, (size_t)array->part_count, sizeof *array->skipped, what));
		bytes = bytes_here(streaming, array, array->skipped);
	}
	for (uint32_t k = 0; k < copies; ++k)
		CHECK(device_host_allocate(streaming->device, bytes > 0 ? bytes : 1, what, &array->host[k]));
	return SONDE_OK;
}

static sonde_status allocate(struct streaming *streaming, struct streamed_array *array,
			     const struct device_part *parts, const char *what)
{
	const uint32_t windows = schedule_windows(&streaming->schedule);

	for (uint32_t k = 0; k < windows; ++k)
		CHECK(device_allocate_window(streaming->device, array->bytes, parts, array->part_count, what,
					     &array->windows[k]));
	const uint32_t copies = array->scratch || !has_host(streaming) ? 0
				: array->changes                       ? schedule_copies(&streaming->schedule)
								       : 1;
	if (streaming->schedule.store != NULL && copies > 0)
		CHECK(store_add(streaming, array, (int)copies, what));
	else if (copies > 0)
		CHECK(allocate_host(streaming, array, copies, what));
	*array->buffer = array->windows[0];
	return SONDE_OK;
}

static void release(struct streaming *streaming, struct streamed_array *array)
{
	for (int k = 0; k < MOST_WINDOWS; ++k) {
		device_release(streaming->device, &array->windows[k]);
		if (has_host(streaming))
			device_host_release(streaming->device, array->host[k]);
	}
	store_remove(streaming, array);
	free(array->parts);
	free(array->skipped);
	*array->buffer = (struct device_buffer){0};
}

static void count_bytes(struct streaming *streaming, const struct streamed_array *array, double window, bool resident)
{
	const double bytes = streaming->schedule.shared ? (double)bytes_here(streaming, array, NULL)
							: (double)array->bytes,
		     windows = schedule_windows(&streaming->schedule);

	streaming->bytes += array->scratch ? 0.0 : bytes;
	streaming->window_bytes += resident ? (double)array->bytes : windows * window;
	if (resident || array->scratch || !has_host(streaming))
		return;
	double records = 0.0;
	if (streaming->schedule.store != NULL)
		store_count(streaming, array, &records, &streaming->largest_record);
	else
		records = bytes;
	streaming->record_bytes += records;
	streaming->changing_bytes += array->changes ? records : 0.0;
	streaming->host_bytes += array->changes ? schedule_copies(&streaming->schedule) * records : records;
}

static sonde_status add_array(struct streaming *streaming, const struct streamed_array *added,
			      const struct plane_numbers *parts, const char *what)
{
	struct device *device = streaming->device;
	struct device_part *ranges = NULL;
	size_t capacity = (size_t)streaming->capacity;

	CHECK(memory_grow(&streaming->arrays, &capacity, (size_t)streaming->count + 1, sizeof *streaming->arrays,
			  what));
	streaming->capacity = (int)capacity;
	struct streamed_array *array = &streaming->arrays[streaming->count];
	*array = *added;
	CHECK(memory_allocate(&array->parts, (size_t)array->part_count, sizeof *parts, what));
	memcpy(array->parts, parts, (size_t)array->part_count * sizeof *parts);
	sonde_status status = make_parts(streaming, array, &ranges);
	const double window =
	    status == SONDE_OK ? (double)device_window_bytes(device, array->bytes, ranges, array->part_count) : 0.0;
	const bool resident = !array->changes && !array->scratch &&
			      (streaming->schedule.kept ? 1.0 : 2.0) * window > (double)array->bytes;
	count_bytes(streaming, array, window, resident);
	if (status == SONDE_OK && !streaming->dry && !resident)
		status = allocate(streaming, array, ranges, what);
	free(ranges);
	if (status == SONDE_OK && !streaming->dry && !resident) {
		++streaming->count;
		return SONDE_OK;
	}
	release(streaming, array);
	return status == SONDE_OK && resident && !streaming->dry
		   ? device_allocate(device, added->bytes, what, added->buffer)
		   : status;
}

sonde_status streaming_allocate(struct streaming *streaming, struct device *device, size_t bytes,
				const struct plane_numbers *parts, int part_count, bool changes, const char *what,
				struct device_buffer *buffer)
{
	const struct streamed_array array = {
	    .buffer = buffer, .part_count = part_count, .changes = changes, .bytes = bytes};

	return streaming == NULL ? device_allocate(device, bytes, what, buffer)
				 : add_array(streaming, &array, parts, what);
}

sonde_status streaming_allocate_scratch(struct streaming *streaming, size_t bytes, const struct plane_numbers *parts,
					int part_count, const char *what, struct device_buffer *buffer)
{
	const struct streamed_array array = {
	    .buffer = buffer, .part_count = part_count, .scratch = true, .bytes = bytes};

	return add_array(streaming, &array, parts, what);
}

static struct streamed_array *find(struct streaming *streaming, const struct device_buffer *buffer)
{
	for (int n = 0; streaming != NULL && n < streaming->count; ++n)
		if (streaming->arrays[n].buffer == buffer)
			return &streaming->arrays[n];
	return NULL;
}

void streaming_release(struct streaming *streaming, struct device *device, struct device_buffer *buffer)
{
	struct streamed_array *array = find(streaming, buffer);

	if (array == NULL) {
		device_release(device, buffer);
		return;
	}
	release(streaming, array);
	*array = streaming->arrays[--streaming->count];
}

/* Planes that stay on devices ----------------------------------------------------------------- */

sonde_status streaming_visit_bytes(struct streaming *streaming, const struct streamed_array *array,
				   struct plane_range planes, bool between, struct byte_range range,
				   byte_visitor *visitor, void *user)
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

/* To all devices that have them. */
static sonde_status write_kept(struct streaming *streaming, const struct streamed_array *array, size_t offset,
			       const void *from, size_t bytes)
{
	struct moving moving = {.offset = offset, .from = from};
	const struct byte_range range = {offset, offset + bytes};
	const int number = number_of(streaming, array);

	CHECK(streaming_visit_bytes(streaming, array, schedule_kept(&streaming->schedule), true, range, write_some,
				    &moving));
	for (struct streaming *on = streaming->beside; on != NULL && array->changes; on = on->beside) {
		const struct streamed_array *same = changing(on, number);
		if (same != NULL)
			CHECK(streaming_visit_bytes(on, same, schedule_kept(&on->schedule), true, range, write_some,
						    &moving));
	}
	return SONDE_OK;
}

/* From the devices whose own they are. */
static sonde_status read_kept(const struct streaming *streaming, const struct streamed_array *array, size_t offset,
			      void *to, size_t bytes)
{
	struct moving moving = {.offset = offset, .to = to};
	const struct byte_range range = {offset, offset + bytes};
	struct streaming *first = (struct streaming *)streaming;
	const int number = number_of(streaming, array);

	/* bytes of no plane from the first rank only */
	CHECK(streaming_visit_bytes(first, array, streaming->schedule.own, parallel_is_first(streaming->ranks), range,
				    read_some, &moving));
	for (struct streaming *on = first->beside; on != NULL && array->changes; on = on->beside) {
		const struct streamed_array *same = changing(on, number);
		if (same != NULL)
			CHECK(streaming_visit_bytes(on, same, on->schedule.own, false, range, read_some, &moving));
	}
	return SONDE_OK;
}

/* Planes of this process, in the host's memory or in files ------------------------------------- */

sonde_status streaming_move_shared(struct streaming *streaming, const struct streamed_array *array,
				   struct plane_range planes, struct byte_range range,
				   const struct shared_bytes *bytes)
{
	const int copy = array->changes ? streaming->present : 0;

	for (int k = 0; k < array->part_count; ++k) {
		const struct byte_range some = streaming_bytes(streaming, &array->parts[k], planes);
		const size_t begin = larger(range.begin, some.begin),
			     end = range.end < some.end ? range.end : some.end;
		if (begin >= end)
			continue;
		const size_t at = begin - bytes->offset, size = end - begin;
		if (array->strips != NULL && bytes->to != NULL)
			CHECK(store_read(streaming, array, begin, bytes->to + at, size));
		else if (array->strips != NULL)
			CHECK(store_write(streaming, array, begin, bytes->from + at, size));
		else if (bytes->to != NULL)
			memcpy(bytes->to + at, streaming_host_byte(array, copy, k, begin), size);
		else if (bytes->from != NULL)
			memcpy(streaming_host_byte(array, copy, k, begin), bytes->from + at, size);
	}
	return SONDE_OK;
}

/* To the planes of all devices that have them. */
static sonde_status write_shared(struct streaming *streaming, const struct streamed_array *array,
				 struct byte_range range, const void *from)
{
	const struct shared_bytes bytes = {.offset = range.begin, .from = from};
	const int number = number_of(streaming, array);

	CHECK(streaming_move_shared(streaming, array, schedule_here(&streaming->schedule), range, &bytes));
	for (struct streaming *on = streaming->beside; on != NULL && array->changes; on = on->beside) {
		const struct streamed_array *same = changing(on, number);
		if (same != NULL)
			CHECK(streaming_move_shared(on, same, schedule_here(&on->schedule), range, &bytes));
	}
	return SONDE_OK;
}

/* From those of the devices whose own they are. */
static sonde_status read_shared(struct streaming *streaming, const struct streamed_array *array,
				struct byte_range range, void *to)
{
	const struct shared_bytes bytes = {.offset = range.begin, .to = to};
	const int number = number_of(streaming, array);

	CHECK(streaming_move_shared(streaming, array, streaming->schedule.own, range, &bytes));
	for (struct streaming *on = streaming->beside; on != NULL && array->changes; on = on->beside) {
		const struct streamed_array *same = changing(on, number);
		if (same != NULL)
			CHECK(streaming_move_shared(on, same, on->schedule.own, range, &bytes));
	}
	return SONDE_OK;
}

/* Numbers ------------------------------------------------------------------------------------ */

sonde_status streaming_write(struct streaming *streaming, struct device *device, struct device_buffer *buffer,
			     size_t offset, const void *from, size_t bytes)
{
	const struct streamed_array *array = find(streaming, buffer);

	if (array == NULL)
		return device_write(device, buffer, offset, from, bytes);
	if (streaming->schedule.shared)
		return write_shared(streaming, array, (struct byte_range){offset, offset + bytes}, from);
	if (array->strips != NULL)
		return store_write(streaming, array, offset, from, bytes);
	if (streaming->schedule.kept)
		return write_kept(streaming, array, offset, from, bytes);
	if (!has_host(streaming))
		return SONDE_OK; /* the first device of the chain has written it */
	memcpy((char *)array->host[array->changes ? streaming->present : 0] + offset, from, bytes);
	return SONDE_OK;
}

sonde_status streaming_read(struct streaming *streaming, struct device *device, const struct device_buffer *buffer,
			    size_t offset, void *to, size_t bytes)
{
	const struct streamed_array *array = find(streaming, buffer);

	if (array == NULL)
		return device_read(device, buffer, offset, to, bytes);
	if (streaming->schedule.shared)
		return read_shared(streaming, array, (struct byte_range){offset, offset + bytes}, to);
	if (array->strips != NULL)
		return store_read(streaming, array, offset, to, bytes);
	if (streaming->schedule.kept)
		return read_kept(streaming, array, offset, to, bytes);
	memcpy(to, (const char *)array->host[array->changes ? streaming->present : 0] + offset, bytes);
	return SONDE_OK;
}

bool streaming_has(struct streaming *streaming, const struct device_buffer *buffer)
{
	return find(streaming, buffer) != NULL;
}

void *streaming_host(struct streaming *streaming, const struct device_buffer *buffer)
{
	const struct streamed_array *array = find(streaming, buffer);

	return array == NULL || array->skipped != NULL ? NULL : array->host[array->changes ? streaming->present : 0];
}

void streaming_count_step(struct streaming *streaming, const struct slab_step *step)
{
	streaming->done.stepped_h += step->h.begin < step->h.end ? step->h.end - step->h.begin : 0;
	streaming->done.stepped_e += step->e.begin < step->e.end ? step->e.end - step->e.begin : 0;
}
