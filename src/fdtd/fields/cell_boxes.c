#include "fdtd/fields/cell_boxes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/grid/layout.h"

#define WHAT "the surroundings of sources and monitors"
#define MOST_TIGHT 64 /* boxes that are made as small as possible */
#define PLACES_OF_PART 16384
#define ALIGNED 4u /* cells of a work-item along z, at most */

static const uint32_t brick[3] = {4, 4, 8};

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Bricks of a grid, each with a bit for every plane along x, along y, and along z of which it has a marked cell. */
struct bricks {
	uint32_t counts[3];
	uint16_t *marks;
};

static const uint32_t first_bit[3] = {0, 4, 8};

static size_t brick_at(const struct bricks *bricks, uint32_t x, uint32_t y, uint32_t z)
{
	return ((size_t)x * bricks->counts[1] + y) * bricks->counts[2] + z;
}

static sonde_status make_bricks(const struct fdtd_step *layout, struct bricks *bricks)
{
	for (int a = 0; a < 3; ++a)
		bricks->counts[a] = (layout->end[a] + brick[a] - 1) / brick[a];
	return memory_allocate(&bricks->marks, (size_t)bricks->counts[0] * bricks->counts[1] * bricks->counts[2],
			       sizeof *bricks->marks, WHAT);
}

/* A place's node and its neighbors up to `margin` cells away along each axis. */
static struct cell_box box_around(const struct fdtd_step *layout, uint64_t place, const uint32_t margin[3])
{
	struct cell_box box;
	int node[3];

	(void)layout_node(layout, place, node);
	for (int a = 0; a < 3; ++a) {
		const uint32_t n = node[a] < 0 ? 0 : smaller((uint32_t)node[a], layout->end[a] - 1);
		box.begin[a] = n > margin[a] ? n - margin[a] : 0;
		box.end[a] = smaller(n + margin[a] + 1, layout->end[a]);
	}
	return box;
}

/* The bits of a box's part in brick number n along an axis. */
static uint32_t bits_along(const struct cell_box *box, int axis, uint32_t n)
{
	const uint32_t begin = n * brick[axis], end = begin + brick[axis],
		       from = (box->begin[axis] > begin ? box->begin[axis] : begin) - begin,
		       behind = smaller(box->end[axis], end) - begin;

	return ((1u << behind) - (1u << from)) << first_bit[axis];
}

/* Several threads mark the same bricks. */
static void mark_box(const struct bricks *bricks, const struct cell_box *box)
{
	for (uint32_t x = box->begin[0] / brick[0]; x * brick[0] < box->end[0]; ++x)
		for (uint32_t y = box->begin[1] / brick[1]; y * brick[1] < box->end[1]; ++y)
			for (uint32_t z = box->begin[2] / brick[2]; z * brick[2] < box->end[2]; ++z) {
				uint16_t *const mark = &bricks->marks[brick_at(bricks, x, y, z)];
				const uint32_t bits =
				    bits_along(box, 0, x) | bits_along(box, 1, y) | bits_along(box, 2, z);
				if ((__atomic_load_n(mark, __ATOMIC_RELAXED) & bits) != bits)
					(void)__atomic_fetch_or(mark, (uint16_t)bits, __ATOMIC_RELAXED);
			}
}

static bool all_are_marked(const struct bricks *bricks, const uint32_t begin[3], const uint32_t end[3])
{
	for (uint32_t x = begin[0]; x < end[0]; ++x)
		for (uint32_t y = begin[1]; y < end[1]; ++y)
			for (uint32_t z = begin[2]; z < end[2]; ++z)
				if (bricks->marks[brick_at(bricks, x, y, z)] == 0)
					return false;
	return true;
}

static sonde_status append(struct cell_boxes *cells, const struct cell_box *box)
{
	CHECK(memory_grow(&cells->boxes, &cells->capacity, cells->count + 1, sizeof *box, WHAT));
	cells->boxes[cells->count++] = *box;
	return SONDE_OK;
}

