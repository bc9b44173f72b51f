/* Slabs of planes that are some steps ahead of the rest, and both fields stepped at once: bit-identical to stepping
 * plane after plane, with everything that acts on fields. */
#include "physics/fdtd_ways.h"

#include "fdtd/fields/fields_gpu.h"

static void test_slabs_of_planes_have_the_same_bits(void **state)
{
	static const uint32_t shapes[][2] = {{8, 3}, {16, 8}, {5, 9}, {29, 16}, {58, 7}, {1, 4}, {2, 16}};
	(void)state;

	for (int single = 0; single < 2; ++single) {
		struct simulation whole, slabs;
		double most = 0.0;
		struct way way = {.single = single != 0, .slab = 57, .at_once = 1, .cells_along_z = 20};
		simulate(&way, &whole);
		for (size_t k = 0; k < 3 * whole.trace[0].steps; ++k)
			most = fmax(most, fabs(whole.trace[0].values[k]));
		assert_true(most > 0.01);
		for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
			way.slab = shapes[k][0];
			way.at_once = shapes[k][1];
			simulate(&way, &slabs);
			int found = differences(&whole, &slabs, true);
			print_message("slabs of %u planes, %u steps: %d differences\n", shapes[k][0], shapes[k][1],
				      found);
			assert_int_equal(found, 0);
			simulation_release(&slabs);
		}
		simulation_release(&whole);
	}
}

/* GPUs step both fields at once where they may, and otherwise one after the other. The grid has cells far from all layers, in more than one group; its
 * rows have room for what lies on the conductor behind them, or just not. */
static void test_both_fields_at_once_have_the_same_bits(void **state)
{
	static const uint32_t planes_log[] = {0, 1, 5};
	static const int cells_along_z[] = {182, 192};
	(void)state;

	for (int n = 0; n < (device_properties(test_device())->gpu_kernels ? 14 : 1); ++n) {
		struct way way = {.single = n % 2 != 0, .in_place = true, .cells_along_z = cells_along_z[n / 2 % 2]};
		way.walls = n < 4 ? ALL_ABSORB : n < 6 ? SOME_MIRROR : n < 8 ? SOME_ARE_BLOCH : OTHERS_MIRROR;
		if (n >= 10) {
			way.single = way.in_words = true;
			way.walls = n - 10;
		}
		struct simulation one, both;
		double most = 0.0;
		simulate(&way, &one);
		assert_false(one.both);
		for (size_t k = 0; k < 3 * one.trace[0].steps; ++k)
			most = fmax(most, fabs(one.trace[0].values[k]));
		assert_true(most > 0.01);
		way.in_place = false;
		for (size_t p = 0; p < sizeof planes_log / sizeof *planes_log; ++p) {
			way.planes_log = planes_log[p];
			simulate(&way, &both);
			assert_int_equal(both.both, device_properties(test_device())->gpu_kernels);
			assert_int_equal(differences(&one, &both, true), 0);
			simulation_release(&both);
		}
		simulation_release(&one);
	}
}

/* CPUs step E of some rows right after H of them, where groups of rows and planes meet by the one that comes last. Rows
 * end within a register. */
static void test_rows_of_both_fields_have_the_same_bits(void **state)
{
	enum { TURNS = 4 };
	static const uint32_t shapes[][2] = {{57, 1}, {2, 4}, {7, 16}};
	(void)state;

	for (int single = 0; single < 2 && !fields_suit_gpu(test_device()); ++single) {
		struct way way = {
		    .single = single != 0, .slab = 57, .at_once = 1, .apart = true, .cells_along_z = 410};
		struct simulation apart, pairs;
		simulate(&way, &apart);
		assert_false(apart.both_in_place);
		assert_true(apart.fields.layout.groups_of_plane > 2);
		way.apart = false;
		for (size_t k = 0; k < TURNS * sizeof shapes / sizeof *shapes; ++k) {
			way.slab = shapes[k / TURNS][0];
			way.at_once = shapes[k / TURNS][1];
			simulate(&way, &pairs);
			assert_true(pairs.both_in_place);
			assert_int_equal(differences(&apart, &pairs, true), 0);
			simulation_release(&pairs);
		}
		simulation_release(&apart);
	}
}

static void compare_tiles(struct way *way, const struct simulation *whole, const struct skewed_tile *tile)
{
	struct simulation tiles;

	way->tile = *tile;
	way->at_once = tile->steps % 2 == 0 ? 16 : 8;
	simulate(way, &tiles);
	assert_non_null(tiles.tiles);
	const int found = differences((struct simulation *)whole, &tiles, true);
	print_message("tiles of %u planes and %u rows, %u steps: %d differences\n", tile->planes, tile->rows,
		      tile->steps, found);
	assert_int_equal(found, 0);
	simulation_release(&tiles);
}

/* CPUs step tiles of planes and rows, strips of which follow each other: with threads that wait for one another, tiles of
 * any shape, blocks of steps that end within those of a tile, and E that is complete after the next tile only. */
static void test_tiles_have_the_same_bits(void **state)
{
	static const struct skewed_tile shapes[] = {{8, 4, 6},  {1, 1, 3},  {3, 5, 16},
						    {60, 2, 4}, {5, 30, 7}, {2, 3, 1}};
	enum { SHAPES = sizeof shapes / sizeof *shapes };
	(void)state;

	for (int n = 0; n < 8 && !fields_suit_gpu(test_device()); ++n) {
		struct way way = {
		    .single = n % 2 != 0, .slab = 57, .at_once = 1, .cells_along_z = 20, .balls = n / 2};
		struct simulation whole;
		simulate(&way, &whole);
		assert_null(whole.tiles);
		for (int k = way.balls == NO_BALLS ? 0 : 2 * (n / 4) + n % 2; k < SHAPES;
		     k += way.balls == NO_BALLS ? 1 : 4)
			compare_tiles(&way, &whole, &shapes[k]);
		simulation_release(&whole);
	}
}

/* The same with fields beyond walls: of mirrors at either side, along all axes, and of a periodic grid along z; also
 * stored in 16 bits. */
static void test_tiles_reach_walls(void **state)
{
	static const struct skewed_tile shapes[] = {{5, 4, 6}, {60, 30, 16}, {1, 1, 3}};
	static const int balls[] = {NO_BALLS, GLASS_BALL, METAL_BALL};
	(void)state;

	for (int n = 0; n < 6 && !fields_suit_gpu(test_device()); ++n) {
		struct way way = {.single = n != 1,
				  .in_words = n == 2 || n == 5,
				  .slab = 57,
				  .at_once = 1,
				  .cells_along_z = 20,
				  .walls = n < 3 ? MIRRORS : RING_ALONG_Z,
				  .balls = balls[n % 3]};
		struct simulation whole;
		if (way.in_words)
			way.balls = NO_BALLS;
		simulate(&way, &whole);
		assert_null(whole.tiles);
		for (int k = n % 2; k < 3; k += way.balls == NO_BALLS ? 1 : 2)
			compare_tiles(&way, &whole, &shapes[k]);
		simulation_release(&whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_slabs_of_planes_have_the_same_bits),
					   cmocka_unit_test(test_both_fields_at_once_have_the_same_bits),
					   cmocka_unit_test(test_rows_of_both_fields_have_the_same_bits),
					   cmocka_unit_test(test_tiles_have_the_same_bits),
					   cmocka_unit_test(test_tiles_reach_walls)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
