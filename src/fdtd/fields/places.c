#include "fdtd/fields/places.h"

#include <math.h>

/* Edges lie half a cell along their axis, faces along both others. */
static double shift_of(enum field field, int component, int axis)
{
	return (component == axis) == (field == FIELD_E) ? 0.5 : 0.0;
}

/* The two nodes along an axis on both sides of a place, and their weights. */
static int along(const struct fdtd_grid *grid, int axis, double place, double shift, double parts[2])
{
	const int last = grid->cells[axis] - (shift > 0.0 ? 1 : 0);
	const enum fdtd_wall *walls = grid->walls[axis];
	double number = place - shift, before = 0.0, behind = 0.0;
	int first = 0;

	parts[0] = 1.0;
	parts[1] = 0.0;
	if (grid_is_uniform(grid, axis))
		return 0;
	if (walls[0] == WALL_PERIODIC) {
		number = fmin(fmax(number, -0.5), grid->cells[axis]);
		first = (int)floor(number);
	} else {
		/* between the last place and its image beyond a wall: opposite sign at magnetic walls, the same sign at conductors */
		before = walls[0] == WALL_MAGNETIC ? 2.0 * fmin(fmax(-number, 0.0), 0.5) : 0.0;
		behind = walls[1] == WALL_MAGNETIC ? 2.0 * fmin(fmax(number - last, 0.0), 0.5) : 0.0;
		number = fmin(fmax(number, 0.0), last);
		first = last > 0 ? (int)fmin(floor(number), last - 1) : 0;
	}
	parts[1] = number - first;
	parts[0] = 1.0 - parts[1] - before;
	parts[1] -= behind;
	return first;
}

/* Of a node before the first one of periodic walls, or after the last one. */
static double bring_inside(const struct fdtd_grid *grid, int axis, int *node)
{
	const int cells = grid->cells[axis], inside = (*node + cells) % cells;
	double phase = *node < 0 ? -grid->phase[axis] : *node >= cells ? grid->phase[axis] : 0.0;

	if (grid->walls[axis][0] != WALL_PERIODIC || grid_is_uniform(grid, axis))
		return 0.0;
	*node = inside;
	return phase;
}

int places_around(const struct fdtd_grid *grid, enum field field, int component, const double point[3],
		  struct place_part parts[8])
{
	int first[3], count = 0;
	double along_axis[3][2];

	for (int a = 0; a < 3; ++a)
		first[a] = along(grid, a, point[a], shift_of(field, component, a), along_axis[a]);
	for (int corner = 0; corner < 8; ++corner) {
		struct place_part *p = &parts[count];
		p->part = 1.0;
		p->phase = 0.0;
		for (int a = 0; a < 3; ++a) {
			int behind = corner >> a & 1;
			p->node[a] = first[a] + behind;
			p->part *= along_axis[a][behind];
			p->phase += bring_inside(grid, a, &p->node[a]);
		}
		count += p->part > 1e-9 ? 1 : 0; /* points are rounded */
	}
	if (count > 0)
		return count;
	parts[0] = (struct place_part){.node = {first[0], first[1], first[2]}};
	for (int a = 0; a < 3; ++a)
		(void)bring_inside(grid, a, &parts[0].node[a]);
	return 1;
}

double place_with_image(const struct fdtd_grid *grid, enum field field, int component, const int node[3])
{
	double times = 1.0;

	for (int a = 0; a < 3; ++a) {
		const bool on_wall = (node[a] == 0 && grid->walls[a][0] == WALL_MAGNETIC) ||
				     (node[a] == grid->cells[a] && grid->walls[a][1] == WALL_MAGNETIC);
		if (on_wall && !grid_is_uniform(grid, a) && shift_of(field, component, a) == 0.0)
			times *= 2.0;
	}
	return times;
}
