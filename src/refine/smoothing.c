#include "refine/smoothing.h"

#include <math.h>

void smoothing_nodes(double x, double h, double nodes[SMOOTHING_NODES], double weights[SMOOTHING_NODES])
{
	const double below = floor(x / h), t = x / h - below, s = 1.0 - t;

	for (int k = 0; k < SMOOTHING_NODES; ++k)
		nodes[k] = (below + (double)(k - 1)) * h;
	weights[0] = s * s * s / 6.0;
	weights[1] = (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0;
	weights[2] = (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0;
	weights[3] = t * t * t / 6.0;
}
