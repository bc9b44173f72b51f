#include "fdtd/streaming/streaming.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/streaming/store.h"

#define WHAT "the planes of the grid"

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
	streaming->plane_count = layout->planes - 1;
	streaming->layer_plane_count = layout->psi_plane[0] > 0 ? layout->psi_size[0] / layout->psi_plane[0] : 0;
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

/* Bytes of some planes of a part. */
struct byte_range {
	size_t begin, end;
};

static struct byte_range bytes_of(const struct streaming *streaming, const struct plane_numbers *part,
				  struct plane_range planes)
{
	return (struct byte_range){part->offset + streaming_bytes_before(streaming, part, planes.begin),
				   part->offset + streaming_bytes_before(streaming, part, planes.end)};
}

/* The most bytes that a window of planes has. */
static size_t window_of(const struct streaming *streaming, const struct plane_numbers *part)
{
	const uint32_t planes = streaming->schedule.planes, window = schedule_window(&streaming->schedule);
	size_t most = 0;

	for (uint32_t p = 0; p + window <= planes; ++p) {
		const struct byte_range range = bytes_of(streaming, part, (struct plane_range){p, p + window});
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
		const struct byte_range range = bytes_of(streaming, &array->parts[k], all);
		(*parts)[k] = (struct device_part){range.begin, range.end - range.begin,
						   window_of(streaming, &array->parts[k])};
	}
	return SONDE_OK;
}

static sonde_status allocate(struct streaming *streaming, struct streamed_array *array,
			     const struct device_part *parts, const char *what)
{
	const uint32_t windows = schedule_windows(&streaming->schedule);

	for (uint32_t k = 0; k < windows; ++k)
		CHECK(device_allocate_window(streaming->device, array->bytes, parts, array->part_count, what,
					     &array->windows[k]));
	const uint32_t copies = array->scratch ? 0 : array->changes ? windows : 1;
	if (streaming->schedule.store != NULL && copies > 0)
		CHECK(store_add(streaming, array, (int)copies, what));
	for (uint32_t k = 0; k < copies && streaming->schedule.store == NULL; ++k)
		CHECK(device_host_allocate(streaming->device, array->bytes, what, &array->host[k]));
	*array->buffer = array->windows[0];
	return SONDE_OK;
}

static void release(struct streaming *streaming, struct streamed_array *array)
{
	for (int k = 0; k < MOST_WINDOWS; ++k) {
		device_release(streaming->device, &array->windows[k]);
		device_host_release(streaming->device, array->host[k]);
	}
	store_remove(streaming, array);
	free(array->parts);
	*array->buffer = (struct device_buffer){0};
}

static void count_bytes(struct streaming *streaming, const struct streamed_array *array, double window, bool resident)
{
	const double bytes = (double)array->bytes, windows = schedule_windows(&streaming->schedule);

	streaming->bytes += array->scratch ? 0.0 : bytes;
	streaming->window_bytes += resident ? bytes : windows * window;
	if (resident || array->scratch)
		return;
	double records = 0.0;
	if (streaming->schedule.store != NULL)
		store_count(streaming, array, &records, &streaming->largest_record);
	else
		records = bytes;
	streaming->record_bytes += records;
	streaming->changing_bytes += array->changes ? records : 0.0;
	streaming->host_bytes += array->changes ? windows * records : records;
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
	const bool resident = !array->changes && !array->scratch && 2.0 * window > (double)array->bytes;
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

sonde_status streaming_write(struct streaming *streaming, struct device *device, struct device_buffer *buffer,
			     size_t offset, const void *from, size_t bytes)
{
	const struct streamed_array *array = find(streaming, buffer);

	if (array == NULL)
		return device_write(device, buffer, offset, from, bytes);
	if (array->strips != NULL)
		return store_write(streaming, array, offset, from, bytes);
	memcpy((char *)array->host[array->changes ? streaming->present : 0] + offset, from, bytes);
	return SONDE_OK;
}

sonde_status streaming_read(struct streaming *streaming, struct device *device, const struct device_buffer *buffer,
			    size_t offset, void *to, size_t bytes)
{
	const struct streamed_array *array = find(streaming, buffer);

	if (array == NULL)
		return device_read(device, buffer, offset, to, bytes);
	if (array->strips != NULL)
		return store_read(streaming, array, offset, to, bytes);
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

	return array == NULL ? NULL : array->host[array->changes ? streaming->present : 0];
}

void streaming_count_step(struct streaming *streaming, const struct slab_step *step)
{
	streaming->done.stepped_h += step->h.begin < step->h.end ? step->h.end - step->h.begin : 0;
	streaming->done.stepped_e += step->e.begin < step->e.end ? step->e.end - step->e.begin : 0;
}
