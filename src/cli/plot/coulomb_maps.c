/* Pictures of potentials: a map of a layer, or a curve along a line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vectors.h"
#include "cli/plot/axes.h"
#include "cli/plot/drawings.h"

#define MOST_PIXELS 800 /* along an edge; of finer maps every n-th point is drawn */
#define SHOWN 0.97 /* fraction of the points within the color range; the rest, near charges, have the last colors */

/* A layer of the grid: points along two of its steps, the third index being fixed. */
struct layer {
	int across, up;                       /* steps */
	int64_t first;                        /* number of its first point */
	int64_t stride[2], count[2], each[2]; /* from point to point, number of points, every each-th is drawn */
};

static struct layer choose_layer(const sonde_coulomb_result *result)
{
	const int64_t *size = result->size, strides[3] = {1, size[0], size[0] * size[1]};
	/* across the direction with one point, or the third */
	int fixed = size[2] == 1 ? 2 : size[1] == 1 ? 1 : size[0] == 1 ? 0 : 2;
	struct layer layer = {.across = fixed == 0 ? 1 : 0, .up = fixed == 2 ? 1 : 2};

	layer.first = size[fixed] / 2 * strides[fixed];
	for (int k = 0; k < 2; ++k) {
		int step = k == 0 ? layer.across : layer.up;
		layer.stride[k] = strides[step];
		layer.count[k] = size[step];
		layer.each[k] = (size[step] + MOST_PIXELS - 1) / MOST_PIXELS;
	}
	return layer;
}

static double value_at(const sonde_coulomb_result *result, int64_t n)
{
	if (result->options->quantity != SONDE_COULOMB_QUANTITY_FIELD)
		return result->potential[n];
	const double *field = result->field + 3 * n;
	return sqrt(field[0] * field[0] + field[1] * field[1] + field[2] * field[2]);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The values of the last colors. */
static sonde_status find_range(const sonde_coulomb_result *result, const struct layer *layer, double *range)
{
	int64_t count = 0, columns = layer->count[0], rows = layer->count[1];
	double *sizes;

	CHECK(memory_allocate(&sizes, (size_t)(columns * rows), sizeof *sizes, "the picture"));
	for (int64_t j = 0; j < rows; j += layer->each[1])
		for (int64_t i = 0; i < columns; i += layer->each[0]) {
			double value = value_at(result, layer->first + i * layer->stride[0] + j * layer->stride[1]);
			if (!isnan(value))
				sizes[count++] = fabs(value);
		}
	qsort(sizes, (size_t)count, sizeof *sizes, by_size);
	*range = count > 0 ? sizes[(int64_t)(SHOWN * (double)(count - 1))] : 0.0;
	if (!(*range > 0.0))
		*range = count > 0 && sizes[count - 1] > 0.0 ? sizes[count - 1] : 1.0;
	free(sizes);
	return SONDE_OK;
}

/* "x (A)" where the step is along x, else the length along the step. */
static void describe_axis(const sonde_coulomb_result *result, int step, char *label, size_t size, double *origin)
{
	const double *s = result->steps[step];
	bool along = s[(step + 1) % 3] == 0.0 && s[(step + 2) % 3] == 0.0 && s[step] > 0.0;

	snprintf(label, size, along ? "%c (Å)" : "along step %c (Å)", (along ? "xyz" : "abc")[step]);
	*origin = along ? result->origin[step] : 0.0;
}

static sonde_status add_map(struct figure *figure, const sonde_coulomb_result *result)
{
	struct layer layer = choose_layer(result);
	const bool potential = result->options->quantity != SONDE_COULOMB_QUANTITY_FIELD;
	const int steps[2] = {layer.across, layer.up};
	struct figure_map map = {.columns = (layer.count[0] + layer.each[0] - 1) / layer.each[0],
				 .rows = (layer.count[1] + layer.each[1] - 1) / layer.each[1],
				 .diverging = potential};
	double range = 1.0, *values;
	char label[48];
	int64_t n = 0;

	CHECK(find_range(result, &layer, &range));
	CHECK(memory_allocate(&values, (size_t)(map.columns * map.rows), sizeof *values, "the picture"));
	for (int64_t j = 0; j < layer.count[1]; j += layer.each[1])
		for (int64_t i = 0; i < layer.count[0]; i += layer.each[0])
			values[n++] = value_at(result, layer.first + i * layer.stride[0] + j * layer.stride[1]);
	for (int k = 0; k < 2; ++k) {
		map.step[k] = vector_length(result->steps[steps[k]]) * (double)layer.each[k];
		describe_axis(result, steps[k], label, sizeof label, &map.first[k]);
		figure_label(figure, k == 0 ? FIGURE_X : FIGURE_Y, "%s", label);
	}
	map.values = values;
	figure_map(figure, &map);
	free(values);
	figure_equal_units(figure, 1.0);
	figure_grid(figure, false);
	figure_range(figure, FIGURE_COLORS, potential ? -range : 0.0, range);
	figure_label(figure, FIGURE_COLORS, potential ? "potential (%s)" : "field (%s/Å)",
		     sonde_coulomb_unit(result));
	return SONDE_OK;
}

static sonde_status add_curve(struct figure *figure, const sonde_coulomb_result *result, int step)
{
	const double each = vector_length(result->steps[step]);
	const bool potential = result->options->quantity != SONDE_COULOMB_QUANTITY_FIELD;
	const int64_t count = result->point_count;
	double *numbers;

	CHECK(memory_allocate(&numbers, 2 * (size_t)count, sizeof *numbers, "the picture"));
	for (int64_t n = 0; n < count; ++n) {
		numbers[n] = (double)n * each;
		numbers[count + n] = value_at(result, n);
	}
	figure_label(figure, FIGURE_X, "along the line (Å)");
	figure_label(figure, FIGURE_Y, potential ? "potential (%s)" : "field (%s/Å)", sonde_coulomb_unit(result));
	figure_curve(figure, (struct figure_style){.color = figure_colors[0], .width = 1.7}, NULL, numbers,
		     numbers + count, count);
	free(numbers);
	return SONDE_OK;
}

sonde_status plot_coulomb(sonde_context *context, const sonde_coulomb_result *result, const char *path,
			  bool overwrite)
{
	int long_steps = 0, step = 0;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < 3; ++k) {
		long_steps += result->size[k] > 1;
		step = result->size[k] > 1 ? k : step;
	}
	if (!result->is_grid)
		return status_fail_file(SONDE_INVALID, path,
					"grids, planes and lines are drawn, points of a list are not");
	const bool line = long_steps < 2;
	struct figure *figure = figure_create(line ? 1200 : 1000, line ? 500 : 860, 1, 1);
	if (figure != NULL) {
		figure_panel(figure);
		status = line ? add_curve(figure, result, step) : add_map(figure, result);
	}
	return plot_finish(context, status, &figure, path, overwrite);
}
