#include "coulomb/mesh/prolate.h"

#include <math.h>

#include "base/constants.h"

#define ITERATIONS 60
#define NODES 64

/* Legendre polynomials of degrees 0 to `most` at x. */
static void legendre(double x, int most, double *values)
{
	values[0] = 1.0;
	values[1] = x;
	for (int n = 1; n < most; ++n)
		values[n + 1] = ((2.0 * n + 1.0) * x * values[n] - n * values[n - 1]) / (n + 1.0);
}

/* The eigenvector of the least eigenvalue of d/dx (x^2 - 1) d/dx + c^2 x^2, which is tridiagonal and positive in
 * normalized Legendre polynomials (Xiao, Rokhlin and Yarvin, Inverse Problems 17 (2001) 805, equations 60 to 62),
 * by inverse iteration: the next eigenvalue is about five times as large. */
static void find_series(double c, double *series)
{
	double diagonal[PROLATE_TERMS], beside[PROLATE_TERMS], ratio[PROLATE_TERMS];

	for (int j = 0; j < PROLATE_TERMS; ++j) {
		double k = 2.0 * j;
		diagonal[j] =
		    k * (k + 1.0) + (2.0 * k * (k + 1.0) - 1.0) / ((2.0 * k + 3.0) * (2.0 * k - 1.0)) * c * c;
		beside[j] =
		    (k + 2.0) * (k + 1.0) / ((2.0 * k + 3.0) * sqrt((2.0 * k + 1.0) * (2.0 * k + 5.0))) * c * c;
		series[j] = j == 0 ? 1.0 : 0.0;
	}
	for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
		double pivot = diagonal[0], norm = 0.0;
		series[0] /= pivot;
		for (int j = 1; j < PROLATE_TERMS; ++j) {
			ratio[j] = beside[j - 1] / pivot;
			pivot = diagonal[j] - beside[j - 1] * ratio[j];
			series[j] = (series[j] - beside[j - 1] * series[j - 1]) / pivot;
		}
		for (int j = PROLATE_TERMS - 2; j >= 0; --j)
			series[j] -= ratio[j + 1] * series[j + 1];
		for (int j = 0; j < PROLATE_TERMS; ++j)
			norm += series[j] * series[j];
		for (int j = 0; j < PROLATE_TERMS; ++j)
			series[j] /= sqrt(norm);
	}
	for (int j = 0; j < PROLATE_TERMS; ++j)
		series[j] *= sqrt(2.0 * j + 0.5);
}

void prolate_make(double c, struct prolate *prolate)
{
	prolate->c = c;
	find_series(c, prolate->series);
	/* all but the first are orthogonal to 1 */
	double integral = prolate->series[0];
	for (int j = 0; j < PROLATE_TERMS; ++j)
		prolate->series[j] /= integral;
}

double prolate_value(const struct prolate *prolate, double x)
{
	double polynomials[2 * PROLATE_TERMS], sum = 0.0;

	if (fabs(x) > 1.0)
		return 0.0;
	legendre(x, 2 * PROLATE_TERMS - 1, polynomials);
	for (int j = PROLATE_TERMS - 1; j >= 0; --j)
		sum += prolate->series[j] * polynomials[2 * j];
	return sum;
}

double prolate_step(const struct prolate *prolate, double x)
{
	double polynomials[2 * PROLATE_TERMS + 1], sum = 0.0;

	if (fabs(x) >= 1.0)
		return x > 0.0 ? 1.0 : -1.0;
	legendre(x, 2 * PROLATE_TERMS, polynomials);
	/* the integral of P_n is (P_(n+1) - P_(n-1))/(2n + 1), which is 0 at 0 for even n */
	for (int j = PROLATE_TERMS - 1; j > 0; --j)
		sum += prolate->series[j] * (polynomials[2 * j + 1] - polynomials[2 * j - 1]) / (4.0 * j + 1.0);
	return sum + prolate->series[0] * x;
}

void prolate_ramp(const struct prolate *prolate, uint32_t count, double *values)
{
	double nodes[NODES], weights[NODES];

	gauss_legendre_rule(NODES, nodes, weights);
	for (uint32_t k = 0; k < count; ++k) {
		double x = (double)k / count, below = 0.0;
		for (int n = 0; n < NODES; ++n)
			below += weights[n] * prolate_step(prolate, x + (1.0 - x) * 0.5 * (1.0 + nodes[n]));
		values[k] = 1.0 - 0.5 * (1.0 - x) * below;
	}
}

void gauss_legendre_rule(int count, double *nodes, double *weights)
{
	for (int n = 0; n < count; ++n) {
		double x = -cos(PI * (n + 0.75) / (count + 0.5)), slope = 1.0;
		for (int step = 0; step < 8; ++step) { /* Newton steps */
			double last = 1.0, value = x;
			for (int k = 1; k < count; ++k) {
				double next = ((2.0 * k + 1.0) * x * value - k * last) / (k + 1.0);
				last = value;
				value = next;
			}
			slope = count * (x * value - last) / (x * x - 1.0);
			x -= value / slope;
		}
		nodes[n] = x;
		weights[n] = 2.0 / ((1.0 - x * x) * slope * slope);
	}
}
