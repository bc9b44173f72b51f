/* Points sorted into cells: the same order for any number of threads, and within each cell that of the points. */
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/mesh/mesh.h"
#include "unit/support.h"

#define MOST_POINTS 60000

static const double low[3] = {-1.0, 2.0, 0.0}, high[3] = {9.0, 9.0, 3.0}, edges[3] = {0.11, 0.2, 0.3};

/* A third of them anywhere, the others within a few cells. */
static void make_points(double *points, uint32_t count)
{
	uint32_t state = 7;

	for (uint32_t n = 0; n < count; ++n) {
		for (int k = 0; k < 3; ++k) {
			state = state * 1664525U + 1013904223U;
			double u = (double)(state >> 8) / 16777216.0;
			points[3 * n + (uint32_t)k] = low[k] + (n % 3 == 0 ? 1.0 : 0.02) * u * (high[k] - low[k]);
		}
	}
}

static size_t cell_of(const struct mesh_cells *cells, const double point[3])
{
	size_t cell = 0;

	for (int k = 2; k >= 0; --k) {
		uint32_t along = (uint32_t)((point[k] - low[k]) / cells->edges[k]);
		cell = cell * cells->size[k] + (along < cells->size[k] ? along : cells->size[k] - 1);
	}
	return cell;
}

static void check(int threads, uint32_t count)
{
	double *points = malloc(3 * (size_t)count * sizeof *points);
	uint8_t *seen = calloc(count, 1);
	struct mesh_cells cells;

	assert_non_null(points);
	assert_non_null(seen);
	make_points(points, count);
	const double *const coordinates[3] = {points, points + 1, points + 2};
	assert_status(SONDE_OK, mesh_cells_make(threads, coordinates, 3, count, low, high, edges, &cells));
	size_t all = (size_t)cells.size[0] * cells.size[1] * cells.size[2];
	assert_int_equal(cells.starts[0], 0);
	assert_int_equal(cells.starts[all], count);
	for (size_t c = 0; c < all; ++c) {
		assert_true(cells.starts[c] <= cells.starts[c + 1]);
		for (uint32_t n = cells.starts[c]; n < cells.starts[c + 1]; ++n) {
			uint32_t number = cells.numbers[n];
			assert_true(cell_of(&cells, points + 3 * (size_t)number) == c);
			assert_true(n == cells.starts[c] || cells.numbers[n - 1] < number);
			assert_int_equal(seen[number]++, 0);
		}
	}
	mesh_cells_free(&cells);
	free(points);
	free(seen);
}

static void order_is_independent_of_thread_count(void **state)
{
	(void)state;
	check(1, 1);
	check(2, 700);
	check(1, MOST_POINTS);
	check(2, MOST_POINTS);
	check(5, MOST_POINTS);
}

static void lack_of_memory_is_reported(void **state)
{
	const double point[3] = {0.0, 3.0, 1.0}, *const coordinates[3] = {point, point + 1, point + 2};
	struct mesh_cells cells;
	(void)state;

	for (int64_t at = 1; at <= 5; ++at) {
		memory_fail_after(at);
		assert_status(SONDE_RESOURCE, mesh_cells_make(1, coordinates, 3, 1, low, high, edges, &cells));
		memory_fail_after(0);
		assert_null(cells.starts);
		assert_null(cells.numbers);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(order_is_independent_of_thread_count),
					   cmocka_unit_test(lack_of_memory_is_reported)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
