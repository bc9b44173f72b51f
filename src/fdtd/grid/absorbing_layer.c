#include "fdtd/grid/absorbing_layer.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

#define MANY_CELLS 10 /* of a layer, from which on the steeper profile is better */

struct absorbing_layer absorbing_layer_of(int cells)
{
	bool many = cells >= MANY_CELLS;

	return (struct absorbing_layer){.cells = cells,
					.order = many ? 4.0 : 3.0,
					.sigma_factor = many ? 0.7 : 1.0,
					.kappa = 1.0,
					.alpha = 0.1,
					.alpha_order = 1.0};
}

/* Depth of a place in a layer, in cells; 0 or less: outside. */
static double depth_in(const struct absorbing_layer layers[2], int cells, double place, int *side)
{
	double first = layers[0].cells - place, last = place - (cells - layers[1].cells);

	*side = first > 0.0 ? 0 : 1;
	return first > 0.0 ? first : last;
}

/* 1/(eta_0 epsilon_0) = c gives the factor courant */
double absorbing_layer_sigma(const struct absorbing_layer *layer, double courant, double depth)
{
	return layer->sigma_factor * 0.8 * (layer->order + 1.0) * courant * pow(depth / layer->cells, layer->order);
}

/* Parameters at a depth in cells, with sigma and alpha times dt/epsilon_0. */
static void find_at(const struct absorbing_layer *layer, double courant, double depth, double *b, double *c,
		    double *kappa)
{
	*kappa = 1.0;
	*b = *c = 0.0;
	if (depth <= 0.0 || layer->cells == 0)
		return;
	double u = depth / layer->cells;
	double sigma = absorbing_layer_sigma(layer, courant, depth);
	double alpha = layer->alpha * courant * pow(1.0 - u, layer->alpha_order);
	*kappa = 1.0 + (layer->kappa - 1.0) * pow(u, layer->order);
	*b = exp(-(sigma / *kappa + alpha));
	*c = sigma > 0.0 ? sigma * (*b - 1.0) / (sigma * *kappa + *kappa * *kappa * alpha) : 0.0;
}

static void find(const struct absorbing_layer layers[2], int cells, double courant, double place, double *b,
		 double *c, double *kappa)
{
	int side;
	const double depth = depth_in(layers, cells, place, &side);

	find_at(&layers[side], courant, depth, b, c, kappa);
}

/* Stretching at a node or half node, by which differences across it are divided: its inverse is 1/kappa + c/(1 - b
 * exp(i omega dt)), the convolution's sum at one frequency. */
static double complex stretching(const struct absorbing_layer *layer, double courant, double angular, double depth)
{
	double b, c, kappa;

	find_at(layer, courant, depth, &b, &c, &kappa);
	return 1.0 / (1.0 / kappa + c / (1.0 - b * cexp(I * angular)));
}

/* From the conductor, where E is 0, to the first node before the layer: at one frequency the scheme reads, with W = 2
 * sin(omega dt/2)/courant,
 *     E(i) = E(i + 1) + i W s H(i + 1/2),  H(i - 1/2) = H(i + 1/2) + i W s E(i),
 * and the field there is a wave exp(i k x) toward the wall and one from it, 2 sin(k/2) = W. */
double absorbing_layer_reflection(const struct absorbing_layer *layer, double courant, double angular)
{
	const double w = 2.0 * sin(0.5 * angular) / courant, k = 2.0 * asin(fmin(0.5 * w, 1.0));
	double complex e = 0.0, h = 1.0, before = 0.0;

	for (int cell = layer->cells - 1; cell >= -1; --cell) {
		before = e;
		e += I * w * stretching(layer, courant, angular, cell + 0.5) * h;
		h += I * w * stretching(layer, courant, angular, cell) * e;
		const double size = cabs(e) + cabs(h);
		before /= size;
		e /= size;
		h /= size;
	}
	/* e = a exp(-i k) + b exp(i k), before = a + b */
	const double complex incoming = (before * cexp(I * k) - e) / (2.0 * I * sin(k));
	return cabs((before - incoming) / incoming);
}

static sonde_status allocate(struct absorbing_profile *profile)
{
	double **const arrays[] = {&profile->node_b, &profile->node_c, &profile->node_kappa,
				   &profile->half_b, &profile->half_c, &profile->half_kappa};

	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		CHECK(memory_allocate(arrays[k], (size_t)profile->cells + 1, sizeof(double), "the absorbing layers"));
	return SONDE_OK;
}

sonde_status absorbing_profile_make(char axis, int cells, double courant, const struct absorbing_layer layers[2],
				    struct absorbing_profile *profile)
{
	*profile = (struct absorbing_profile){.cells = cells};
	if (layers[0].cells < 0 || layers[1].cells < 0 || layers[0].cells + layers[1].cells > cells)
		return status_fail(SONDE_INVALID,
				   "absorbing layers of %d and %d cells do not fit into %d cells along %c",
				   layers[0].cells, layers[1].cells, cells, axis);
	CHECK(allocate(profile));
	for (int i = 0; i <= cells; ++i)
		find(layers, cells, courant, i, &profile->node_b[i], &profile->node_c[i], &profile->node_kappa[i]);
	for (int i = 0; i < cells; ++i)
		find(layers, cells, courant, i + 0.5, &profile->half_b[i], &profile->half_c[i],
		     &profile->half_kappa[i]);
	return SONDE_OK;
}

void absorbing_profile_free(struct absorbing_profile *profile)
{
	free(profile->node_b);
	free(profile->node_c);
	free(profile->node_kappa);
	free(profile->half_b);
	free(profile->half_c);
	free(profile->half_kappa);
	*profile = (struct absorbing_profile){0};
}
