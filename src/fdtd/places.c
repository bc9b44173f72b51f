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
	if (grid->courant[axis] == 0.0 || last <= 0)
		return;
	number = fmin(fmax(number, 0.0), last);
	*first = (int)fmin(floor(number), last - 1);
	*part = number - *first;
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
		for (int a = 0; a < 3; ++a) {
			int behind = corner >> a & 1;
			p->node[a] = first[a] + behind;
			p->part *= behind ? part[a] : 1.0 - part[a];
		}
		count += p->part > 1e-9 ? 1 : 0; /* points are rounded */
	}
	return count;
}
