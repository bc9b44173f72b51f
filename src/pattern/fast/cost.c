#include "pattern/fast/cost.h"

#include <math.h>

/* measured by `sonde pattern --method fast --device cpu --threads 1` */
const struct costs costs_of_core = {5e5, 250.0, 2.2, 110.0, 3.0, 75.0, 4.0, 10.0, 1.2};
/* the same on an H100, whose points are work of some 16 threads of the host; of a box, intensities are copied */
const struct costs costs_of_gpu = {9e5, 0.5, 0.1, 40.0, 0.05, 2.2, 0.016, 0.01, 0.007};
/* of the kernels alone, for pictures of a turned sample, whose points stay on the device */
const struct costs costs_of_turned = {5e4, 0.5, 0.05, 0.3, 0.018, 2.2, 0.02, 0.0085, 0.0063};

static double vectors(const struct window *window, const struct fast_axes *axes)
{
	double count = ceil(0.5 * window->width);

	for (int k = 1; k < 3; ++k)
		count *= axes->axis[k].single ? 1.0 : window->width;
	return count;
}

double cost_of_atoms(const struct costs *costs, const struct window *window, const struct fast_axes *axes,
		     double atoms)
{
	return costs->patch + atoms * (costs->atom + costs->spread * vectors(window, axes));
}

double cost_of_points(const struct costs *costs, const struct window *window, const struct fast_axes *axes,
		      double points)
{
	return points * (axes->axis[0].regular ? costs->copy : costs->point + costs->read * vectors(window, axes));
}

double cost_of_mesh(const struct costs *costs, const struct fast_axes *axes)
{
	const struct fast_axis *x = &axes->axis[0], *y = &axes->axis[1], *z = &axes->axis[2];
	const double lines[3] = {(double)y->nodes * (double)z->nodes, (double)x->waves * (double)z->nodes,
				 (double)x->waves * (double)y->waves};
	double cycles = costs->clear * (double)x->nodes * lines[0];

	for (int k = 0; k < 3; ++k)
		if (!axes->axis[k].single)
			cycles += lines[k] * (double)axes->axis[k].size *
				  (costs->number + costs->stage * log2((double)axes->axis[k].size));
	return cycles;
}

double cost_bytes(const double sizes[4])
{
	return 16.0 * (fmax(sizes[0], sizes[2]) + fmax(sizes[1], sizes[3]));
}