/* Cells of a brick, from its number along the axes and its marks. */
static void extend_by_brick(struct cell_box *box, const uint32_t number[3], uint32_t marks)
{
	for (int a = 0; a < 3; ++a) {
		const uint32_t bits = marks >> first_bit[a] & ((1u << brick[a]) - 1),
			       begin = number[a] * brick[a] + (uint32_t)__builtin_ctz(bits),
			       end = number[a] * brick[a] + 32 - (uint32_t)__builtin_clz(bits);
		box->begin[a] = smaller(box->begin[a], begin);
		box->end[a] = box->end[a] > end ? box->end[a] : end;
	}
}

/* A box of marked bricks, as long as possible along z, then along y, then along x; they are no longer marked. *tight: the
 * marked cells in it. */
static struct cell_box take_box(const struct fdtd_step *layout, const struct bricks *bricks, const uint32_t at[3],
				struct cell_box *tight)
{
	uint32_t end[3] = {at[0] + 1, at[1] + 1, at[2] + 1};
	struct cell_box box;

	for (int a = 2; a >= 0; --a)
		while (end[a] < bricks->counts[a]) {
			uint32_t next[3], behind[3];
			memcpy(next, at, sizeof next);
			memcpy(behind, end, sizeof behind);
			next[a] = end[a];
			behind[a] = end[a] + 1;
			if (!all_are_marked(bricks, next, behind))
				break;
			++end[a];
		}
	*tight = (struct cell_box){{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0}};
	for (uint32_t i = at[0]; i < end[0]; ++i)
		for (uint32_t j = at[1]; j < end[1]; ++j)
			for (uint32_t k = at[2]; k < end[2]; ++k) {
				uint16_t *const mark = &bricks->marks[brick_at(bricks, i, j, k)];
				extend_by_brick(tight, (const uint32_t[3]){i, j, k}, *mark);
				*mark = 0;
			}
	for (int a = 0; a < 3; ++a) {
		box.begin[a] = at[a] * brick[a];
		box.end[a] = smaller(end[a] * brick[a], layout->end[a]);
	}
	return box;
}

/* Marked bricks as boxes, and their marked cells. */
static sonde_status take_all(const struct fdtd_step *layout, const struct bricks *bricks, struct cell_boxes *cells,
			     struct cell_boxes *tight)
{
	for (uint32_t x = 0; x < bricks->counts[0]; ++x)
		for (uint32_t y = 0; y < bricks->counts[1]; ++y)
			for (uint32_t z = 0; z < bricks->counts[2]; ++z) {
				const uint32_t at[3] = {x, y, z};
				struct cell_box box, marked;
				if (bricks->marks[brick_at(bricks, x, y, z)] == 0)
					continue;
				box = take_box(layout, bricks, at, &marked);
				CHECK(append(cells, &box));
				CHECK(append(tight, &marked));
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

/* A list whose places several threads mark. */
struct marking {
	const struct fdtd_step *layout;
	const struct place_list *list;
	const struct bricks *bricks;
	const uint32_t *margin;
};

static void mark_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct marking *marking = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const struct cell_box around =
		    box_around(marking->layout, place_of(marking->list, (size_t)n), marking->margin);
		mark_box(marking->bricks, &around);
	}
}

sonde_status cell_boxes_of_places(const struct fdtd_step *layout, const struct place_list *lists, int count,
				  const uint32_t margin[3], int threads, struct cell_boxes *cells)
{
	struct bricks bricks;
	struct cell_boxes tight = {0};

	*cells = (struct cell_boxes){0};
	CHECK(make_bricks(layout, &bricks));
	for (int l = 0; l < count; ++l) {
		struct marking marking = {layout, &lists[l], &bricks, margin};
		threads_for(threads, (int64_t)lists[l].count, PLACES_OF_PART, mark_some, &marking);
	}
	sonde_status status = threads_completed();
	if (status == SONDE_OK)
		status = take_all(layout, &bricks, cells, &tight);
	/* boxes as small as the places in them allow */
	for (size_t b = 0; b < tight.count && tight.count <= MOST_TIGHT && status == SONDE_OK; ++b)
		cut(&cells->boxes[b], &tight.boxes[b]);
	cell_boxes_free(&tight);
	free(bricks.marks);
	return status;
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
