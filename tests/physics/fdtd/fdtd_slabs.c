/* Slabs of planes that are some steps ahead of the rest, and both fields stepped at once: bit-identical to stepping
 * plane after plane, with everything that acts on fields. */
#include "physics/fdtd_ways.h"
#include "thorough.h"

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
	static const uint32_t shapes[][2] = {{57, 1}, {2, 4}, {7, 16}};
	const size_t turns = is_thorough() ? 4 : 2; /* threads meet in another order each time */
	(void)state;

	for (int single = 0; single < 2 && !fields_suit_gpu(test_device()); ++single) {
		struct way way = {
		    .single = single != 0, .slab = 57, .at_once = 1, .apart = true, .cells_along_z = 410};
		struct simulation apart, pairs;
		simulate(&way, &apart);
		assert_false(apart.both_in_place);
		assert_true(apart.fields.layout.groups_of_plane > 2);
		way.apart = false;
		for (size_t k = 0; k < turns * sizeof shapes / sizeof *shapes; ++k) {
			way.slab = shapes[k / turns][0];
			way.at_once = shapes[k / turns][1];
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

/* The same where the first planes or rows follow from the last ones: periodic along x or y, along all axes, and with phases; with
 * smooth surfaces and metals across the seam of both axes. */
static void test_tiles_reach_round(void **state)
{
	static const struct {
		int walls, balls;
		bool at_corner, single;
		struct skewed_tile tile;
	} cases[] = {{OTHERS_MIRROR, NO_BALLS, false, true, {5, 4, 6}},
		     {SOME_MIRROR, NO_BALLS, false, true, {60, 3, 8}},
		     {OTHERS_MIRROR, GLASS_BALL, false, false, {1, 1, 3}},
		     {SOME_MIRROR, METAL_BALL, false, true, {4, 8, 7}},
		     {ALL_PERIODIC, GLASS_AS_WELL, true, true, {7, 5, 6}},
		     {SOME_ARE_BLOCH, METAL_BALL, false, true, {9, 4, 5}},
		     {ALL_BLOCH, GLASS_AS_WELL, false, false, {7, 5, 6}}};
	(void)state;

	for (size_t n = 0; n < sizeof cases / sizeof *cases && !fields_suit_gpu(test_device()); ++n) {
		struct way way = {.single = cases[n].single,
				  .slab = 57,
				  .at_once = 1,
				  .cells_along_z = 20,
				  .walls = cases[n].walls,
				  .balls = cases[n].balls,
				  .at_corner = cases[n].at_corner};
		struct simulation whole;
		simulate(&way, &whole);
		assert_null(whole.tiles);
		compare_tiles(&way, &whole, &cases[n].tile);
		simulation_release(&whole);
	}
}

static uint64_t place_of_plane(const struct fields *fields, int component, int flat, int i, int k)
{
	return fields_place(fields, component, flat == 0 ? 0 : i, flat == 0 ? i : 0, k);
}

/* A plane: random media and poles, between layers or periodic along y. */
static void simulate_plane(int flat, enum fdtd_wall wall, const struct skewed_tile *tile,
			   struct simulation *simulation)
{
	const int along = 1 - flat;
	struct fdtd_grid grid = {.cells = {83, 83, 40}, .courant = {0.6, 0.6, 0.7}};
	struct medium lossy = {.permittivity = 3.0, .conductivity = 0.1, .permeability = 1.0}, pole = lossy;
	static const struct pulse pulse = {2.0 * PI / 20.0, 14.0, 20.0};
	const struct current_signal signal = {pulse_at, &pulse, 0.0};
	struct injection_terms terms = {0};
	uint16_t numbers[3] = {0};
	struct media media;

	grid.cells[flat] = 1;
	grid.courant[flat] = 0.0;
	grid.walls[along][0] = grid.walls[along][1] = wall;
	grid.layers[2][1] = absorbing_layer_of(6);
	for (int side = 0; side < 2 && wall == WALL_CONDUCTOR; ++side)
		grid.layers[along][side] = absorbing_layer_of(5);
	pole.pole[pole.poles++] = medium_pole_lorentz(1.0, 0.4, 0.1);
	succeed(media_make(&grid, 1, 0, &media));
	succeed(media_add(&media, &lossy, &numbers[1]));
	succeed(media_add(&media, &pole, &numbers[2]));
	for (int a = 0; a < 3; ++a)
		for (int j = 20; j < 60; ++j)
			for (int k = 8; k < 30; ++k) {
				const size_t at = media_at(&grid, along == 0 ? j : 0, along == 0 ? 0 : j, k);
				succeed(media_set_number(media.edges[a], at,
							 numbers[(size_t)(3.0 * golden_number(3 * at + (size_t)a))]));
			}
	succeed(simulation_make(test_device(), &grid, &media, true, simulation));
	simulation->tiling = tile != NULL ? TILING_GIVEN : TILING_OFF;
	if (tile != NULL)
		simulation->tile = *tile;
	succeed(injection_add(&terms, place_of_plane(&simulation->fields, 0, flat, 33, 12), 0, 1.0));
	succeed(injection_add(&terms, place_of_plane(&simulation->fields, 2, flat, 80, 20), 0, 2.0));
	succeed(simulation_add_current(simulation, &media, FIELD_E, &terms, &signal, 1));
	free(terms.terms);
	const uint64_t places[2] = {place_of_plane(&simulation->fields, 0, flat, 2, 15),
				    place_of_plane(&simulation->fields, 2, flat, 44, 25)};
	succeed(simulation_add_trace(simulation, FIELD_E, places, 2));
	for (int n = 0; n < 3; ++n)
		succeed(simulation_run(simulation, 41, NULL));
	media_free(&media);
}

/* In two dimensions tiles of later steps follow those of earlier ones. */
static void test_tiles_of_a_plane(void **state)
{
	static const struct {
		int flat;
		enum fdtd_wall wall;
		struct skewed_tile tile;
	} cases[] = {{1, WALL_CONDUCTOR, {8, 1, 4}},
		     {1, WALL_CONDUCTOR, {3, 1, 16}},
		     {1, WALL_MAGNETIC, {1, 1, 1}},
		     {1, WALL_PERIODIC, {8, 1, 8}},
		     {0, WALL_CONDUCTOR, {1, 8, 5}}};
	(void)state;

	for (size_t n = 0; n < sizeof cases / sizeof *cases && !fields_suit_gpu(test_device()); ++n) {
		struct simulation whole, tiled;
		simulate_plane(cases[n].flat, cases[n].wall, NULL, &whole);
		simulate_plane(cases[n].flat, cases[n].wall, &cases[n].tile, &tiled);
		assert_null(whole.tiles);
		assert_non_null(tiled.tiles);
		assert_int_equal(differences(&whole, &tiled, false), 0);
		simulation_release(&whole);
		simulation_release(&tiled);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_slabs_of_planes_have_the_same_bits),
					   cmocka_unit_test(test_both_fields_at_once_have_the_same_bits),
					   cmocka_unit_test(test_rows_of_both_fields_have_the_same_bits),
					   cmocka_unit_test(test_tiles_have_the_same_bits),
					   cmocka_unit_test(test_tiles_reach_walls),
					   cmocka_unit_test(test_tiles_reach_round),
					   cmocka_unit_test(test_tiles_of_a_plane)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
