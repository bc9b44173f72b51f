#include "fdtd/fields/cell_boxes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/grid/layout.h"

#define WHAT "the surroundings of sources and monitors"
#define MOST_TIGHT 64 /* boxes that are made as small as possible */
#define ALIGNED 4u    /* cells of a work-item along z, at most */

static const uint32_t brick[3] = {4, 4, 8};

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Bricks of a grid, each marked or not. */
struct bricks {
	uint32_t counts[3];
	unsigned char *marks;
};

static size_t brick_at(const struct bricks *bricks, uint32_t x, uint32_t y, uint32_t z)
{
	return ((size_t)x * bricks->counts[1] + y) * bricks->counts[2] + z;
}

static sonde_status make_bricks(const struct fdtd_step *layout, struct bricks *bricks)
{
	for (int a = 0; a < 3; ++a)
		bricks->counts[a] = (layout->end[a] + brick[a] - 1) / brick[a];
	return memory_allocate(&bricks->marks, (size_t)bricks->counts[0] * bricks->counts[1] * bricks->counts[2], 1,
			       WHAT);
}

/* A place's node and its neighbors up to `margin` cells away. */
static struct cell_box box_around(const struct fdtd_step *layout, uint64_t place, uint32_t margin)
{
	struct cell_box box;
	int node[3];

	(void)layout_node(layout, place, node);
	for (int a = 0; a < 3; ++a) {
		const uint32_t n = node[a] < 0 ? 0 : smaller((uint32_t)node[a], layout->end[a] - 1);
		box.begin[a] = n > margin ? n - margin : 0;
		box.end[a] = smaller(n + margin + 1, layout->end[a]);
	}
	return box;
}

static void mark_box(const struct bricks *bricks, const struct cell_box *box)
{
	const uint32_t from = box->begin[2] / brick[2], behind = (box->end[2] + brick[2] - 1) / brick[2];

	for (uint32_t x = box->begin[0] / brick[0]; x * brick[0] < box->end[0]; ++x)
		for (uint32_t y = box->begin[1] / brick[1]; y * brick[1] < box->end[1]; ++y)
			memset(bricks->marks + brick_at(bricks, x, y, from), 1, behind - from);
}

static bool all_are_marked(const struct bricks *bricks, const uint32_t begin[3], const uint32_t end[3])
{
	for (uint32_t x = begin[0]; x < end[0]; ++x)
		for (uint32_t y = begin[1]; y < end[1]; ++y)
			if (memchr(bricks->marks + brick_at(bricks, x, y, begin[2]), 0, end[2] - begin[2]) != NULL)
				return false;
	return true;
}

static sonde_status append(struct cell_boxes *cells, const struct cell_box *box)
{
	CHECK(memory_grow(&cells->boxes, &cells->capacity, cells->count + 1, sizeof *box, WHAT));
	cells->boxes[cells->count++] = *box;
	return SONDE_OK;
}

/* A box of marked bricks, as long as possible along z, then along y, then along x; they are no longer marked. */
static sonde_status take_box(const struct fdtd_step *layout, const struct bricks *bricks, uint32_t x, uint32_t y,
			     uint32_t z, struct cell_boxes *cells)
{
	const uint32_t begin[3] = {x, y, z};
	uint32_t end[3] = {x + 1, y + 1, z + 1};
	struct cell_box box;

	for (int a = 2; a >= 0; --a)
		while (end[a] < bricks->counts[a]) {
			uint32_t next[3] = {x, y, z}, behind[3];
			memcpy(behind, end, sizeof behind);
			next[a] = end[a];
			behind[a] = end[a] + 1;
			if (!all_are_marked(bricks, next, behind))
				break;
			++end[a];
		}
	for (uint32_t i = x; i < end[0]; ++i)
		for (uint32_t j = y; j < end[1]; ++j)
			memset(bricks->marks + brick_at(bricks, i, j, z), 0, end[2] - z);
	for (int a = 0; a < 3; ++a) {
		box.begin[a] = begin[a] * brick[a];
		box.end[a] = smaller(end[a] * brick[a], layout->end[a]);
	}
	return append(cells, &box);
}

/* Marked bricks as boxes. */
static sonde_status take_all(const struct fdtd_step *layout, const struct bricks *bricks, struct cell_boxes *cells)
{
	for (uint32_t x = 0; x < bricks->counts[0]; ++x)
		for (uint32_t y = 0; y < bricks->counts[1]; ++y) {
			const unsigned char *const row = bricks->marks + brick_at(bricks, x, y, 0), *found = row;
			while ((found = memchr(found, 1, bricks->counts[2] - (size_t)(found - row))) != NULL)
				CHECK(take_box(layout, bricks, x, y, (uint32_t)(found - row), cells));
		}
	return SONDE_OK;
}

static bool overlap(const struct cell_box *a, const struct cell_box *b)
{
	bool both = true;

	for (int n = 0; n < 3; ++n)
		both = both && a->begin[n] < b->end[n] && b->begin[n] < a->end[n];
	return both;
}

static void extend(struct cell_box *box, const struct cell_box *other)
{
	for (int a = 0; a < 3; ++a) {
		box->begin[a] = smaller(box->begin[a], other->begin[a]);
		box->end[a] = box->end[a] > other->end[a] ? box->end[a] : other->end[a];
	}
}

