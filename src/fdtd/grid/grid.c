#include "fdtd/grid/grid.h"

#include <math.h>

#define STABLE (1.0 + 1e-12) /* sum of the squares of Courant numbers: 1 with its rounding error */
#define MOST_CELLS (1 << 24) /* along an axis */

static sonde_status check_axis(const struct fdtd_grid *grid, int axis)
{
	const enum fdtd_wall *walls = grid->walls[axis];
	char name = "xyz"[axis];

	if (grid->cells[axis] < 1 || grid->cells[axis] > MOST_CELLS)
		return status_fail(SONDE_INVALID, "%d cells along %c: 1 to %d are possible", grid->cells[axis], name,
				   MOST_CELLS);
	if ((walls[0] == WALL_PERIODIC) != (walls[1] == WALL_PERIODIC))
		return status_fail(SONDE_INVALID, "only one wall along %c is periodic: both must be", name);
	if (grid->phase[axis] != 0.0 && !(grid->bloch && walls[0] == WALL_PERIODIC && !grid_is_uniform(grid, axis) &&
					  isfinite(grid->phase[axis])))
		return status_fail(SONDE_INVALID,
				   "a phase of %.6g along %c needs periodic Bloch walls across that axis",
				   grid->phase[axis], name);
	for (int side = 0; side < 2; ++side)
		if (grid->layers[axis][side].cells > 0 && walls[side] != WALL_CONDUCTOR)
			return status_fail(SONDE_INVALID,
					   "an absorbing layer along %c lies at a wall that is not a conductor",
					   name);
	return SONDE_OK;
}

double grid_courant_squares(const struct fdtd_grid *grid)
{
	double squares = 0.0;

	for (int a = 0; a < 3; ++a)
		squares += grid->courant[a] * grid->courant[a];
	return squares;
}

sonde_status grid_check(const struct fdtd_grid *grid)
{
	const double squares = grid_courant_squares(grid);

	for (int a = 0; a < 3; ++a)
		CHECK(check_axis(grid, a));
	if (!(squares <= STABLE))
		return status_fail(
		    SONDE_INVALID,
		    "time step: the squares of c dt/Delta add up to %.6g; above 1 fields grow without bound",
		    squares);
	return SONDE_OK;
}

bool grid_mirrors(const struct fdtd_grid *grid, int axis, int side)
{
	return !grid_is_uniform(grid, axis) && grid->walls[axis][side] != WALL_PERIODIC &&
	       grid->layers[axis][side].cells == 0;
}

int grid_first_node(const struct fdtd_grid *grid, int axis)
{
	return grid->walls[axis][0] == WALL_CONDUCTOR ? 1 : 0;
}

int grid_end_node(const struct fdtd_grid *grid, int axis)
{
	return grid->cells[axis] + (grid->walls[axis][1] == WALL_MAGNETIC ? 1 : 0);
}
