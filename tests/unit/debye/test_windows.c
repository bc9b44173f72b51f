/* Exact sums by windows of distances: tiles, lists, and the kernel on every device, compared with sums at the points. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "assert_close.h"
#include "debye/kernels/windows_layout.h"
#include "debye/sums/exact_device.h"
#include "debye/sums/windows.h"

#define ATOMS 1500
#define POINTS 700
#define MANY_POINTS 1456 /* with 16 fine phases */
#define SPECIES 2
#define PAIRS 3 /* of species */

/* Two species at random in a rod, `length` long, some of them at one place. */
static sonde_atoms *make_atoms(double length)
{
	uint64_t state = 1;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < ATOMS; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = i % 300 == 17 ? 5.0
					     : (k == 0 ? length : 12.0) * (double)(state >> 40) / (double)(1 << 24);
		}
		assert_status(SONDE_OK, sonde_atoms_add(atoms, i % 3 == 0 ? "Na" : "Cl", r));
	}
	return atoms;
}

static const sonde_grid grid = {0.0, 20.0, POINTS}, long_grid = {0.0, 50.0, MANY_POINTS};

/* Largest difference of two results, as a fraction of the bound of exact sums: docs/debye.md, with pairs at 1/r = 0.05
 * on average. */
static double compare(const sonde_grid *of, const double *a, const double *b)
{
	double worst = 0.0;

	for (int k = 0; k < PAIRS * of->points; ++k) {
		const double q = grid_value(of, k % of->points);
		if (q > 0.0) /* else the sums are not defined */
			worst =
			    fmax(worst, fabs(a[k] - b[k]) / (2.2e-16 * (8.0 + 512.0 * 0.05 / q) * ATOMS * ATOMS / 2));
	}
	return worst;
}

static void sums_on(const char *device, const sonde_atoms *atoms, const sonde_grid *of, bool windows, double *sums)
{
	struct pair_sums result = {.q = *of, .species = SPECIES, .sums = sums};
	bool done = true;
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, device));
	if (windows)
		assert_status(SONDE_OK, window_pair_sums(context, atoms, NULL, 0, &result, &done));
	else
		assert_status(SONDE_OK, exact_pair_sums(context, atoms, false, &result));
	assert_true(done);
	sonde_context_free(&context);
}

static void windows_give_the_sums_at_the_points(void **state)
{
	static const char *const names[] = {"cpu", "emulated", "opencl:0", "cuda:0"};
	static double expected[PAIRS * POINTS], found[PAIRS * POINTS], again[PAIRS * POINTS];
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	sonde_atoms *atoms = make_atoms(70.0);
	(void)state;

	sums_on("cpu", atoms, &grid, false, expected);
	for (size_t k = 0; k < COUNT(names); ++k) {
		struct device *device;
		if (device_open(names[k], &settings, &device) != SONDE_OK) {
			print_message("%s: %s\n", names[k], sonde_status_message());
			continue;
		}
		device_close(&device);
		sums_on(names[k], atoms, &grid, true, found);
		print_message("%s: error %.1e of its bound\n", names[k], compare(&grid, found, expected));
		assert_true(compare(&grid, found, expected) < 0.05);
		sums_on(names[k], atoms, &grid, true, again);
		for (int n = 0; n < PAIRS * POINTS; ++n)
			assert_true(n % POINTS == 0 || found[n] == again[n]);
	}
	sums_on("cpu,emulated", atoms, &grid, true, found);
	assert_true(compare(&grid, found, expected) < 0.05);
	sonde_atoms_free(&atoms);
}

/* Kernels that are compiled in advance have 8 of them only. */
static void sixteen_fine_phases_give_the_sums_at_the_points(void **state)
{
	static const char *const names[] = {"cpu", "emulated", "cuda:0"};
	static double expected[PAIRS * MANY_POINTS], found[PAIRS * MANY_POINTS];
	const struct device_settings settings = {.threads = 2, .launch_limit = 10.0, .kernel_cache = "off"};
	sonde_atoms *atoms = make_atoms(30.0);
	struct windows windows;
	struct window_tiles tiles;
	(void)state;

	assert_status(SONDE_OK, window_tiles_make(NULL, atoms, NULL, long_grid.last, MANY_POINTS, &windows, &tiles));
	assert_int_equal(windows.fine, 16);
	window_tiles_free(&tiles);
	sums_on("cpu", atoms, &long_grid, false, expected);
	for (size_t k = 0; k < COUNT(names); ++k) {
		struct device *device;
		if (device_open(names[k], &settings, &device) != SONDE_OK)
			continue;
		device_close(&device);
		sums_on(names[k], atoms, &long_grid, true, found);
		print_message("%s: error %.1e of its bound\n", names[k], compare(&long_grid, found, expected));
		assert_true(compare(&long_grid, found, expected) < 0.05);
	}
	sonde_atoms_free(&atoms);
}

