#include "matter/scattering/form_factor_curve.h"

#define NEIGHBORS 4 /* points of a cubic */

/* The first of the points between which q is interpolated: two on either side where possible. */
static size_t first_neighbor(const struct form_factor_curve *curve, double q)
{
	size_t low = 0, high = curve->count; /* q is not below point `low` */

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (q >= curve->q[middle])
			low = middle;
		else
			high = middle;
	}
	if (curve->count <= NEIGHBORS || low == 0)
		return 0;
	return low - 1 < curve->count - NEIGHBORS ? low - 1 : curve->count - NEIGHBORS;
}

/* Lagrange's polynomial; at a point its weights are exactly 0 and 1. */
double form_factor_at(const struct form_factor_curve *curve, double q)
{
	const size_t first = first_neighbor(curve, q);
	const size_t end = first + NEIGHBORS < curve->count ? first + NEIGHBORS : curve->count;
	double f = 0.0;

	for (size_t i = first; i < end; ++i) {
		double weight = 1.0;
		for (size_t j = first; j < end; ++j)
			if (j != i)
				weight *= (q - curve->q[j]) / (curve->q[i] - curve->q[j]);
		f += weight * curve->f[i * curve->stride];
	}
	return f;
}
