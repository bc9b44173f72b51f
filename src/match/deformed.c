#include "match/deformed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"

#define STENCIL 6 /* points of the polynomials, of degree 5 */
#define HALF 8    /* nodes of a Gaussian on each side of its center, two for a standard deviation */
#define NODES (2 * HALF + 1)
#define REACH 4.0 /* standard deviations */

/* h, q h of F, or G. */
static void fill_interference(struct undeformed *undeformed, const float *row)
{
	for (int64_t k = 0; k < undeformed->points; ++k) {
		const double value = (double)row[k];
		double h = value;
		if (undeformed->curve == LIBRARY_I_PER_ATOM)
			h = value / undeformed->self[k] - 1.0;
		if (undeformed->curve == LIBRARY_S)
			h = value - 1.0;
		undeformed->interference[k] = h;
	}
}

sonde_status undeformed_make(enum library_curve curve, const double *axis, int64_t points, const float *row,
			     double *self, struct undeformed *undeformed)
{
	*undeformed = (struct undeformed){.curve = curve, .axis = axis, .points = points, .self = self};
	if (points < STENCIL)
		return status_fail(SONDE_INVALID, "curves of %lld points are too short to be refined",
				   (long long)points);
	CHECK(memory_allocate(&undeformed->interference, (size_t)points, sizeof(double), "a curve"));
	CHECK(memory_allocate(&undeformed->denominators, (size_t)(points - STENCIL + 1) * STENCIL, sizeof(double),
			      "an interpolation"));
	for (int64_t first = 0; first <= points - STENCIL; ++first)
		for (int k = 0; k < STENCIL; ++k) {
			double product = 1.0;
			for (int l = 0; l < STENCIL; ++l)
				product *= l != k ? axis[first + k] - axis[first + l] : 1.0;
			undeformed->denominators[first * STENCIL + k] = 1.0 / product;
		}
	fill_interference(undeformed, row);
	return SONDE_OK;
}

void undeformed_free(struct undeformed *undeformed)
{
	free(undeformed->interference);
	free(undeformed->self);
	free(undeformed->denominators);
	*undeformed = (struct undeformed){0};
}

/* The interval of the axis with x, from a guess near it. */
static int64_t find_interval(const struct undeformed *undeformed, double x, int64_t guess)
{
	const double *axis = undeformed->axis;

	while (guess > 0 && axis[guess] > x)
		--guess;
	while (guess < undeformed->points - 2 && axis[guess + 1] <= x)
		++guess;
	return guess;
}

/* The polynomial through six points around x; *guess is the interval. Above the axis the last value; below it, for functions of r, which
 * are odd, the line through 0, and otherwise the first value. */
static double value_at(const struct undeformed *undeformed, const double *values, double x, int64_t *guess)
{
	const double *axis = undeformed->axis;
	const int64_t points = undeformed->points;

	if (x >= axis[points - 1])
		return values[points - 1];
	if (x < axis[0])
		return undeformed->curve == LIBRARY_G && axis[0] > 0.0 ? values[0] * x / axis[0] : values[0];
	*guess = find_interval(undeformed, x, *guess);
	int64_t first = *guess - (STENCIL - 1) / 2;
	first = first < 0 ? 0 : first > points - STENCIL ? points - STENCIL : first;
	const double *denominators = undeformed->denominators + first * STENCIL;
	double below[STENCIL], above = 1.0, sum = 0.0;
	below[0] = 1.0;
	for (int k = 1; k < STENCIL; ++k)
		below[k] = below[k - 1] * (x - axis[first + k - 1]);
	for (int k = STENCIL - 1; k >= 0; --k) {
		sum += below[k] * above * denominators[k] * values[first + k];
		above *= x - axis[first + k];
	}
	return sum;
}

/* Nodes in standard deviations, and weights, of the trapezoid rule over a Gaussian: the error for smooth functions is below 1e-30, and what
 * is cut off 6e-5, which the weights share. */
static void make_gaussian(double nodes[NODES], double weights[NODES])
{
	double sum = 0.0;

	for (int n = 0; n < NODES; ++n) {
		nodes[n] = 0.5 * (n - HALF);
		weights[n] = exp(-0.5 * nodes[n] * nodes[n]);
		sum += weights[n];
	}
	for (int n = 0; n < NODES; ++n)
		weights[n] /= sum;
}

/* G(r/(1 + e))/(1 + e)^2, convolved with a Gaussian. */
static void deform_pairs(const struct undeformed *undeformed, const struct deformation *deformation, double *room,
			 double *to)
{
	const double *r = undeformed->axis, *from = undeformed->interference, stretch = 1.0 + deformation->strain,
		     deviation = sqrt(fmax(deformation->b, 0.0)) / (2.0 * PI),
		     broad = sqrt(fmax(deformation->qbroad_2, 0.0));
	double nodes[NODES], weights[NODES], *first = broad > 0.0 ? room : to;

	make_gaussian(nodes, weights);
	for (int64_t k = 0; k < undeformed->points; ++k) {
		int64_t guess = k < undeformed->points - 1 ? k : k - 1;
		double sum = 0.0;
		for (int n = 0; deviation > 0.0 && n < NODES; ++n) {
			/* an odd function */
			const double x = (r[k] + deviation * nodes[n]) / stretch;
			const double value = value_at(undeformed, from, fabs(x), &guess);
			sum += weights[n] * (x < 0.0 ? -value : value);
		}
		if (!(deviation > 0.0))
			sum = value_at(undeformed, from, r[k] / stretch, &guess);
		first[k] = sum / (stretch * stretch);
	}
	for (int64_t k = 0; broad > 0.0 && k < undeformed->points; ++k) {
		int64_t guess = k < undeformed->points - 1 ? k : k - 1;
		double sum = 0.0;
		for (int n = 0; n < NODES; ++n) {
			const double inner = 1.0 + broad * nodes[n];
			sum += weights[n] * value_at(undeformed, first, r[k] / inner, &guess) / (inner * inner);
		}
		to[k] = sum;
	}
	for (int64_t k = 0; deformation->qdamp_2 > 0.0 && k < undeformed->points; ++k)
		to[k] *= exp(-0.5 * r[k] * r[k] * deformation->qdamp_2);
}

void deform(const struct undeformed *undeformed, const struct deformation *deformation, double *room, double *to)
{
	const double *q = undeformed->axis, stretch = 1.0 + deformation->strain;
	int64_t guess = 0;

	if (undeformed->curve == LIBRARY_G) {
		deform_pairs(undeformed, deformation, room, to);
		return;
	}
	for (int64_t k = 0; k < undeformed->points; ++k) {
		const double h = value_at(undeformed, undeformed->interference, q[k] * stretch, &guess) *
				 exp(-deformation->b * q[k] * q[k] / (8.0 * PI * PI));
		/* F(q)/q is a function of q (1 + e) */
		to[k] = undeformed->curve == LIBRARY_F   ? h / stretch
			: undeformed->curve == LIBRARY_S ? 1.0 + h
							 : undeformed->self[k] * (1.0 + h);
	}
}

double deformed_reach(enum library_curve curve, const struct deformation *largest, double high)
{
	const double strain = fabs(largest->strain) * high;

	return curve == LIBRARY_G ? strain + REACH * (sqrt(fmax(largest->b, 0.0)) / (2.0 * PI) +
						      sqrt(fmax(largest->qbroad_2, 0.0)) * high)
				  : strain;
}
