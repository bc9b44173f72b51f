/* Pictures of potentials: a map of a layer, or a curve along a line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vectors.h"
#include "cli/plot/gnuplot.h"
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

static sonde_status append_map(const sonde_coulomb_result *result, struct text *script)
{
	struct layer layer = choose_layer(result);
	bool potential = result->options->quantity != SONDE_COULOMB_QUANTITY_FIELD;
	double range = 1.0, origin[2],
	       steps[2] = {vector_length(result->steps[layer.across]) * (double)layer.each[0],
			   vector_length(result->steps[layer.up]) * (double)layer.each[1]};
	char labels[2][48];

	CHECK(find_range(result, &layer, &range));
	describe_axis(result, layer.across, labels[0], sizeof labels[0], &origin[0]);
	describe_axis(result, layer.up, labels[1], sizeof labels[1], &origin[1]);
	text_append(script, "$map << EOD\n");
	for (int64_t j = 0; j < layer.count[1]; j += layer.each[1]) {
		for (int64_t i = 0; i < layer.count[0]; i += layer.each[0])
			text_append(script, "%.5g ",
				    value_at(result, layer.first + i * layer.stride[0] + j * layer.stride[1]));
		text_append(script, "\n");
	}
	text_append(
	    script,
	    "EOD\n"
	    "set terminal pngcairo size 1000,860 font 'Sans,13'\n"
	    "set datafile missing 'nan'\nset border lc rgb '#444444'\nunset key\nset size ratio -1\nset tics out\n");
	if (potential) {
		gnuplot_append_diverging(script);
		text_append(script, "set cbrange [%.8g:%.8g]\nset cblabel 'potential (%s)'\n", -range, range,
			    sonde_coulomb_unit(result));
	} else {
		gnuplot_append_sequential(script);
		text_append(script, "set cbrange [0:%.8g]\nset cblabel 'field (%s/Å)'\n", range,
			    sonde_coulomb_unit(result));
	}
	text_append(script, "set xlabel '%s'\nset ylabel '%s'\n", labels[0], labels[1]);
	text_append(script,
		    "set autoscale fix\nplot $map matrix using (%.10g+$1*%.10g):(%.10g+$2*%.10g):3 with image\n",
		    origin[0], steps[0], origin[1], steps[1]);
	return SONDE_OK;
}

static void append_curve(const sonde_coulomb_result *result, int step, struct text *script)
{
	double each = vector_length(result->steps[step]);
	bool potential = result->options->quantity != SONDE_COULOMB_QUANTITY_FIELD;

	text_append(script, "$curve << EOD\n");
	for (int64_t n = 0; n < result->point_count; ++n)
		text_append(script, "%.8g %.8g\n", (double)n * each, value_at(result, n));
	text_append(script,
		    "EOD\n"
		    "set terminal pngcairo size 1200,500 font 'Sans,13'\n"
		    "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\nunset key\n"
		    "set xlabel 'along the line (Å)'\nset ylabel '%s (%s%s)'\n"
		    "plot $curve with lines lc rgb '#1f4e9a' lw 1.2\n",
		    potential ? "potential" : "field", sonde_coulomb_unit(result), potential ? "" : "/Å");
}

sonde_status plot_coulomb(sonde_context *context, const sonde_coulomb_result *result, const char *path,
			  bool overwrite)
{
	struct text script = {0};
	int long_steps = 0, step = 0;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < 3; ++k) {
		long_steps += result->size[k] > 1;
		step = result->size[k] > 1 ? k : step;
	}
	if (!result->is_grid)
		return status_fail_file(SONDE_INVALID, path,
					"grids, planes and lines are drawn, points of a list are not");
	if (long_steps < 2)
		append_curve(result, step, &script);
	else
		status = append_map(result, &script);
	text_append(&script, "set output\nexit\n");
	if (status == SONDE_OK)
		status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, path, overwrite);
	text_free(&script);
	return status;
}
