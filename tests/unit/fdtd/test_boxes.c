/* The division of the cells of a grid for GPUs: each cell lies in one box, and the inside has no layers or mirrors
 * nearby. */
#include "fdtd/grid/boxes.h"

#include <stdlib.h>

#include "unit/support.h"

#define NO_LAYER UINT32_MAX

static const struct group_shape shape = {128, 4, 2, 0};

/* Nodes before `low` and from `high` on are in layers. */
static struct fdtd_step layout_of(const uint32_t end[3], const uint32_t low[3], const uint32_t high[3],
				  enum fdtd_wall wall)
{
	struct fdtd_grid grid = {0};
	struct fdtd_step layout = {0};

	for (int a = 0; a < 3; ++a) {
		grid.walls[a][1] = wall;
		layout.end[a] = end[a];
		layout.low[a] = low[a];
		layout.high[a] = high[a];
	}
	boxes_make(&grid, &layout, &shape, &shape, &shape);
	return layout;
}

static int holds(const struct fdtd_box *box, const uint32_t cell[3])
{
	int inside = 1;

	for (int a = 0; a < 3; ++a)
		inside &= cell[a] >= box->begin[a] && cell[a] < box->end[a];
	const uint32_t along = cell[2] - box->begin[2];
	return inside && (along < box->split || along >= box->split + box->gap);
}

/* Whether no node from the cell's on back to the ones behind is in a layer, the first one, or the last one on a magnetic wall. */
static int is_free(const struct fdtd_step *layout, const uint32_t cell[3], enum fdtd_wall wall)
{
	int yes = 1;

	for (int a = 0; a < 3; ++a)
		yes &= cell[a] > layout->low[a] && cell[a] < layout->high[a] &&
		       (wall != WALL_MAGNETIC || cell[a] + 1 < layout->end[a]);
	return yes;
}

static void check_with(const uint32_t end[3], const uint32_t low[3], const uint32_t high[3], enum fdtd_wall wall,
		       int has_inside)
{
	const struct fdtd_step layout = layout_of(end, low, high, wall);
	uint32_t cell[3], in_inside = 0;

	for (cell[0] = 0; cell[0] < end[0]; ++cell[0])
		for (cell[1] = 0; cell[1] < end[1]; ++cell[1])
			for (cell[2] = 0; cell[2] < end[2]; ++cell[2]) {
				int inside = holds(&layout.boxes[BOX_OF_HALF_STEPS], cell), around = 0;
				for (uint32_t n = 0; n < BOXES_AROUND; ++n)
					around += holds(&layout.boxes[n], cell);
				assert_int_equal(inside, holds(&layout.boxes[BOX_OF_WHOLE_STEPS], cell));
				assert_int_equal(inside + around, 1);
				assert_true(!inside || is_free(&layout, cell, wall));
				in_inside += (uint32_t)inside;
			}
	assert_int_equal(in_inside > 0, has_inside);
}

static void check(const uint32_t end[3], const uint32_t low[3], const uint32_t high[3], int has_inside)
{
	check_with(end, low, high, WALL_CONDUCTOR, has_inside);
	check_with(end, low, high, WALL_MAGNETIC, has_inside);
}

static void cells_lie_in_one_box(void **state)
{
	static const uint32_t none[3] = {0}, thin[3] = {3, 4, 4}, open[3] = {NO_LAYER, NO_LAYER, NO_LAYER};
	static const uint32_t wide[3] = {24, 10, 200}, flat[3] = {1, 30, 90}, small[3] = {11, 9, 21};
	(void)state;

	check(wide, thin, (const uint32_t[3]){21, 7, 196}, 1);
	check(wide, none, open, 1);
	check(wide, thin, open, 1);
	check(wide, none, (const uint32_t[3]){NO_LAYER, 7, 180}, 1);
	check(small, thin, (const uint32_t[3]){7, NO_LAYER, 16}, 0);
	check(flat, none, open, 0);
}

/* Groups of all planes are those of their parts, where the parts begin with groups. */
static void groups_of_parts_add_up_to_those_of_all_planes(void **state)
{
	static const uint32_t end[3] = {40, 10, 200}, low[3] = {3, 4, 4}, high[3] = {36, 7, 196};
	const struct fdtd_step layout = layout_of(end, low, high, WALL_CONDUCTOR);
	const uint32_t begin = layout.boxes[BOX_OF_HALF_STEPS].begin[0], all = BOX_OF_HALF_STEPS + 1;
	(void)state;

	assert_int_equal(boxes_groups(&layout, BOX_OF_HALF_STEPS, all, 0, 40),
			 boxes_groups(&layout, BOX_OF_HALF_STEPS, all, 0, begin + 8) +
			     boxes_groups(&layout, BOX_OF_HALF_STEPS, all, begin + 8, 40));
	assert_int_equal(boxes_groups(&layout, BOX_OF_HALF_STEPS, all, 0, begin), 0);
	assert_true(boxes_groups(&layout, 0, BOXES_AROUND, 0, begin) > 0);
}

/* In words, H of the four cells before is free as well; where groups overlap, each has 30 loads of a row instead of 32. */
static void whole_steps_in_words_have_room(void **state)
{
	const struct fdtd_grid grid = {.in_words = true};
	const struct group_shape overlapping = {128, 4, 2, 1};
	struct fdtd_step layout = {.end = {24, 40, 400}, .low = {3, 4, 13}, .high = {21, 36, 390}};
	const struct fdtd_box *whole = &layout.boxes[BOX_OF_WHOLE_STEPS];
	(void)state;

	boxes_make(&grid, &layout, &shape, &overlapping, &shape);
	assert_int_equal(whole->begin[2], 32);
	assert_int_equal(whole->end[2], 384);
	assert_int_equal(whole->overlap, 1);
	assert_int_equal(whole->chunks_of_row, 3);
	assert_int_equal(layout.boxes[BOX_OF_HALF_STEPS].overlap, 0);
	/* a row of one group */
	layout = (struct fdtd_step){.end = {24, 40, 80}, .low = {3, 4, 4}, .high = {21, 36, 70}};
	boxes_make(&grid, &layout, &shape, &overlapping, &shape);
	assert_int_equal(whole->begin[2], 16);
	assert_int_equal(whole->overlap, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(cells_lie_in_one_box),
					   cmocka_unit_test(whole_steps_in_words_have_room),
					   cmocka_unit_test(groups_of_parts_add_up_to_those_of_all_planes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
