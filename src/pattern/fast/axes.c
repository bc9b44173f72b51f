#include "pattern/fast/axes.h"

#include <math.h>

#include "base/constants.h"
#include "base/line_transform.h"

#define MOST_MOMENTS 8

static void one_node(struct fast_axis *axis)
{
	axis->single = true;
	axis->moments = 1;
	axis->nodes = axis->size = axis->waves = 1;
	axis->first_node = axis->first_wave = 0;
	axis->scale = axis->step = 0.0;
}

void fast_axis_of_points(const struct window *window, double center, double half, double largest, double negligible,
			 struct fast_axis *axis)
{
	axis->regular = axis->wraps = axis->single = false;
	axis->moments = 1;
	axis->center = center;
	axis->half = half;
	axis->largest = largest;
	if (half * largest <= negligible) {
		one_node(axis);
		return;
	}
	const double margin = 0.5 * window->width;
	axis->scale = window->oversampling * largest / PI;
	axis->first_node = -(int64_t)ceil(half * axis->scale + margin);
	axis->nodes = -2 * axis->first_node + 2;
	axis->size = line_transform_size(2.0 * window->oversampling * (1.0 - (double)axis->first_node));
	axis->step = 2.0 * PI * axis->scale / (double)axis->size;
	axis->first_wave = -(int64_t)ceil(largest / axis->step + margin);
	axis->waves = -2 * axis->first_wave + 2;
}

void fast_axis_regular(const struct window *window, double center, double half, int64_t count, struct fast_axis *axis)
{
	const double margin = 0.5 * window->width;

	axis->regular = true;
	axis->wraps = axis->single = false;
	axis->moments = 1;
	axis->center = center;
	axis->half = half;
	axis->largest = 0.0;
	if (count == 1) {
		one_node(axis);
		return;
	}
	axis->size = line_transform_size(window->oversampling * (double)count);
	axis->scale = (double)axis->size / (2.0 * PI);
	axis->step = 1.0;
	axis->first_node = -(int64_t)ceil(half * axis->scale + margin);
	axis->nodes = -2 * axis->first_node + 2;
	if (axis->nodes > axis->size + window->width) {
		axis->wraps = true;
		axis->center = 0.0;
		axis->first_node = -(int64_t)ceil(margin);
		axis->nodes = axis->size + window->width + 2;
	}
	axis->waves = count;
	axis->first_wave = -(count / 2);
}

void fast_axis_use_moments(double negligible, struct fast_axis *axis)
{
	const double phase = axis->half * axis->largest;
	double term = 1.0;
	int moments = 0;

	if (axis->regular || axis->single)
		return;
	while (term > negligible && moments <= MOST_MOMENTS)
		term *= phase / ++moments;
	if (moments > MOST_MOMENTS)
		return;
	one_node(axis);
	axis->moments = moments;
}

double fast_axis_place(const struct fast_axis *axis, double t)
{
	double node = t * axis->scale;

	if (axis->wraps) {
		const double size = (double)axis->size;
		node -= size * floor(node / size);
		node = node < size ? fmax(node, 0.0) : 0.0;
	}
	return node - (double)axis->first_node;
}

void fast_axes_sort(struct fast_axes *axes)
{
	struct fast_axis *of = axes->axis;

	for (int pass = 0; pass < 2; ++pass)
		for (int k = 0; k < 2; ++k)
			if (of[k + 1].nodes > of[k].nodes) {
				const struct fast_axis other = of[k];
				of[k] = of[k + 1];
				of[k + 1] = other;
			}
}

int64_t fast_row(int64_t count)
{
	return (count + 3) / 4 * 4 + (int64_t)MESH_ROOM / 2;
}

void fast_axes_sizes(const struct fast_axes *axes, double sizes[4])
{
	const struct fast_axis *x = &axes->axis[0], *y = &axes->axis[1], *z = &axes->axis[2];
	const double row = (double)fast_row(x->nodes), waves = (double)fast_row(x->waves);

	sizes[0] = row * (double)y->nodes * (double)z->nodes;
	sizes[1] = waves * (double)y->nodes * (double)z->nodes;
	sizes[2] = waves * (double)y->waves * (double)z->nodes;
	sizes[3] = waves * (double)y->waves * (double)z->waves;
}
