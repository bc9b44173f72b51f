#include "fdtd/fields/media_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define MOST_PACKED 64e6   /* bytes of media numbers on their way to the device */
#define PLANES_OF_THREAD 2 /* of these */

static uint16_t medium_of_segment(const uint16_t *from, uint32_t count)
{
	bool same = true;

	for (uint32_t k = 1; k < count; ++k)
		same &= from[k] == from[0];
	return same ? from[0] : MIXED;
}

/* A row of media numbers with the device's places, and the medium of each of its segments. The media on a conductor
 * after the row's end may share the place of the next row's first number and segment, which are written later; after
 * the last row there is a spare one. */
static void pack_row(const struct media_numbers *numbers, size_t at, uint32_t index_bytes, unsigned char *row,
		     uint16_t *segments)
{
	const uint32_t nodes = (uint32_t)numbers->nodes;

	for (uint32_t k = 0; k < nodes; k += SEGMENT) {
		const uint32_t count = nodes - k < SEGMENT ? nodes - k : SEGMENT;
		uint16_t part[SEGMENT], number;
		if (index_bytes == 1 && media_segment(numbers, at, k / SEGMENT, &number)) {
			memset(row + k, number, count);
			segments[k / SEGMENT] = number;
			continue;
		}
		media_copy_segment(numbers, at, k / SEGMENT, part);
		if (index_bytes == 1)
			for (uint32_t n = 0; n < count; ++n)
				row[k + n] = (unsigned char)part[n];
		else
			memcpy(row + (size_t)k * sizeof *part, part, count * sizeof *part);
		segments[k / SEGMENT] = medium_of_segment(part, count);
	}
}

/* Some planes of a component's numbers on their way to the device. */
struct packed_planes {
	const struct fields *fields;
	const struct media_numbers *numbers;
	int first;                   /* of the planes */
	size_t bytes, segment_count; /* of a plane */
	unsigned char *planes;
	uint16_t *segments;
};

static void pack_planes(void *state, int64_t first, int64_t end, int worker)
{
	const struct packed_planes *packed = state;
	const struct fields *fields = packed->fields;
	const struct fdtd_step *layout = &fields->layout;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		for (int j = 0; j <= fields->grid.cells[1] && j < (int)layout->rows; ++j)
			pack_row(packed->numbers, media_at(&fields->grid, packed->first + (int)n, j, 0),
				 layout->index_bytes,
				 packed->planes + (size_t)n * packed->bytes +
				     (size_t)j * layout->row * layout->index_bytes,
				 packed->segments + (size_t)n * packed->segment_count +
				     (size_t)j * layout->row_segments);
}

/* Some planes of a component; on the device the first one is plane `place`. */
static sonde_status upload_planes(struct fields *fields, enum field field, int threads, struct packed_planes *packed,
				  size_t place, int count)
{
	const size_t segment_bytes = packed->segment_count * sizeof *packed->segments;

	threads_for(threads, count, 1, pack_planes, packed);
	CHECK(streaming_write(fields->streaming, fields->device, &fields->index[field], place * packed->bytes,
			      packed->planes, (size_t)count * packed->bytes));
	return streaming_write(fields->streaming, fields->device, &fields->segments[field], place * segment_bytes,
			       packed->segments, (size_t)count * segment_bytes);
}

/* As many as all threads need, while they do not need much memory. */
static int planes_at_once(const struct fields *fields, int threads, size_t bytes)
{
	const int planes = fields->grid.cells[0] + 1, fit = (int)fmin(MOST_PACKED / (double)bytes, planes),
		  wanted = PLANES_OF_THREAD * (threads > 1 ? threads : 1);
	const int count = wanted < fit ? wanted : fit;

	return count > 1 ? count : 1;
}

sonde_status media_index_allocate(struct fields *fields, enum field field)
{
	const struct fdtd_step *layout = &fields->layout;
	const size_t all = 3 * (size_t)layout->planes, bytes = (size_t)layout->plane * layout->index_bytes,
		     segments = layout->plane / layout->row * layout->row_segments * sizeof(uint16_t);

	CHECK(fields_allocate_planes(fields, 0, bytes, all * bytes, false, "the media", &fields->index[field]));
	return fields_allocate_planes(fields, 0, segments, all * segments, false, "the media",
				      &fields->segments[field]);
}

/* Those that this device has. */
static struct plane_range planes_here(const struct fields *fields)
{
	const struct streaming *streaming = fields->streaming;
	struct plane_range here = {0, (uint32_t)fields->grid.cells[0] + 1};

	if (streaming == NULL)
		return here;
	here.begin = schedule_here(&streaming->schedule).begin;
	if (schedule_here(&streaming->schedule).end < streaming->schedule.planes)
		here.end = schedule_here(&streaming->schedule).end;
	return here;
}

sonde_status media_index_upload(struct fields *fields, const struct media *media, enum field field)
{
	const struct fdtd_step *layout = &fields->layout;
	struct media_numbers *const *numbers = field == FIELD_E ? media->edges : media->faces;
	const size_t rows = layout->plane / layout->row, planes = layout->volume / layout->plane;
	struct packed_planes packed = {.fields = fields,
				       .bytes = (size_t)layout->plane * layout->index_bytes,
				       .segment_count = rows * layout->row_segments};
	const bool there = numbers[0] != NULL;
	const struct plane_range here = planes_here(fields);
	const int end = (int)here.end;
	sonde_status status;

	if (!there) {
		CHECK(device_allocate(fields->device, 16, "the media", &fields->index[field]));
		return device_allocate(fields->device, 16, "the media", &fields->segments[field]);
	}
	CHECK(media_index_allocate(fields, field));
	const int at_once = planes_at_once(fields, media->threads, packed.bytes);
	CHECK_GOTO(status, memory_allocate(&packed.planes, (size_t)at_once, packed.bytes, "the media"), done);
	CHECK_GOTO(status,
		   memory_allocate(&packed.segments, (size_t)at_once * packed.segment_count, sizeof *packed.segments,
				   "the media"),
		   done);
	for (size_t a = 0; a < 3; ++a)
		for (int i = (int)here.begin; i < end; i += at_once) {
			packed.numbers = numbers[a];
			packed.first = i;
			CHECK_GOTO(status,
				   upload_planes(fields, field, media->threads, &packed, a * planes + (size_t)i + 1,
						 end - i < at_once ? end - i : at_once),
				   done);
		}
done:
	free(packed.planes);
	free(packed.segments);
	return status;
}
