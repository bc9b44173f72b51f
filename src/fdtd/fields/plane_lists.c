#include "fdtd/fields/plane_lists.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fields/answering.h"
#include "fdtd/grid/layout.h"

#define LONG_LIST 4096

uint32_t fields_plane_of(const struct fields *fields, enum field field, uint64_t place)
{
	int node[3];

	if (field == FIELD_ANSWERS)
		return answering_plane(fields->answering, place);
	(void)layout_node(&fields->layout, place, node);
	return (uint32_t)node[0];
}

struct listed {
	const struct fields *fields;
	enum field field;
	const uint64_t *places;
	size_t stride;
};

static bool is_before(const struct listed *listed, uint32_t n, uint32_t plane)
{
	const uint64_t *place = (const uint64_t *)((const char *)listed->places + n * listed->stride);

	return fields_plane_of(listed->fields, listed->field, *place) < plane;
}

/* The first place from `n` on that is in a plane or after it: in long lists, which are sorted, found by steps that
 * double, then by halves. */
static uint32_t first_in(const struct listed *listed, uint32_t n, uint32_t count, uint32_t plane)
{
	uint32_t step = 1, end = n;

	if (count < LONG_LIST) {
		while (n < count && is_before(listed, n, plane))
			++n;
		return n;
	}
	while (end < count && is_before(listed, end, plane)) {
		n = end + 1;
		end = count - end > step ? end + step : count;
		step *= 2;
	}
	while (n < end) {
		const uint32_t middle = n + (end - n) / 2;
		if (is_before(listed, middle, plane))
			n = middle + 1;
		else
			end = middle;
	}
	return n;
}

sonde_status plane_lists_find(const struct fields *fields, enum field field, const uint64_t *places, size_t stride,
			      uint32_t count, uint32_t **first)
{
	const struct listed listed = {fields, field, places, stride};
	uint32_t planes = (uint32_t)fields->grid.cells[0] + 1, n = 0;

	CHECK(memory_allocate(first, planes + 1, sizeof **first, "lists of places"));
	for (uint32_t i = 0; i <= planes; ++i) {
		n = first_in(&listed, n, count, i);
		(*first)[i] = i == planes ? count : n;
	}
	return SONDE_OK;
}
