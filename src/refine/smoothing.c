#include "refine/smoothing.h"

#include <math.h>

#define REACH 5.0 /* standard deviations; the density there is 4e-6 of the largest */

static int spline_nodes(double x, double h, double *nodes, double *weights)
{
	const double below = floor(x / h), t = x / h - below, s = 1.0 - t;

	for (int k = 0; k < SMOOTHING_SPLINE; ++k)
		nodes[k] = (below + (double)(k - 1)) * h;
	weights[0] = s * s * s / 6.0;
	weights[1] = (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0;
	weights[2] = (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0;
	weights[3] = t * t * t / 6.0;
	return SMOOTHING_SPLINE;
}

static int normal_nodes(double x, double h, double spread, double *nodes, double *weights)
{
	const double first = ceil((x - REACH * spread) / h), last = floor((x + REACH * spread) / h);
	int count = 0;

	if (!(last - first < SMOOTHING_MOST))
		return 0;
	for (double k = first; k <= last; k += 1.0) {
		const double z = (k * h - x) / spread;
		nodes[count] = k * h;
		weights[count++] = exp(-0.5 * z * z);
	}
	return count;
}

int smoothing_nodes(double x, double h, double spread, double nodes[SMOOTHING_MOST], double weights[SMOOTHING_MOST])
{
	const int all =
	    spread > 0.0 ? normal_nodes(x, h, spread, nodes, weights) : spline_nodes(x, h, nodes, weights);
	double sum = 0.0;
	int count = 0;

	for (int k = 0; k < all; ++k) {
		if ((x > 0.0 && !(nodes[k] > 0.0)) || !(weights[k] > 0.0))
			continue;
		nodes[count] = nodes[k];
		weights[count++] = weights[k];
		sum += weights[k];
	}
	for (int k = 0; k < count; ++k)
		weights[k] /= sum;
	return count;
}
