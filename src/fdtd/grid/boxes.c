#include "fdtd/grid/boxes.h"

#include <stdbool.h>
#include <string.h>

#include "fdtd/kernels/stored.h"

#define MOST_ITEMS_LOG 5u /* work-items side by side along a row: 32 */
#define WHOLE_CELLS 16u   /* along z boxes begin at multiples of this many cells: whole memory transfers */

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void set_box(struct fdtd_box *box, uint32_t axis, const uint32_t begin[3], const uint32_t end[3],
		    uint32_t split, uint32_t gap, const struct group_shape *shape)
{
	*box = (struct fdtd_box){.split = split, .gap = gap, .planes_log = shape->planes_log, .axis = axis};
	for (int a = 0; a < 3; ++a)
		if (begin[a] >= end[a])
			return;
	memcpy(box->begin, begin, sizeof box->begin);
	memcpy(box->end, end, sizeof box->end);
	const uint32_t cells = end[2] - begin[2] - gap;
	/* more where there are few rows, as in two dimensions */
	while ((box->items_log < MOST_ITEMS_LOG || shape->items >> box->items_log >= 2 * (end[1] - begin[1])) &&
	       shape->items >> box->items_log > 1 && (shape->cells_of_item << box->items_log) < cells)
		++box->items_log;
	box->overlap = box->items_log == MOST_ITEMS_LOG ? shape->overlap : 0;
	const uint32_t along = shape->cells_of_item * ((1u << box->items_log) - 2 * box->overlap),
		       rows = shape->items >> box->items_log;
	box->chunks_of_row = (cells + along - 1) / along;
	box->groups_of_plane = (end[1] - begin[1] + rows - 1) / rows * box->chunks_of_row;
}

static uint32_t first_axis_with_layers(const struct fdtd_step *layout)
{
	uint32_t axis = 0;

	while (axis < 2 && layout->psi_size[axis] == 0)
		++axis;
	return axis;
}

void boxes_make(const struct fdtd_grid *grid, struct fdtd_step *layout, const struct group_shape *half,
		const struct group_shape *whole, const struct group_shape *around)
{
	struct fdtd_box *boxes = layout->boxes;
	uint32_t low[3], high[3], begin[3] = {0}, end[3];
	bool empty = false;

	/* no neighbor is in a layer, nor is H of this step beyond a wall, ready only after the step, a neighbor of E */
	for (int a = 0; a < 3; ++a) {
		const bool mirrors = grid->walls[a][1] == WALL_MAGNETIC;
		low[a] = layout->low[a] + 1;
		high[a] = smaller(layout->high[a], layout->end[a] - (mirrors ? 1 : 0));
	}
	/* H of the neighbors before along z is rounded as a word */
	low[2] = grid->in_words ? layout->low[2] + WORD_CELLS : low[2];
	low[2] = (low[2] + WHOLE_CELLS - 1) / WHOLE_CELLS * WHOLE_CELLS;
	high[2] = high[2] / WHOLE_CELLS * WHOLE_CELLS;
	memset(boxes, 0, sizeof layout->boxes);
	for (int a = 0; a < 3; ++a)
		empty |= low[a] >= high[a];
	if (empty) {
		set_box(&boxes[0], first_axis_with_layers(layout), begin, layout->end, 0, 0, around);
		return;
	}
	set_box(&boxes[BOX_OF_HALF_STEPS], 0, low, high, 0, 0, half);
	set_box(&boxes[BOX_OF_WHOLE_STEPS], 0, low, high, 0, 0, whole);
	/* before and after it along x, then the rest along y; then both ends of the rows at once, which are adjacent in
	 * memory */
	memcpy(end, layout->end, sizeof end);
	for (uint32_t a = 0; a < 2; ++a) {
		const uint32_t last = end[a];
		end[a] = low[a];
		set_box(&boxes[2 * a], a, begin, end, 0, 0, around);
		begin[a] = high[a];
		end[a] = last;
		set_box(&boxes[2 * a + 1], a, begin, end, 0, 0, around);
		begin[a] = low[a];
		end[a] = high[a];
	}
	set_box(&boxes[4], 2, begin, end, low[2], high[2] - low[2], around);
}

void boxes_set_one(struct fdtd_step *layout, uint32_t n, const uint32_t begin[3], const uint32_t end[3],
		   const struct group_shape *shape)
{
	set_box(&layout->boxes[n], first_axis_with_layers(layout), begin, end, 0, 0, shape);
}

uint32_t boxes_groups(const struct fdtd_step *layout, uint32_t begin_box, uint32_t end_box, uint32_t first,
		      uint32_t end)
{
	uint32_t groups = 0;

	for (uint32_t n = begin_box; n < end_box; ++n) {
		const struct fdtd_box *box = &layout->boxes[n];
		const uint32_t begin = box->begin[0] > first ? box->begin[0] : first,
			       behind = smaller(box->end[0], end), planes = 1u << box->planes_log;
		if (begin < behind)
			groups += ((behind - begin + planes - 1) >> box->planes_log) * box->groups_of_plane;
	}
	return groups;
}