/* Cuts a box to the part in another one, but along z to whole work-items. */
static void cut(struct cell_box *box, const struct cell_box *other)
{
	for (int a = 0; a < 3; ++a) {
		const uint32_t unit = a == 2 ? ALIGNED : 1, begin = other->begin[a] / unit * unit,
			       end = (other->end[a] + unit - 1) / unit * unit;
		box->begin[a] = box->begin[a] > begin ? box->begin[a] : begin;
		box->end[a] = smaller(box->end[a], end);
	}
}

static uint64_t place_of(const struct place_list *list, size_t n)
{
	return *(const uint64_t *)((const char *)list->places + n * list->stride);
}

/* Makes boxes as small as the places in them allow. */
static sonde_status tighten(const struct fdtd_step *layout, const struct place_list *lists, int count,
			    uint32_t margin, struct cell_boxes *cells)
{
	struct cell_box *tight;

	CHECK(memory_allocate(&tight, cells->count + 1, sizeof *tight, WHAT));
	for (size_t b = 0; b < cells->count; ++b)
		for (int a = 0; a < 3; ++a) {
			tight[b].begin[a] = cells->boxes[b].end[a];
			tight[b].end[a] = cells->boxes[b].begin[a];
		}
	for (int l = 0; l < count; ++l)
		for (size_t n = 0; n < lists[l].count; ++n) {
			const struct cell_box around = box_around(layout, place_of(&lists[l], n), margin);
			for (size_t b = 0; b < cells->count; ++b)
				if (overlap(&around, &cells->boxes[b]))
					extend(&tight[b], &around);
		}
	for (size_t b = 0; b < cells->count; ++b)
		cut(&cells->boxes[b], &tight[b]);
	free(tight);
	return SONDE_OK;
}

sonde_status cell_boxes_of_places(const struct fdtd_step *layout, const struct place_list *lists, int count,
				  uint32_t margin, struct cell_boxes *cells)
{
	struct bricks bricks;

	*cells = (struct cell_boxes){0};
	CHECK(make_bricks(layout, &bricks));
	for (int l = 0; l < count; ++l)
		for (size_t n = 0; n < lists[l].count; ++n) {
			const struct cell_box around = box_around(layout, place_of(&lists[l], n), margin);
			mark_box(&bricks, &around);
		}
	const sonde_status status = take_all(layout, &bricks, cells);
	free(bricks.marks);
	CHECK(status);
	return cells->count <= MOST_TIGHT ? tighten(layout, lists, count, margin, cells) : SONDE_OK;
}

/* Adds what is in none of the boxes from `from` to `known`. */
static sonde_status add_rest(struct cell_boxes *cells, size_t from, size_t known, struct cell_box box)
{
	while (from < known && !overlap(&box, &cells->boxes[from]))
		++from;
	if (from == known)
		return append(cells, &box);
	const struct cell_box other = cells->boxes[from];
	for (int a = 0; a < 3; ++a) {
		struct cell_box part = box;
		if (box.begin[a] < other.begin[a]) {
			part.end[a] = other.begin[a];
			CHECK(add_rest(cells, from + 1, known, part));
			box.begin[a] = other.begin[a];
		}
		part = box;
		if (box.end[a] > other.end[a]) {
			part.begin[a] = other.end[a];
			CHECK(add_rest(cells, from + 1, known, part));
			box.end[a] = other.end[a];
		}
	}
	return SONDE_OK;
}

sonde_status cell_boxes_add(const struct fdtd_step *layout, struct cell_boxes *cells, const struct cell_box *box,
			    uint32_t before, uint32_t behind, bool once)
{
	struct cell_box larger;

	for (int a = 0; a < 3; ++a) {
		larger.begin[a] = box->begin[a] > before ? box->begin[a] - before : 0;
		larger.end[a] = smaller(box->end[a] + behind, layout->end[a]);
	}
	larger.begin[2] = larger.begin[2] / ALIGNED * ALIGNED;
	larger.end[2] = smaller((larger.end[2] + ALIGNED - 1) / ALIGNED * ALIGNED, layout->end[2]);
	return add_rest(cells, once ? 0 : cells->count, cells->count, larger);
}

sonde_status cell_boxes_add_all(const struct fdtd_step *layout, struct cell_boxes *cells,
				const struct cell_boxes *other, uint32_t before, uint32_t behind, bool once)
{
	for (size_t n = 0; n < other->count; ++n)
		CHECK(cell_boxes_add(layout, cells, &other->boxes[n], before, behind, once));
	return SONDE_OK;
}

uint64_t cell_boxes_volume(const struct cell_boxes *cells)
{
	uint64_t volume = 0;

	for (size_t n = 0; n < cells->count; ++n) {
		const struct cell_box *box = &cells->boxes[n];
		volume += (uint64_t)(box->end[0] - box->begin[0]) * (box->end[1] - box->begin[1]) *
			  (box->end[2] - box->begin[2]);
	}
	return volume;
}

void cell_boxes_free(struct cell_boxes *cells)
{
	free(cells->boxes);
	*cells = (struct cell_boxes){0};
}