/* Every pair of tiles once, its distances within the window of its piece; in one list, and in several. */
static void check_pieces(uint64_t room, bool several)
{
	sonde_atoms *atoms = make_atoms(300.0);
	struct windows windows;
	struct window_tiles tiles;
	struct window_list list = {.room = room};
	int lists = 0;
	double pairs = 0.0, wanted = 0.5 * ATOMS * (ATOMS - 1.0);

	assert_status(SONDE_OK, window_tiles_make(NULL, atoms, NULL, 10.0, POINTS, &windows, &tiles));
	assert_int_equal(windows.fine, 8);
	assert_int_equal(tiles.atoms.tiles[tiles.atoms.tile_count].end,
			 tiles.atoms.tiles[tiles.atoms.tile_count].first);
	for (;;) {
		assert_status(SONDE_OK, window_list_next(NULL, &tiles, SPECIES, &windows, &list));
		if (list.piece_count == 0)
			break;
		++lists;
		for (size_t k = 0; k < list.piece_count; ++k) {
			const struct window_piece *piece = &list.pieces[k];
			const double center = piece->center / (double)WINDOW_PARTS_OF_ANGSTROM;
			for (uint64_t n = piece->first; n < piece->first + piece->count; ++n) {
				const struct tile_pair pair = list.pairs[n];
				assert_int_equal(pair.first_bin, piece->center);
				const struct arranged_tile a = tiles.atoms.tiles[pair.a],
							   b = tiles.atoms.tiles[pair.b];
				pairs += tile_pair_pairs(&tiles.atoms, &pair);
				for (uint32_t i = a.first; i < a.end; ++i)
					for (uint32_t j = b.first; j < b.end; ++j) {
						const double r = sqrt(pow(tiles.atoms.x[j] - tiles.atoms.x[i], 2.0) +
								      pow(tiles.atoms.y[j] - tiles.atoms.y[i], 2.0) +
								      pow(tiles.atoms.z[j] - tiles.atoms.z[i], 2.0));
						assert_true(fabs(r - center) <= windows.half_width);
					}
			}
		}
	}
	assert_true(pairs == wanted);
	assert_true(several ? lists > 3 : lists == 1);
	window_list_free(&list);
	window_tiles_free(&tiles);
	sonde_atoms_free(&atoms);
}

static void pieces_hold_every_pair_once(void **state)
{
	(void)state;
	check_pieces(0, false);
	check_pieces(1, true);
}

/* Atoms far from each other, and few points: sums at the points are faster. */
static void windows_are_refused(void **state)
{
	sonde_atoms *atoms = make_atoms(1e5);
	struct windows windows;
	struct window_tiles tiles;
	(void)state;

	assert_true(windows_for(20.0, 410, 8, &windows));
	assert_false(windows_for(20.0, 400, 8, &windows));
	assert_false(windows_for(20.0, 700, 16, &windows));
	assert_false(windows_for(400.0, 2000, 8, &windows));
	assert_true(windows_for(40.0, 1456, 16, &windows));
	assert_false(windows_suit(1e9, 1000, 2, 1e5));
	assert_false(windows_suit(1e9, 1000, 50, 100.0));
	assert_false(windows_suit(1e7, 1000, 2, 100.0));
	assert_true(windows_suit(1e10, 1456, 2, 140.0));
	assert_status(SONDE_OK, window_tiles_make(NULL, atoms, NULL, 20.0, POINTS, &windows, &tiles));
	assert_int_equal(windows.fine, 0);
	window_tiles_free(&tiles);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(windows_give_the_sums_at_the_points),
					   cmocka_unit_test(sixteen_fine_phases_give_the_sums_at_the_points),
					   cmocka_unit_test(pieces_hold_every_pair_once),
					   cmocka_unit_test(windows_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
