#include "match/dot_product.h"

#define LANES 8

static double add_up(const double sums[LANES])
{
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

double dot_product(const double *a, const double *b, int64_t count)
{
	double sums[LANES] = {0.0}, rest = 0.0;
	int64_t k = 0;

	for (; k + LANES <= count; k += LANES)
		for (int l = 0; l < LANES; ++l)
			sums[l] += a[k + l] * b[k + l];
	for (; k < count; ++k)
		rest += a[k] * b[k];
	return add_up(sums) + rest;
}

double dot_product_single(const double *a, const float *b, int64_t count)
{
	double sums[LANES] = {0.0}, rest = 0.0;
	int64_t k = 0;

	for (; k + LANES <= count; k += LANES)
		for (int l = 0; l < LANES; ++l)
			sums[l] += a[k + l] * (double)b[k + l];
	for (; k < count; ++k)
		rest += a[k] * (double)b[k];
	return add_up(sums) + rest;
}
