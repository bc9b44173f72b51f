#include "fdtd/places.h"

#include <math.h>

/* Edges lie half a cell along their axis, faces along both others. */
static double shift_of(enum field field, int component, int axis)
{
	return (component == axis) == (field == FIELD_E) ? 0.5 : 0.0;
}

/* The two numbers along an axis, and the part of the second one. */
static void along(const struct fdtd_grid *grid, int axis, double place, double shift, int *first, double *part)
{
	int last = grid->cells[axis] - (shift > 0.0 ? 1 : 0);
	double number = place - shift;

	*first = 0;
	*part = 0.0;
	if (grid->courant[axis] == 0.0)
		return;
	if (grid->walls[axis][0] == WALL_PERIODIC) {
		number = fmin(fmax(number, -0.5), grid->cells[axis]);
		*first = (int)floor(number);
		*part = number - *first;
		return;
	}
	if (last <= 0)
		return;
	number = fmin(fmax(number, 0.0), last);
	*first = (int)fmin(floor(number), last - 1);
	*part = number - *first;
}

/* Of a node before the first one of periodic walls, or behind the last one. */
static double bring_inside(const struct fdtd_grid *grid, int axis, int *node)
{
	const int cells = grid->cells[axis], inside = (*node + cells) % cells;
	double phase = *node < 0 ? -grid->phase[axis] : *node >= cells ? grid->phase[axis] : 0.0;

	if (grid->walls[axis][0] != WALL_PERIODIC || grid->courant[axis] == 0.0)
		return 0.0;
	*node = inside;
	return phase;
}

int places_around(const struct fdtd_grid *grid, enum field field, int component, const double point[3],
		  struct place_part parts[8])
{
	int first[3], count = 0;
	double part[3];

	for (int a = 0; a < 3; ++a)
		along(grid, a, point[a], shift_of(field, component, a), &first[a], &part[a]);
	for (int corner = 0; corner < 8; ++corner) {
		struct place_part *p = &parts[count];
		p->part = 1.0;
		p->phase = 0.0;
		for (int a = 0; a < 3; ++a) {
			int behind = corner >> a & 1;
			p->node[a] = first[a] + behind;
			p->part *= behind ? part[a] : 1.0 - part[a];
			p->phase += bring_inside(grid, a, &p->node[a]);
		}
		count += p->part > 1e-9 ? 1 : 0; /* points are rounded */
	}
	return count;
}
