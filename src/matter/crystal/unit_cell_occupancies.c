/* Occupancies of atoms that share a place. */
#include "matter/crystal/site_grid.h"

#define SAME_OCCUPANCY 1e-3 /* of a sum */

/* Adds the occupancies of other atoms at the place of `site`; *other is one of them. */
static double sum_near(const struct unit_cell *cell, const struct site_grid *grid, const struct unit_cell_site *site,
		       const struct unit_cell_site **other)
{
	struct site_walk walk = site_walk_begin(grid, site->position);
	double sum = 0.0, difference[3];

	for (int64_t k = site_walk_next(&walk); k >= 0; k = site_walk_next(&walk)) {
		const struct unit_cell_site *near = &cell->sites[k];
		if (near->atom == site->atom ||
		    unit_cell_shortest(cell, site->position, near->position, difference) >= UNIT_CELL_SAME_PLACE)
			continue;
		sum += near->occupancy;
		*other = near;
	}
	return sum;
}

static sonde_status check_atom(const struct unit_cell *cell, const struct site_grid *grid,
			       const struct unit_cell_site *site)
{
	const struct unit_cell_site *other = NULL;
	const double sum = site->occupancy + sum_near(cell, grid, site, &other);

	if (other != NULL && sum > 1.0 + SAME_OCCUPANCY)
		return status_fail(SONDE_INVALID,
				   "atoms %.20s and %.20s are at one place, where the occupancies add up to %g",
				   site->name, other->name, sum);
	return SONDE_OK;
}

/* By symmetry one image of each atom is sufficient. */
sonde_status unit_cell_check_occupancies(const struct unit_cell *cell)
{
	struct site_grid grid;
	sonde_status status = site_grid_make(cell, UNIT_CELL_SAME_PLACE, &grid);

	for (int64_t k = 0; k < cell->site_count && status == SONDE_OK; ++k)
		if (k == 0 || cell->sites[k].atom != cell->sites[k - 1].atom)
			status = check_atom(cell, &grid, &cell->sites[k]);
	site_grid_free(&grid);
	return status;
}
