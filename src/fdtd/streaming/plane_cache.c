#include "fdtd/streaming/plane_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST ((size_t)4 << 20) /* bytes in memory, unless a plane has more */

sonde_status plane_cache_flush(struct plane_cache *cache, struct scratch_file *file)
{
	if (cache->array == NULL || !cache->dirty)
		return SONDE_OK;
	cache->dirty = false;
	return scratch_file_move(file, SCRATCH_WRITE, cache->offset, cache->bytes, cache->size);
}

void plane_cache_forget(struct plane_cache *cache)
{
	cache->array = NULL;
	cache->dirty = false;
}

void plane_cache_free(struct plane_cache *cache)
{
	free(cache->bytes);
	*cache = (struct plane_cache){0};
}

static sonde_status grow(struct plane_cache *cache, size_t bytes)
{
	if (bytes <= cache->capacity)
		return SONDE_OK;
	plane_cache_free(cache);
	cache->bytes = aligned_alloc(SCRATCH_BLOCK, bytes);
	if (cache->bytes == NULL)
		return memory_missing("planes of the scratch file");
	cache->capacity = bytes;
	return SONDE_OK;
}

/* Planes from one on. */
static sonde_status fetch(struct plane_cache *cache, struct scratch_file *file, const struct streaming *streaming,
			  const struct streamed_array *array, int part, int copy, uint32_t plane)
{
	const struct store_strip *strip = &array->strips[part];
	const double staging = streaming->schedule.staging;
	const size_t most = staging > 0.0 && staging < (double)MOST ? (size_t)staging : MOST;
	const uint32_t end = store_piece_end(strip, plane, streaming->schedule.planes, most);
	const size_t size = (size_t)(strip->planes[end] - strip->planes[plane]);

	CHECK(plane_cache_flush(cache, file));
	plane_cache_forget(cache);
	CHECK(grow(cache, size));
	cache->offset = strip->begin[copy] + strip->planes[plane];
	cache->size = size;
	CHECK(scratch_file_move(file, SCRATCH_READ, cache->offset, cache->bytes, size));
	cache->array = array;
	cache->part = part;
	cache->copy = copy;
	cache->begin = plane;
	cache->end = end;
	return SONDE_OK;
}

/* The plane with a byte of a part: the last one that begins there or before. */
static uint32_t plane_of(const struct streaming *streaming, const struct plane_numbers *part, size_t at)
{
	uint32_t low = 0, high = streaming->schedule.planes;

	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (streaming_bytes_before(streaming, part, middle) <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static bool has(const struct plane_cache *cache, const struct streamed_array *array, int part, int copy,
		uint32_t plane)
{
	return cache->array == array && cache->part == part && cache->copy == copy && plane >= cache->begin &&
	       plane < cache->end;
}

/* Bytes from `at` on of a part; those of the caller begin with byte `base` of the part. */
struct part_access {
	int part, copy;
	size_t at, end, base;
};

static sonde_status access_part(struct plane_cache *cache, struct scratch_file *file,
				const struct streaming *streaming, const struct streamed_array *array,
				const struct part_access *range, const struct plane_access *access)
{
	const struct plane_numbers *part = &array->parts[range->part];
	const uint64_t *planes = array->strips[range->part].planes;
	size_t end;

	for (size_t at = range->at; at < range->end; at = end) {
		const uint32_t plane = plane_of(streaming, part, at);
		const size_t begin = streaming_bytes_before(streaming, part, plane);
		end = streaming_bytes_before(streaming, part, plane + 1);
		end = end < range->end ? end : range->end;
		if (!has(cache, array, range->part, range->copy, plane))
			CHECK(fetch(cache, file, streaming, array, range->part, range->copy, plane));
		char *here = cache->bytes + (planes[plane] - planes[cache->begin]) + (at - begin);
		if (access->to != NULL)
			memcpy(access->to + (at - range->base), here, end - at);
		else
			memcpy(here, access->from + (at - range->base), end - at);
		cache->dirty |= access->to == NULL;
	}
	return SONDE_OK;
}

sonde_status plane_cache_access(struct plane_cache *cache, struct scratch_file *file,
				const struct streaming *streaming, const struct streamed_array *array, size_t offset,
				size_t bytes, const struct plane_access *access)
{
	const int copy = array->changes ? streaming->present : 0;

	for (int k = 0; k < array->part_count; ++k) {
		const struct plane_numbers *part = &array->parts[k];
		const size_t first = part->offset,
			     behind = first + streaming_bytes_before(streaming, part, streaming->schedule.planes),
			     begin = offset > first ? offset : first,
			     end = offset + bytes < behind ? offset + bytes : behind;
		if (begin >= end)
			continue;
		/* `base` may lie before the part: both differences are unsigned, and their sum is right */
		const struct part_access range = {k, copy, begin - first, end - first, offset - first};
		CHECK(access_part(cache, file, streaming, array, &range, access));
	}
	return SONDE_OK;
}
