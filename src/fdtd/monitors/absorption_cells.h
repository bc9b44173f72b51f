/* Cells of a box of nodes `low` to `high` that share an edge or a face. */
#ifndef SONDE_FDTD_MONITORS_ABSORPTION_CELLS_H
#define SONDE_FDTD_MONITORS_ABSORPTION_CELLS_H

#include "fdtd/fields/field_storage.h"

/* Whether a box's first and last nodes along an axis are the same. */
static inline bool absorption_comes_round(const struct fdtd_grid *grid, const int low[3], const int high[3], int axis)
{
	return grid->walls[axis][0] == WALL_PERIODIC && low[axis] == 0 && high[axis] == grid->cells[axis];
}

/* Positions along an axis are at half cells, or at nodes. */
static inline bool absorption_is_half(int field, int component, int axis)
{
	return (axis == component) == (field == FIELD_E);
}

/* Cells along an axis that share an edge or a face at a node, as their numbers in the box; returns their number. */
static inline int absorption_cells(const struct fdtd_grid *grid, const int low[3], const int high[3], bool half,
				   int axis, int node, int cells[2])
{
	const int size = high[axis] - low[axis];
	int found = 0;

	for (int at = node - low[axis] - (half ? 0 : 1); at <= node - low[axis]; ++at) {
		const int cell = at < 0 && absorption_comes_round(grid, low, high, axis) ? at + size : at;
		if (cell >= 0 && cell < size)
			cells[found++] = cell;
	}
	return found;
}

#endif
