/* Sets of pixels: each pixel is owned once, and the arrangement is that of the vectors. */
#include "unit/support.h"

#include <stdlib.h>

#include "pattern/pixel_sets.h"

/* A picture of some circles; step of q. */
static struct pattern_pixels circles(double *axis, double *azimuths, int64_t count, int64_t phi, double step)
{
	for (int64_t n = 0; n < count; ++n)
		axis[n] = 1.0 + step * (double)n;
	return (struct pattern_pixels){.geometry = SONDE_PATTERN_POLAR,
				       .count = count * phi,
				       .axis_count = 2,
				       .sizes = {count, phi},
				       .axes = {axis, azimuths},
				       .wavelength = 0.5};
}

/* Of all sets, that pixels are owned once and are within the pattern. */
static void check_owners(const struct pixel_sets *sets, int64_t count)
{
	int *owners = calloc((size_t)count, sizeof *owners);
	int64_t pixels[MOST_SET_PIXELS];
	bool owned[MOST_SET_PIXELS];

	assert_non_null(owners);
	for (int64_t set = 0; set < sets->count; ++set) {
		pixel_sets_get(sets, set, pixels, owned);
		for (int v = 0; v < sets->pixels_of_set; ++v) {
			assert_in_range(pixels[v], 0, count - 1);
			owners[pixels[v]] += owned[v];
		}
	}
	for (int64_t n = 0; n < count; ++n)
		assert_int_equal(owners[n], 1);
	free(owners);
}

static void test_each_pixel_is_owned_once(void **state)
{
	static const int64_t counts[] = {1, 7, 8, 9, 16, 21}, azimuths[] = {1, 2, 6, 7, 8, 14, 20};
	double axis[21], angles[20];
	(void)state;

	for (size_t a = 0; a < sizeof counts / sizeof *counts; ++a)
		for (size_t b = 0; b < sizeof azimuths / sizeof *azimuths; ++b)
			for (int single = 0; single < 2; ++single) {
				struct pattern_pixels pixels = circles(axis, angles, counts[a], azimuths[b], 1e-3);
				struct pixel_sets sets;
				pixel_sets_make(&pixels, single != 0, 10.0, &sets);
				const int expected = single && counts[a] >= 16  ? ARRANGED_LONG_LINES
						     : single && counts[a] >= 8 ? ARRANGED_LINES
						     : azimuths[b] % 2 != 0     ? ARRANGED_LIST
						     : azimuths[b] >= 16        ? ARRANGED_LONG_PAIRS
										: ARRANGED_PAIRS;
				assert_int_equal(sets.arrangement, expected);
				check_owners(&sets, pixels.count);
			}
}

static void test_pixels_of_rotations_are_owned_once(void **state)
{
	const double rotations[3][3][3] = {
	    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
	double axis[11], angles[6];
	struct pixel_sets sets;
	(void)state;

	for (int single = 0; single < 2; ++single) {
		struct pattern_pixels pixels = circles(axis, angles, 11, 6, 1e-3);
		pixels.picture = pixels.count;
		pixels.count *= 3;
		pixels.rotations = rotations;
		pixel_sets_make(&pixels, single != 0, 10.0, &sets);
		assert_int_equal(sets.arrangement, single ? ARRANGED_LINES : ARRANGED_PAIRS);
		check_owners(&sets, pixels.count);
	}
}

/* By columns, of a picture with and without pairs, and of a box whose first axis has nodes. */
static void test_pixels_of_columns_are_owned_once(void **state)
{
	static const int64_t azimuths[] = {5, 6, 14, 19, 38};
	double axis[40], nodes[12], angles[40] = {0};
	struct pixel_sets beside, sets;
	(void)state;

	for (size_t a = 0; a < sizeof azimuths / sizeof *azimuths; ++a) {
		const struct pattern_pixels pixels = circles(axis, angles, 40, azimuths[a], 1e-3),
					    of_nodes = circles(nodes, angles, 12, azimuths[a], 3e-3);
		pixel_sets_beside(&of_nodes, 0, true, 10.0, &beside);
		assert_true(beside.arrangement == ARRANGED_LIST || azimuths[a] % 2 == 0);
		pixel_sets_by_columns(&beside, &pixels, 0, &sets);
		assert_int_equal(sets.points, 40);
		check_owners(&sets, pixels.count);
		check_owners(&beside, of_nodes.count);
	}
	const struct pattern_pixels box = {.geometry = SONDE_PATTERN_BOX,
					   .axis_count = 3,
					   .count = 40 * 3 * 11,
					   .sizes = {40, 3, 11},
					   .axes = {axis, axis, axis}},
				    nodes_of_box = {.geometry = SONDE_PATTERN_BOX,
						    .axis_count = 3,
						    .count = 12 * 3 * 11,
						    .sizes = {12, 3, 11},
						    .axes = {nodes, axis, axis}};
	pixel_sets_beside(&nodes_of_box, 0, false, 10.0, &beside);
	assert_int_equal(beside.arrangement, ARRANGED_LINES);
	pixel_sets_by_columns(&beside, &box, 0, &sets);
	check_owners(&sets, box.count);
}

/* Lines in float32 are for circles near each other, compared with the size of the tiles. */
static void test_curved_lines_are_not_taken(void **state)
{
	double axis[16], angles[6];
	struct pixel_sets sets;
	(void)state;

	struct pattern_pixels pixels = circles(axis, angles, 16, 6, 0.1);
	pixel_sets_make(&pixels, true, 10.0, &sets);
	assert_int_equal(sets.arrangement, ARRANGED_PAIRS);
	pixel_sets_make(&pixels, true, 0.1, &sets); /* long ones bend more */
	assert_int_equal(sets.arrangement, ARRANGED_LINES);
	pixel_sets_make(&pixels, true, 0.01, &sets);
	assert_int_equal(sets.arrangement, ARRANGED_LONG_LINES);
}

static void test_boxes_have_lines(void **state)
{
	static const int64_t sizes[][3] = {{1, 4, 9}, {2, 11, 5}, {17, 2, 1}, {8, 8, 8}, {3, 3, 3}};
	double axis[17] = {0};
	struct pixel_sets sets;
	(void)state;

	for (size_t n = 0; n < sizeof sizes / sizeof *sizes; ++n) {
		struct pattern_pixels pixels = {.geometry = SONDE_PATTERN_BOX,
						.axis_count = 3,
						.count = sizes[n][0] * sizes[n][1] * sizes[n][2],
						.sizes = {sizes[n][0], sizes[n][1], sizes[n][2]},
						.axes = {axis, axis, axis}};
		pixel_sets_make(&pixels, false, 10.0, &sets);
		assert_int_equal(sets.arrangement, pixels.count == 27  ? ARRANGED_LIST
						   : sizes[n][0] == 17 ? ARRANGED_LONG_LINES
								       : ARRANGED_LINES);
		check_owners(&sets, pixels.count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pixels_of_columns_are_owned_once),
	    cmocka_unit_test(test_each_pixel_is_owned_once),
	    cmocka_unit_test(test_pixels_of_rotations_are_owned_once),
	    cmocka_unit_test(test_curved_lines_are_not_taken),
	    cmocka_unit_test(test_boxes_have_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
