#include "coulomb/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Consecutive points from *first on, before `end`, that are wanted; 0: there are none left. */
static int64_t next_run(const struct values *values, int64_t *first, int64_t end)
{
	int64_t low = 0, high = values->wanted_count;

	if (values->wanted == NULL)
		return end - *first;
	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		if (values->wanted[middle] < *first)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == values->wanted_count || values->wanted[low] >= end)
		return 0;
	*first = values->wanted[low];
	int64_t count = 1;
	while (low + count < values->wanted_count && *first + count < end &&
	       values->wanted[low + count] == *first + count)
		++count;
	return count;
}

static void pack_run(const struct values *values, int64_t first, int64_t count, struct text *packed)
{
	int64_t at = first - values->first;

	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		text_append_bytes(packed, (const char *)(values->potential + at), (size_t)count * sizeof(double));
		if (values->field != NULL)
			text_append_bytes(packed, (const char *)(values->field + 3 * at),
					  3 * (size_t)count * sizeof(double));
	}
}

static const char *unpack_run(const struct values *values, int64_t first, int64_t count, const char *bytes)
{
	const size_t size = (size_t)count * sizeof(double);
	int64_t at = first - values->first;

	for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
		memcpy(values->potential + at, bytes, size);
		bytes += size;
		if (values->field == NULL)
			continue;
		memcpy(values->field + 3 * at, bytes, 3 * size);
		bytes += 3 * size;
	}
	return bytes;
}

void coulomb_pack(const struct values *values, int64_t first, int64_t count, struct text *packed)
{
	const int64_t end = first + count;

	for (int64_t now; first < end && (now = next_run(values, &first, end)) > 0; first += now)
		pack_run(values, first, now, packed);
}

const char *coulomb_unpack(const struct values *values, int64_t first, int64_t count, const char *bytes)
{
	const int64_t end = first + count;

	for (int64_t now; first < end && (now = next_run(values, &first, end)) > 0; first += now)
		bytes = unpack_run(values, first, now, bytes);
	return bytes;
}

size_t coulomb_packed(const struct values *values, int64_t first, int64_t count)
{
	const int64_t end = first + count;
	int64_t points = 0;

	for (int64_t now; first < end && (now = next_run(values, &first, end)) > 0; first += now)
		points += now;
	return (size_t)points * values->sets * sizeof(double) * (values->field != NULL ? 4 : 1);
}

sonde_status coulomb_have(const struct values *values, int64_t first, int64_t count)
{
	struct own_points *own = values->own;

	if (own == NULL)
		return SONDE_OK;
	CHECK(memory_grow(&own->ranges, &own->capacity, own->count + 1, sizeof *own->ranges, "the points of a rank"));
	own->ranges[own->count].first = first;
	own->ranges[own->count++].count = count;
	return SONDE_OK;
}
