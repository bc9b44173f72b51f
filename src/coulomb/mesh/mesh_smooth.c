/* The smooth part of a charge's potential, and the window of the mesh. */
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/plan.h"

#define SAMPLES 64      /* for a polynomial, at Chebyshev nodes */
#define NODES 96        /* for an integral */
#define LEFT_OUT 0.02   /* allowed error by dropped terms, relative to that of the order */
#define WINDOW_BAND 2.3 /* bandwidth of the window per mesh point of its width */
#define WINDOW_TERMS 3  /* number of terms of its polynomials in excess of its width */
#define ALIASES 2

/* Errors measured with random charges of both signs in a cube, the largest of several sizes;
 * tests/physics/coulomb/coulomb_mesh.c has other shapes. */
const struct mesh_order mesh_orders[] = {
    {4, 7.5, 1e-3},  {5, 10.0, 1.3e-4}, {6, 12.5, 1.4e-5}, {7, 15.0, 2e-6},     {8, 17.5, 2.5e-7},
    {9, 20.0, 3e-8}, {10, 22.0, 5e-9},  {11, 24.0, 9e-10}, {12, 26.5, 1.2e-10}, {13, 29.0, 2e-11},
};
const int mesh_order_count = (int)(sizeof mesh_orders / sizeof *mesh_orders);

/* The polynomial, powers of x from the highest down, with these values at the Chebyshev nodes of [-1, 1]; terms
 * below `least` are dropped from the end. Returns the number of terms. */
static int fit(const double values[SAMPLES], double least, int most, double *powers)
{
	double series[SAMPLES], now[SAMPLES] = {1.0}, next[SAMPLES] = {0.0, 1.0};
	double sums[SAMPLES] = {0.0};
	int terms = 1;

	for (int k = 0; k < SAMPLES; ++k) {
		series[k] = 0.0;
		for (int n = 0; n < SAMPLES; ++n)
			series[k] += (k == 0 ? 1.0 : 2.0) / SAMPLES * values[n] * cos(PI * k * (n + 0.5) / SAMPLES);
	}
	for (int k = 1; k < most; ++k)
		if (fabs(series[k]) > least)
			terms = k + 1;
	for (int k = 0; k < terms; ++k) {
		double after[SAMPLES] = {0.0};
		for (int p = 0; p <= k; ++p)
			sums[p] += series[k] * now[p];
		for (int p = 0; p + 1 < SAMPLES; ++p)
			after[p + 1] = 2.0 * next[p];
		for (int p = 0; p < SAMPLES; ++p)
			after[p] -= now[p];
		memcpy(now, next, sizeof now);
		memcpy(next, after, sizeof next);
	}
	for (int p = 0; p < terms; ++p)
		powers[p] = sums[terms - 1 - p];
	return terms;
}

/* r s(r): sign(r) exp(-kappa |r|), convolved with the prolate function of this cut-off, weighted such that beyond it
 * the function is unchanged. */
static double blurred(const struct prolate *prolate, double cutoff, double kappa, double r, const double *nodes,
		      const double *weights)
{
	double sum = 0.0, whole = 0.0;

	if (kappa == 0.0)
		return prolate_step(prolate, r / cutoff);
	for (int n = 0; n < NODES; ++n) {
		/* below r and above it */
		double a = 0.5 * (r + cutoff), b = 0.5 * (cutoff - r);
		double t = a * (nodes[n] + 1.0) - cutoff, u = b * (nodes[n] + 1.0) + r, all = cutoff * nodes[n];
		sum += weights[n] * (a * prolate_value(prolate, t / cutoff) * exp(-kappa * (r - t)) -
				     b * prolate_value(prolate, u / cutoff) * exp(-kappa * (u - r)));
		whole += weights[n] * cutoff * prolate_value(prolate, nodes[n]) * exp(kappa * all);
	}
	return sum / whole;
}

void mesh_smooth_make(const struct coulomb_plan *plan, const struct mesh_order *order, double cutoff,
		      struct mesh_smooth *smooth)
{
	struct prolate prolate;
	double nodes[NODES] = {0.0}, weights[NODES] = {0.0}, values[SAMPLES],
	       kappa = plan->form == CHARGE_SCREENED ? plan->kappa : 0.0;

	*smooth = (struct mesh_smooth){.cutoff = cutoff};
	prolate_make(order->c, &prolate);
	if (kappa > 0.0)
		gauss_legendre_rule(NODES, nodes, weights);
	for (int n = 0; n < SAMPLES; ++n) {
		double r = cutoff * sqrt(0.5 * (1.0 + cos(PI * (n + 0.5) / SAMPLES)));
		values[n] = blurred(&prolate, cutoff, kappa, r, nodes, weights) / r;
	}
	smooth->terms = fit(values, LEFT_OUT * order->error / cutoff, (int)MESH_MOST_EVEN, smooth->even);
}

double mesh_smooth_at(const struct coulomb_plan *plan, const struct mesh_smooth *smooth, double square)
{
	double all = square + plan->softening * plan->softening, sum = 0.0;

	if (all >= smooth->cutoff * smooth->cutoff) {
		double r = sqrt(all);
		return (plan->form == CHARGE_SCREENED ? exp(-plan->kappa * r) : 1.0) / r;
	}
	double x = 2.0 * all / (smooth->cutoff * smooth->cutoff) - 1.0;
	for (int k = 0; k < smooth->terms; ++k)
		sum = sum * x + smooth->even[k];
	return sum;
}

void mesh_window_make(const struct mesh_order *order, struct mesh_window *window)
{
	uint32_t width = order->width;

	*window = (struct mesh_window){.width = width, .degree = (int)width + WINDOW_TERMS};
	struct prolate shape;

	prolate_make(WINDOW_BAND * width, &shape);
	gauss_legendre_rule(MESH_WINDOW_NODES, window->places, window->weights);
	for (int n = 0; n < MESH_WINDOW_NODES; ++n)
		window->weights[n] *= 0.5 * width * prolate_value(&shape, window->places[n]);
	for (uint32_t j = 0; j < width; ++j) {
		double values[SAMPLES], powers[MESH_MOST_DEGREE + 1];
		/* point j is j + (1 + x)/2 - width/2 steps from the position */
		for (int n = 0; n < SAMPLES; ++n) {
			double x = cos(PI * (n + 0.5) / SAMPLES);
			values[n] = prolate_value(&shape, 2.0 * (j + 0.5 * (1.0 + x)) / width - 1.0);
		}
		int terms = fit(values, 0.0, window->degree + 1, powers), missing = window->degree + 1 - terms;
		for (int d = 0; d < terms; ++d)
			window->rows[(size_t)(missing + d) * MESH_MOST_WIDTH + j] = powers[d];
	}
}

double mesh_window_influence(const struct mesh_window *window, double angle)
{
	double half = 0.5 * window->width, own = 0.0, all = 0.0;

	for (int alias = -ALIASES; alias <= ALIASES; ++alias) {
		double transform = 0.0;
		for (int n = 0; n < MESH_WINDOW_NODES; ++n)
			transform += window->weights[n] * cos((angle + 2.0 * PI * alias) * half * window->places[n]);
		own = alias == 0 ? transform : own;
		all += transform * transform;
	}
	/* least-squares error over all waves aliased to this one on the mesh (Hockney and Eastwood, 8-22) */
	return own * own / (all * all);
}
