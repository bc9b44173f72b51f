#include "match/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define DEGREE 5
#define COARSE 3
#define NODES_OF_DEVIATION \
	2 /* nodes of the integral over the profile per standard deviation: its error is below 1e-30 for smooth curves */
#define REACH 4.0 /* standard deviations; the part beyond is 6e-5 */
#define SAME 1e-9 /* of the distance of two points */

double resampling_reach(double deviation)
{
	return REACH * deviation;
}

/* The last point of the axis that is not above x. */
static int64_t find_interval(const double *axis, int64_t count, double x)
{
	int64_t low = 0, high = count - 1;

	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;
		if (axis[middle] <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Lagrange's polynomials through points of the axis around x, added to weights that begin with point `origin`. */
static void add_polynomials(const double *axis, int64_t count, int degree, double x, double factor, int64_t origin,
			    double *weights)
{
	const int64_t points = degree + 1 < count ? degree + 1 : count;
	int64_t first = find_interval(axis, count, x) - (points - 1) / 2;

	first = first < 0 ? 0 : first > count - points ? count - points : first;
	for (int64_t k = first; k < first + points; ++k) {
		double product = factor;
		for (int64_t l = first; l < first + points; ++l)
			if (l != k)
				product *= (x - axis[l]) / (axis[k] - axis[l]);
		weights[k - origin] += product;
	}
}

/* Nodes and weights of the profile around 0; returns their number. */
static int make_profile(double deviation, double *nodes, double *weights)
{
	const int half = deviation > 0.0 ? (int)(NODES_OF_DEVIATION * REACH) : 0, count = 2 * half + 1;
	double sum = 0.0;

	for (int k = 0; k < count; ++k) {
		const double t = (double)(k - half) / NODES_OF_DEVIATION;
		nodes[k] = t * deviation;
		weights[k] = exp(-0.5 * t * t);
		sum += weights[k];
	}
	for (int k = 0; k < count; ++k)
		weights[k] /= sum;
	return count;
}

#define MOST_NODES (2 * 8 + 1)

/* The part of the axis that counts for a point. */
static void find_part(const double *axis, int64_t from, double x, double reach, int64_t *first, int64_t *end)
{
	*first = find_interval(axis, from, x - reach) - DEGREE / 2;
	*end = find_interval(axis, from, x + reach) + DEGREE / 2 + 2;
	/* at the ends of the axis polynomials go through more points on one side */
	*first = *first > from - DEGREE - 1 ? from - DEGREE - 1 : *first;
	*end = *end < DEGREE + 1 ? DEGREE + 1 : *end;
	*first = *first < 0 ? 0 : *first;
	*end = *end > from ? from : *end;
}

static sonde_status fill(const double *axis, int64_t from, const double *x, double deviation,
			 struct resampling *resampling)
{
	double nodes[MOST_NODES], profile[MOST_NODES];
	const int count = make_profile(deviation, nodes, profile);
	const double reach = resampling_reach(deviation);

	for (int64_t k = 0; k < resampling->to; ++k) {
		int64_t end;
		find_part(axis, from, x[k], reach, &resampling->first[k], &end);
		resampling->begin[k + 1] = resampling->begin[k] + end - resampling->first[k];
	}
	const size_t size = (size_t)resampling->begin[resampling->to];
	CHECK(memory_allocate(&resampling->weights, size, sizeof(double), "an interpolation"));
	CHECK(memory_allocate(&resampling->coarse, size, sizeof(double), "an interpolation"));
	for (int64_t k = 0; k < resampling->to; ++k)
		for (int n = 0; n < count; ++n) {
			const int64_t begin = resampling->begin[k], first = resampling->first[k];
			add_polynomials(axis, from, DEGREE, x[k] + nodes[n], profile[n], first,
					resampling->weights + begin);
			add_polynomials(axis, from, COARSE, x[k] + nodes[n], profile[n], first,
					resampling->coarse + begin);
		}
	return SONDE_OK;
}

/* Whether the points are those of the axis from some point on. */
static bool find_same(const double *axis, int64_t from, const double *x, int64_t to, int64_t *first)
{
	const int64_t begin = find_interval(axis, from, x[0] + SAME * fabs(x[0]));

	if (begin + to > from)
		return false;
	for (int64_t k = 0; k < to; ++k) {
		const int64_t here = begin + k, other = here > 0 ? here - 1 : here + 1;
		if (!(fabs(axis[here] - x[k]) <= SAME * fabs(axis[other < from ? other : here] - axis[here])))
			return false;
	}
	*first = begin;
	return true;
}

sonde_status resampling_make(const double *axis, int64_t from, const double *x, int64_t to, double deviation,
			     struct resampling *resampling)
{
	*resampling = (struct resampling){.from = from, .to = to};
	sonde_status status =
	    memory_allocate(&resampling->first, (size_t)to, sizeof *resampling->first, "an interpolation");
	if (status == SONDE_OK)
		status = memory_allocate(&resampling->begin, (size_t)to + 1, sizeof *resampling->begin,
					 "an interpolation");
	if (status == SONDE_OK && !(deviation > 0.0))
		resampling->same = find_same(axis, from, x, to, &resampling->first[0]);
	if (status == SONDE_OK && !resampling->same)
		status = fill(axis, from, x, deviation, resampling);
	if (status != SONDE_OK)
		resampling_free(resampling);
	return status;
}

void resampling_free(struct resampling *resampling)
{
	free(resampling->first);
	free(resampling->begin);
	free(resampling->weights);
	free(resampling->coarse);
	*resampling = (struct resampling){0};
}

static double point(const struct resampling *resampling, const double *weights, const float *curve, int64_t k)
{
	const int64_t begin = resampling->begin[k], count = resampling->begin[k + 1] - begin;
	const float *from = curve + resampling->first[k];
	double sum = 0.0;

	for (int64_t l = 0; l < count; ++l)
		sum += weights[begin + l] * (double)from[l];
	return sum;
}

void resample(const struct resampling *resampling, const float *curve, double *to)
{
	if (resampling->same)
		for (int64_t k = 0; k < resampling->to; ++k)
			to[k] = (double)curve[resampling->first[0] + k];
	else
		for (int64_t k = 0; k < resampling->to; ++k)
			to[k] = point(resampling, resampling->weights, curve, k);
}

void resample_reals(const struct resampling *resampling, const double *curve, double *to)
{
	if (resampling->same) {
		memcpy(to, curve + resampling->first[0], (size_t)resampling->to * sizeof *to);
		return;
	}
	for (int64_t k = 0; k < resampling->to; ++k) {
		const double *from = curve + resampling->first[k];
		double sum = 0.0;
		for (int64_t l = resampling->begin[k]; l < resampling->begin[k + 1]; ++l)
			sum += resampling->weights[l] * from[l - resampling->begin[k]];
		to[k] = sum;
	}
}

double resampling_error(const struct resampling *resampling, const float *curve)
{
	double largest = 0.0, difference = 0.0;

	if (resampling->same)
		return 0.0;
	for (int64_t k = 0; k < resampling->to; ++k) {
		const double value = point(resampling, resampling->weights, curve, k);
		largest = fmax(largest, fabs(value));
		difference = fmax(difference, fabs(value - point(resampling, resampling->coarse, curve, k)));
	}
	return largest > 0.0 ? difference / largest : 0.0;
}

void resampling_transpose(const struct resampling *resampling, const double *v, double *transposed)
{
	memset(transposed, 0, (size_t)resampling->from * sizeof *transposed);
	for (int64_t k = 0; k < resampling->to; ++k) {
		if (resampling->same) {
			transposed[resampling->first[0] + k] = v[k];
			continue;
		}
		for (int64_t l = resampling->begin[k]; l < resampling->begin[k + 1]; ++l)
			transposed[resampling->first[k] + l - resampling->begin[k]] += v[k] * resampling->weights[l];
	}
}
