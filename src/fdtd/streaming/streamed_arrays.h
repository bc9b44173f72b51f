/* What is known of arrays of numbers by planes, of which the device has a window (streaming.h). */
#ifndef SONDE_FDTD_STREAMING_STREAMED_ARRAYS_H
#define SONDE_FDTD_STREAMING_STREAMED_ARRAYS_H

#include <stdbool.h>

#include "device/device.h"
#include "fdtd/streaming/schedule.h"

/* Part of an array with numbers of all planes, one after the other: those of plane p begin at offset + first[p] size,
 * and end where those of the next one begin, those of the last plane at offset + all size. */
struct plane_numbers {
	size_t offset, size;
	const uint32_t *first;
	uint64_t all;
};

/* Bytes from `begin` on, before `end`. */
struct byte_range {
	size_t begin, end;
};

#define MOST_WINDOWS 2

/* A part of an array (struct plane_numbers) in the file: the place of each plane from its beginning on, then its end; and
 * the beginnings of its copies. */
struct store_strip {
	uint64_t *planes;
	uint64_t begin[2];
};

struct store;
struct parallel;

struct streamed_array {
	struct device_buffer *buffer; /* that of the window in use */
	struct device_buffer windows[MOST_WINDOWS];
	int part_count;
	struct plane_numbers *parts;
	bool changes; /* it is stored, not only loaded */
	bool scratch; /* neither: planes are cleared instead of being loaded */
	size_t bytes;
	void *host[2];              /* all numbers: the present ones, and of pyramids those after the pass */
	size_t *skipped;            /* bytes of each part that are not in host[], before those that are; null: none */
	struct store_strip *strips; /* in a scratch file instead; or null (store.h) */
};

struct streaming {
	struct device *device;
	struct schedule schedule;
	uint32_t *field_planes, *planes, *layer_planes; /* first[] of fields, of other arrays, of layers along x */
	uint64_t field_plane_count;
	int present; /* which of host[] */
	int count, capacity;
	struct streamed_array *arrays;
	struct store *store;                 /* null: all numbers are in the host's memory */
	double record_bytes, changing_bytes; /* of one copy of all arrays in a scratch file, of those that change */
	size_t largest_record;               /* of a plane */
	bool dry;                            /* nothing is allocated: only the bytes are counted */
	double window_bytes, host_bytes, bytes; /* on the device, on the host or in the file; of all arrays */
	struct schedule_work done;              /* counted in planes, of all passes */
	double bytes_loaded, bytes_stored;
	/* of planes of several devices: those of the next device, once all are made; buffers for exchanges of those that stay */
	struct streaming *beside;
	struct plane_exchange *exchange;
	struct parallel *ranks;    /* whose devices have the other planes; null: those of this process have all */
	struct rank_exchange *far; /* with the ranks before and after, of the first device of this one */
	struct host_exchange
	    *host_far;       /* of planes in the host's memory, or in files: that of all devices of this process */
	struct chain *links; /* of the first device of a chain */
};

/* Bytes of a part before a plane, or of all planes. */
static inline size_t streaming_bytes_before(const struct streaming *streaming, const struct plane_numbers *part,
					    uint32_t plane)
{
	return (size_t)((plane == streaming->schedule.planes ? part->all : part->first[plane]) * part->size);
}

/* A byte of a part, by its place in the array, in the host's memory. */
static inline char *streaming_host_byte(const struct streamed_array *array, int copy, int part, size_t offset)
{
	return (char *)array->host[copy] + (offset - (array->skipped != NULL ? array->skipped[part] : 0));
}

/* The first plane after a piece of at most `most` bytes, but one plane at least, that begins with a plane. */
static inline uint32_t store_piece_end(const struct store_strip *strip, uint32_t begin, uint32_t end, size_t most)
{
	uint32_t behind = begin + 1;

	while (behind < end && strip->planes[behind + 1] - strip->planes[begin] <= most)
		++behind;
	return behind;
}

#endif
