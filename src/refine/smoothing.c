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

	if (!(last - first < SMOOTHING_MOST))
		return 0;
	const int count = (int)(last - first) + 1;
	for (int n = 0; n < count; ++n) {
		nodes[n] = (first + (double)n) * h;
		weights[n] = exp(-0.5 * pow((nodes[n] - x) / spread, 2.0));
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
