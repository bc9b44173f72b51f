/* Sites of a unit cell near a point: all of them, across faces and in cells of any shape, and only a few others. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "matter/crystal/site_grid.h"

static void make_cell(const double lengths[3], const double angles[3], int64_t count, struct unit_cell *cell)
{
	*cell = (struct unit_cell){.site_count = count};
	assert_status(SONDE_OK, unit_cell_set_vectors(lengths, angles, cell));
	cell->sites = calloc((size_t)count, sizeof *cell->sites);
	assert_non_null(cell->sites);
}

static double distance(const struct unit_cell *cell, const double a[3], const double b[3])
{
	double difference[3], r[3];

	for (int k = 0; k < 3; ++k) {
		difference[k] = b[k] - a[k];
		difference[k] -= round(difference[k]);
	}
	unit_cell_cartesian(cell, difference, r);
	return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}

/* Numbers from 0 to below 1 (Numerical Recipes' linear congruential generator). */
static double next_number(uint32_t *state)
{
	*state = 1664525u * *state + 1013904223u;
	return *state / 4294967296.0;
}

static void check_neighbors(const struct unit_cell *cell, double reach)
{
	struct site_grid grid;
	int *seen = calloc((size_t)cell->site_count, sizeof *seen);
	int64_t near = 0;

	assert_non_null(seen);
	assert_status(SONDE_OK, site_grid_make(cell, reach, &grid));
	for (int64_t s = 0; s < cell->site_count; ++s) {
		struct site_walk walk = site_walk_begin(&grid, cell->sites[s].position);
		memset(seen, 0, (size_t)cell->site_count * sizeof *seen);
		for (int64_t t = site_walk_next(&walk); t >= 0; t = site_walk_next(&walk))
			++seen[t];
		assert_int_equal(site_walk_next(&walk), -1);
		for (int64_t t = 0; t < cell->site_count; ++t) {
			const bool is_near = distance(cell, cell->sites[s].position, cell->sites[t].position) < reach;
			assert_true(seen[t] <= 1);
			assert_true(seen[t] == 1 || !is_near);
			near += is_near;
		}
	}
	assert_true(near > cell->site_count); /* others than the sites themselves */
	site_grid_free(&grid);
	free(seen);
}

/* Any number of boxes along an edge, 1 and 2 included. */
static void test_all_sites_within_reach_are_found_once(void **state)
{
	static const double lengths[3] = {5.0, 9.0, 14.0}, angles[3] = {75.0, 100.0, 115.0};
	static const double reaches[] = {0.4, 1.1, 2.9};
	struct unit_cell cell;
	uint32_t numbers = 7;
	(void)state;

	make_cell(lengths, angles, 400, &cell);
	for (int64_t s = 0; s < cell.site_count; ++s)
		for (int k = 0; k < 3; ++k)
			/* some on faces */
			cell.sites[s].position[k] = s % 11 == k ? 0.0 : next_number(&numbers);
	for (int k = 0; k < 3; ++k)
		check_neighbors(&cell, reaches[k]);
	unit_cell_free(&cell);
}

/* The sites that are visited in a crystal of n^3 sites, whose planes have n^2 each, and all of which are at a fraction 0 of c if
 * `flat`. */
static double visits_of(int n, bool flat)
{
	const double lengths[3] = {4.0 * n, 4.0 * n, 4.0 * n}, angles[3] = {90.0, 90.0, 90.0};
	struct unit_cell cell;
	struct site_grid grid;
	int64_t visits = 0;

	make_cell(lengths, angles, (int64_t)n * n * n, &cell);
	for (int64_t s = 0; s < cell.site_count; ++s) {
		cell.sites[s].position[0] = (double)(s % n) / n;
		cell.sites[s].position[1] = (double)(s / n % n) / n;
		cell.sites[s].position[2] = flat ? 0.0 : (double)(s / n / n) / n;
		if (flat)
			cell.sites[s].position[0] += (double)(s / n / n) / n / n;
	}
	assert_status(SONDE_OK, site_grid_make(&cell, UNIT_CELL_SAME_PLACE, &grid));
	for (int64_t s = 0; s < cell.site_count; ++s) {
		struct site_walk walk = site_walk_begin(&grid, cell.sites[s].position);
		while (site_walk_next(&walk) >= 0)
			++visits;
	}
	const double each = (double)visits / (double)cell.site_count;
	site_grid_free(&grid);
	unit_cell_free(&cell);
	return each;
}

/* The work for a site does not depend on their number: by planes it would be proportional to n^2. */
static void test_work_is_proportional_to_the_number_of_sites(void **state)
{
	(void)state;

	for (int n = 4; n <= 32; n *= 2)
		assert_true(visits_of(n, false) <= 27.0 + 1e-9);
	/* of a layer, a row of it */
	assert_true(visits_of(32, true) <= 12.0 * 32.0);
}

static void test_an_empty_cell_has_no_sites(void **state)
{
	static const double lengths[3] = {5.0, 5.0, 5.0}, angles[3] = {90.0, 90.0, 90.0}, origin[3] = {0.0};
	struct unit_cell cell = {.sites = NULL};
	struct site_grid grid;
	(void)state;

	assert_status(SONDE_OK, unit_cell_set_vectors(lengths, angles, &cell));
	assert_status(SONDE_OK, site_grid_make(&cell, 0.01, &grid));
	struct site_walk walk = site_walk_begin(&grid, origin);
	assert_int_equal(site_walk_next(&walk), -1);
	site_grid_free(&grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_all_sites_within_reach_are_found_once),
	    cmocka_unit_test(test_work_is_proportional_to_the_number_of_sites),
	    cmocka_unit_test(test_an_empty_cell_has_no_sites),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
