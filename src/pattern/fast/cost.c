#include "pattern/fast/cost.h"

#include <math.h>

/* measured by `sonde pattern --method fast --device cpu --threads 1` */
#define PATCH_CYCLES 5e5   /* memory, factors, loops of threads */
#define ATOM_CYCLES 250.0  /* place, phase, and order, */
#define SPREAD_CYCLES 2.2  /* four numbers of a mesh */
#define POINT_CYCLES 150.0 /* window, and amplitude */
#define READ_CYCLES 3.0    /* four numbers */
#define COPY_CYCLES 150.0  /* a regular point with its amplitude */
#define CLEAR_CYCLES 4.0   /* a node */
#define NUMBER_CYCLES 10.0 /* of a line: gathered and written, */
#define STAGE_CYCLES 1.2   /* and log2(size) times this for each */

static double vectors(const struct window *window, const struct fast_axes *axes)
{
	double count = ceil(0.5 * window->width);

	for (int k = 1; k < 3; ++k)
		count *= axes->axis[k].single ? 1.0 : window->width;
	return count;
}

double cost_of_atoms(const struct window *window, const struct fast_axes *axes, double atoms)
{
	return PATCH_CYCLES + atoms * (ATOM_CYCLES + SPREAD_CYCLES * vectors(window, axes));
}

double cost_of_points(const struct window *window, const struct fast_axes *axes, double points)
{
	return points * (axes->axis[0].regular ? COPY_CYCLES : POINT_CYCLES + READ_CYCLES * vectors(window, axes));
}

double cost_of_mesh(const struct fast_axes *axes)
{
	const struct fast_axis *x = &axes->axis[0], *y = &axes->axis[1], *z = &axes->axis[2];
	const double lines[3] = {(double)y->nodes * (double)z->nodes, (double)x->waves * (double)z->nodes,
				 (double)x->waves * (double)y->waves};
	double cycles = CLEAR_CYCLES * (double)x->nodes * lines[0];

	for (int k = 0; k < 3; ++k)
		if (!axes->axis[k].single)
			cycles += lines[k] * (double)axes->axis[k].size *
				  (NUMBER_CYCLES + STAGE_CYCLES * log2((double)axes->axis[k].size));
	return cycles;
}

double cost_bytes(const double sizes[4])
{
	return 16.0 * (fmax(sizes[0], sizes[2]) + fmax(sizes[1], sizes[3]));
}
