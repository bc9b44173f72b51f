/* Edges and faces near surfaces, found slab by slab. */
#include "unit/support.h"

#include "fdtd/media/edge_sites.h"
#include "fdtd/media/paint.h"

enum { LENGTH = 40, WIDTH = 14, LAYER = 5 };

static const struct paint_frame frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};

static struct fdtd_grid bar(int length, enum fdtd_wall along)
{
	struct fdtd_grid grid = {.cells = {length, WIDTH, WIDTH}, .courant = {0.5, 0.5, 0.5}};

	for (int side = 0; side < 2; ++side) {
		grid.walls[0][side] = along;
		grid.walls[1][side] = WALL_PERIODIC;
		grid.layers[0][side].cells = along == WALL_PERIODIC ? 0 : LAYER;
		grid.layers[2][side].cells = 2;
	}
	return grid;
}

/* The marks of all slabs are those of a single one. */
static void check_slabs(const struct fdtd_grid *grid, struct shape *shape)
{
	static const int ends[] = {LAYER + 2, 8, 20, LENGTH - LAYER - 1, LENGTH + 1};
	const bool wanted[6] = {true, true, false, false, true, true};
	const struct body body = {.shape = shape};
	const struct scene scene = {.grid = grid, .frame = frame, .bodies = &body, .count = 1, .threads = 2};
	const struct paint_slab whole = {0, LENGTH + 1};
	struct paint_slab slab = {0, 0};
	struct paint_marks all, some;
	size_t count = 0;

	assert_status(SONDE_OK, paint_marks_make(&scene, 1.5, wanted, &whole, &all));
	assert_true(all.words[2] == NULL && all.words[3] == NULL);
	for (size_t n = 0; n < sizeof ends / sizeof *ends; ++n) {
		slab = (struct paint_slab){slab.end, ends[n]};
		assert_status(SONDE_OK, paint_marks_make(&scene, 1.5, wanted, &slab, &some));
		for (int c = 0; c < 6; ++c) {
			const size_t end = media_at(grid, slab.end, 0, 0);
			for (size_t at = media_at(grid, slab.first, 0, 0); at < end && wanted[c]; ++at, ++count) {
				const size_t next = paint_marks_next(grid, &all, c, at, end);
				assert_int_equal(paint_marks_next(grid, &some, c, at, end), next);
				at = next < end ? next : end - 1;
			}
		}
		paint_marks_free(&some);
	}
	assert_true(count > 4000);
	paint_marks_free(&all);
	shape_free(&shape);
}

static void slabs_have_the_marks_of_the_whole(void **state)
{
	const struct fdtd_grid layered = bar(LENGTH, WALL_CONDUCTOR), periodic = bar(LENGTH, WALL_PERIODIC);
	struct shape *shape;
	(void)state;

	/* a cylinder through both layers, a sphere through a periodic side */
	assert_status(SONDE_OK,
		      shape_create_cylinder((const double[3]){20.0, 6.3, 7.1}, (const double[3]){1.0, 0.03, 0.02},
					    90.0, (const double[2]){3.3, 4.4}, &shape));
	check_slabs(&layered, shape);
	assert_status(SONDE_OK, shape_create_sphere((const double[3]){1.3, 6.3, 7.1}, 5.2, &shape));
	check_slabs(&periodic, shape);
}

/* Media of layers are those of their inner sides, so that these are in the same slab. */
static void slabs_do_not_end_at_layers(void **state)
{
	struct fdtd_grid grid = {.cells = {1023, 1023, 1023}};
	struct paint_slab slab = {0, 0};
	int slabs = 0;
	(void)state;

	for (int high = 0; high < 140; high += 7) {
		grid.layers[0][0].cells = 190;
		grid.layers[0][1].cells = high;
		for (slab.end = slabs = 0; paint_next_slab(&grid, NULL, &slab); ++slabs) {
			assert_true(slab.end > slab.first && (slab.first == 0 || slab.first >= 192));
			assert_true(high == 0 || slab.end == 1024 || slab.end <= 1023 - high - 1);
		}
		assert_true(slab.first == 1024 && slabs > 3 && slabs < 10);
	}
	const struct fdtd_grid small = bar(LENGTH, WALL_CONDUCTOR);
	slab.end = 0;
	assert_true(paint_next_slab(&small, NULL, &slab) && slab.end == LENGTH + 1 &&
		    !paint_next_slab(&small, NULL, &slab));
}

/* Adds an item's edge twice, in a disorder that does not depend on the threads. */
static bool add_twice(void *state, int64_t first, int64_t end, int worker, struct edge_sites *made)
{
	(void)worker;
	for (int64_t n = first; n < end; ++n)
		for (int twice = 0; twice < 2; ++twice) {
			const uint64_t key = (uint64_t)(n * 7919 % *(const int64_t *)state);
			if (edge_sites_add(made, key) != SONDE_OK)
				return false;
			made->sites[made->count - 1].elements[0] = (double)key;
		}
	return true;
}

static void sites_are_sorted_without_duplicates(void **state)
{
	const struct fdtd_grid grid = bar(LENGTH, WALL_CONDUCTOR);
	int64_t count = 3 * (int64_t)media_at(&grid, LENGTH + 1, 0, 0) / 2;
	struct edge_sites sites = {.grid = &grid, .threads = 3}, more = sites;
	(void)state;

	assert_status(SONDE_OK, edge_sites_make(&sites, count / 2, 100, add_twice, &count));
	assert_int_equal(sites.count, count / 2 * 2);
	assert_status(SONDE_OK, edge_sites_sort(&sites));
	assert_int_equal(sites.count, count / 2);
	assert_status(SONDE_OK, edge_sites_make(&more, count, 100, add_twice, &count));
	assert_status(SONDE_OK, edge_sites_join(&more, &sites));
	assert_true(sites.count == (size_t)count && more.count == 0);
	for (size_t n = 0; n < sites.count; ++n) {
		assert_true(sites.sites[n].key == n && sites.sites[n].elements[0] == (double)n);
		assert_ptr_equal(edge_sites_find(&sites, n), &sites.sites[n]);
	}
	assert_null(edge_sites_find(&sites, (uint64_t)count));
	edge_sites_free(&sites);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(slabs_have_the_marks_of_the_whole),
	    cmocka_unit_test(slabs_do_not_end_at_layers),
	    cmocka_unit_test(sites_are_sorted_without_duplicates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
