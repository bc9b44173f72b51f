/* Boxes of cells around places: each place and its neighbors in one of them, none in two, and few boxes. */
#include "fdtd/fields/cell_boxes.h"

#include <stdlib.h>

#include "fdtd/grid/layout.h"
#include "unit/support.h"

enum { X = 40, Y = 50, Z = 72 };

static struct fdtd_step layout_of_test(void)
{
	const struct fdtd_grid grid = {.cells = {X, Y, Z}, .courant = {0.5, 0.5, 0.5}};
	struct fdtd_step layout;
	struct layout_sizes sizes;

	layout_make(&grid, true, &layout, &sizes);
	return layout;
}

static int boxes_with(const struct cell_boxes *cells, int i, int j, int k)
{
	const uint32_t node[3] = {(uint32_t)i, (uint32_t)j, (uint32_t)k};
	int found = 0;

	for (size_t n = 0; n < cells->count; ++n) {
		int inside = 1;
		for (int a = 0; a < 3; ++a)
			inside &= node[a] >= cells->boxes[n].begin[a] && node[a] < cells->boxes[n].end[a];
		found += inside;
	}
	return found;
}

/* The faces of a box: six boxes, as thin as the neighbors allow, but for whole work-items along z. */
static void faces_have_thin_boxes(void **state)
{
	enum { LOW = 9, HIGH = 30 };
	const struct fdtd_step layout = layout_of_test();
	uint64_t *places = calloc((size_t)X * Y * Z, sizeof *places);
	struct place_list list = {places, sizeof *places, 0};
	struct cell_boxes cells;
	const uint32_t margin[3] = {1, 1, 1};
	uint64_t volume = 0;
	(void)state;

	assert_non_null(places);
	for (int i = LOW; i <= HIGH; ++i)
		for (int j = LOW; j <= HIGH; ++j)
			for (int k = LOW; k <= HIGH; ++k)
				if (i == LOW || i == HIGH || j == LOW || j == HIGH || k == LOW || k == HIGH)
					places[list.count++] = layout_place(&layout, 1, i, j, k);
	assert_int_equal(cell_boxes_of_places(&layout, &list, 1, margin, 2, &cells), SONDE_OK);
	assert_int_equal(cells.count, 6);
	for (int i = 0; i < X; ++i)
		for (int j = 0; j < Y; ++j)
			for (int k = 0; k < Z; ++k) {
				const int in_x = i >= LOW - 1 && i <= HIGH + 1, in_y = j >= LOW - 1 && j <= HIGH + 1,
					  in_z = k >= LOW - 1 && k <= HIGH + 1,
					  free_x = i > LOW + 1 && i<HIGH - 1, free_y = j> LOW + 1 &&
						   j<HIGH - 1, free_z = k> LOW + 1 && k < HIGH - 1,
					  found = boxes_with(&cells, i, j, k);
				assert_true(found <= 1);
				if (in_x && in_y && in_z && !(free_x && free_y && free_z))
					assert_int_equal(found, 1);
				if (!in_x || !in_y)
					assert_int_equal(found, 0);
				volume += (uint64_t)found;
			}
	assert_int_equal(volume, cell_boxes_volume(&cells));
	assert_int_equal(boxes_with(&cells, 20, 20, 20), 0);
	cell_boxes_free(&cells);
	free(places);
}

static void boxes_added_once_do_not_overlap(void **state)
{
	const struct fdtd_step layout = layout_of_test();
	const struct cell_box boxes[] = {
	    {{4, 4, 8}, {20, 20, 40}}, {{10, 0, 0}, {30, 12, 16}}, {{8, 8, 12}, {12, 40, 72}}};
	struct cell_boxes cells = {0};
	(void)state;

	for (int n = 0; n < 3; ++n)
		assert_int_equal(cell_boxes_add(&layout, &cells, &boxes[n], 2, 1, true), SONDE_OK);
	for (int i = 0; i < X; ++i)
		for (int j = 0; j < Y; ++j)
			for (int k = 0; k < Z; ++k) {
				int expected = 0;
				for (int n = 0; n < 3; ++n) {
					const uint32_t *begin = boxes[n].begin, *end = boxes[n].end;
					expected |= i + 2 >= (int)begin[0] && i < (int)end[0] + 1 &&
						    j + 2 >= (int)begin[1] && j < (int)end[1] + 1 &&
						    k + 4 >= (int)begin[2] && k < (int)end[2] + 4;
				}
				assert_int_equal(boxes_with(&cells, i, j, k), expected);
			}
	cell_boxes_free(&cells);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(faces_have_thin_boxes),
	    cmocka_unit_test(boxes_added_once_do_not_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
