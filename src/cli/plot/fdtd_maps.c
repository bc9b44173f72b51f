/* Maps of fields, fields along lines, and far fields. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/axes.h"
#include "cli/plot/fdtd_maps.h"
#include "cli/program/program.h"
#include "fdtd/grid/frame.h"
#include "fdtd/output/result_layer.h"

#define MOST_PIXELS 800 /* along an edge; of finer maps every n-th node is drawn */
#define FADED 0.1 /* fraction of its maximum below which a field has decayed: the last snapshot above it is drawn */

/* The data drawn: numbers on the nodes of a layer. */
struct map {
	struct result_layer layer; /* of `values`, one frame */
	sonde_fdtd_array array;
	double *values;
	double at; /* s, Hz */
	char name[16], unit[16];
	bool is_signed;
};

/* Choosing ---------------------------------------------------------------------------------- */

static const sonde_fdtd_array *strongest_of(const sonde_fdtd_monitor *monitor, const struct result_layer *layer)
{
	const sonde_fdtd_array *strongest = NULL;
	double most = -1.0;
	bool electric = false;

	for (int n = 0; n < monitor->array_count; ++n)
		electric |= result_is_field(&monitor->arrays[n]) && monitor->arrays[n].name[0] == 'E';
	for (int n = 0; n < monitor->array_count; ++n) {
		const sonde_fdtd_array *array = &monitor->arrays[n];
		if (!result_is_field(array) || (array->name[0] == 'E') != electric)
			continue;
		double size = result_layer_largest(layer, array);
		if (size > most) {
			most = size;
			strongest = array;
		}
	}
	return strongest;
}

/* The strongest component of the last snapshot that has not decayed. */
static void take_snapshot(const struct result_layer *layer, const sonde_fdtd_array *array, struct map *map)
{
	double most = result_layer_largest(layer, array);
	int64_t frame = layer->frames - 1, n = 0;

	while (frame > 0 && result_layer_largest_of_frame(layer, array, frame) < FADED * most)
		--frame;
	for (int64_t i = 0; i < layer->count[0]; ++i)
		for (int64_t j = 0; j < layer->count[1]; ++j)
			map->values[n++] = result_layer_value(layer, array, frame, i, j);
	map->at = layer->at[frame];
	map->is_signed = true;
	snprintf(map->name, sizeof map->name, "%.15s", array->name);
}

/* |E| or |H| of all components at the middle frequency; E relative to the source's, if that is a wave. */
static void take_size(const sonde_fdtd_monitor *monitor, const struct result_layer *layer, char field,
		      struct map *map)
{
	int64_t frame = layer->frames / 2, n;

	for (int k = 0; k < monitor->array_count; ++k) {
		const sonde_fdtd_array *array = &monitor->arrays[k];
		if (!result_is_field(array) || array->name[0] != field)
			continue;
		n = 0;
		for (int64_t i = 0; i < layer->count[0]; ++i)
			for (int64_t j = 0; j < layer->count[1]; ++j, ++n)
				map->values[n] = hypot(map->values[n], result_layer_value(layer, array, frame, i, j));
	}
	map->at = layer->at[frame];
	snprintf(map->name, sizeof map->name, "|%c|", field);
	const sonde_fdtd_array *incident = sonde_fdtd_find_array(monitor, "incident");
	const double at_source = incident != NULL && field == 'E' ? incident->values[frame] : 0.0;
	if (!(at_source > 0.0))
		return;
	for (n = 0; n < layer->count[0] * layer->count[1]; ++n)
		map->values[n] /= at_source;
	snprintf(map->name, sizeof map->name, "|E/E₀|");
	map->unit[0] = '\0';
}

static sonde_status take_map(const sonde_fdtd_monitor *monitor, const struct result_layer *layer, struct map *map)
{
	const sonde_fdtd_array *strongest = strongest_of(monitor, layer);

	*map = (struct map){.layer = *layer};
	if (strongest == NULL)
		return status_fail(SONDE_INVALID, "%s: has no components to draw", monitor->name);
	CHECK(memory_allocate(&map->values, (size_t)(layer->count[0] * layer->count[1]), sizeof *map->values,
			      "the picture"));
	snprintf(map->unit, sizeof map->unit, "%s", strongest->unit);
	if (layer->snapshot)
		take_snapshot(layer, strongest, map);
	else
		take_size(monitor, layer, strongest->name[0], map);
	map->layer.frames = 1;
	map->layer.first = 0;
	map->layer.stride[0] = layer->count[1];
	map->layer.stride[1] = 1;
	map->array.values = map->values;
	return SONDE_OK;
}

/* Drawing ------------------------------------------------------------------------------------- */

/* "NAME: |E| (V/m) at 700 nm" */
static void set_title(struct drawing *drawing, const sonde_fdtd_monitor *monitor, bool time, double at,
		      const char *quantity, const char *unit)
{
	const double wave = SPEED_OF_LIGHT / at;
	const bool light = !time && wave < LONGEST_WAVE;
	const struct scale scale = time ? scale_of_time(at) : light ? scale_of_length(wave) : scale_of_frequency(at);

	figure_title(drawing->figure, "%s: %s%s%s%s at %.5g %s", monitor->name, quantity, unit[0] != '\0' ? " (" : "",
		     unit, unit[0] != '\0' ? ")" : "", (light ? wave : at) * scale.factor, scale.name);
}

/* Outlines of the bodies. */
static sonde_status add_outlines(struct drawing *drawing, const sonde_fdtd_monitor *monitor,
				 const struct result_layer *layer, double factor)
{
	struct outline *lines = NULL;
	size_t count = 0;
	double *numbers = NULL;
	sonde_status status = result_layer_outlines(layer, monitor, &lines, &count);

	if (status == SONDE_OK && count > 0)
		status = memory_allocate(&numbers, 6 * count, sizeof *numbers, "the picture");
	if (status == SONDE_OK && count > 0) {
		for (size_t k = 0; k < count; ++k)
			for (int axis = 0; axis < 2; ++axis) {
				double *to = numbers + 3 * count * (size_t)axis + 3 * k;
				to[0] = factor * (layer->low[axis] + lines[k].from[axis] * layer->step[axis]);
				to[1] = factor * (layer->low[axis] + lines[k].to[axis] * layer->step[axis]);
				to[2] = NAN;
			}
		figure_curve(drawing->figure, (struct figure_style){.color = 0x333333, .width = 1.0}, NULL, numbers,
			     numbers + 3 * count, 3 * (int64_t)count);
	}
	free(numbers);
	free(lines);
	return status;
}

static sonde_status add_plane(struct drawing *drawing, const sonde_fdtd_monitor *monitor,
			      const struct result_layer *layer, const struct map *map)
{
	struct figure *figure = drawing->figure;
	struct figure_map drawn = {.diverging = map->is_signed};
	const double range = result_layer_range(&map->layer, &map->array);
	double longest = 0.0, *values;
	int64_t each[2], n = 0;

	for (int k = 0; k < 2; ++k) {
		each[k] = (layer->count[k] + MOST_PIXELS - 1) / MOST_PIXELS;
		longest = fmax(longest, (double)layer->count[k] * layer->step[k]);
	}
	const struct scale scale = scale_of_length(longest);
	drawn.columns = (layer->count[0] + each[0] - 1) / each[0];
	drawn.rows = (layer->count[1] + each[1] - 1) / each[1];
	CHECK(memory_allocate(&values, (size_t)(drawn.columns * drawn.rows), sizeof *values, "the picture"));
	for (int64_t j = 0; j < layer->count[1]; j += each[1])
		for (int64_t i = 0; i < layer->count[0]; i += each[0])
			values[n++] = result_layer_value(&map->layer, &map->array, 0, i, j);
	for (int k = 0; k < 2; ++k) {
		drawn.first[k] = layer->low[k] * scale.factor;
		drawn.step[k] = (double)each[k] * layer->step[k] * scale.factor;
		figure_label(figure, k == 0 ? FIGURE_X : FIGURE_Y, "%c (%s)", "xyz"[layer->axes[k]], scale.name);
	}
	drawn.values = values;
	figure_map(figure, &drawn);
	free(values);
	figure_range(figure, FIGURE_COLORS, map->is_signed ? -range : 0.0, range);
	figure_equal_units(figure, 1.0);
	figure_grid(figure, false);
	set_title(drawing, monitor, layer->snapshot, map->at, map->name, map->unit);
	return add_outlines(drawing, monitor, layer, scale.factor);
}

static sonde_status add_line(struct drawing *drawing, const sonde_fdtd_monitor *monitor,
			     const struct result_layer *layer, const struct map *map)
{
	const struct scale scale = scale_of_length((double)layer->count[0] * layer->step[0]);
	double *x;

	CHECK(memory_allocate(&x, (size_t)layer->count[0], sizeof *x, "the picture"));
	for (int64_t i = 0; i < layer->count[0]; ++i)
		x[i] = scale.factor * (layer->low[0] + (double)i * layer->step[0]);
	set_title(drawing, monitor, layer->snapshot, map->at, map->name, map->unit);
	figure_label(drawing->figure, FIGURE_X, "%c (%s)", "xyz"[layer->axes[0]], scale.name);
	plot_label(drawing->figure, FIGURE_Y, map->name, map->unit);
	figure_curve(drawing->figure, (struct figure_style){.color = figure_colors[0], .width = 1.7}, NULL, x,
		     map->values, layer->count[0]);
	free(x);
	return SONDE_OK;
}

sonde_status add_map(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	struct result_layer layer;
	struct map map;

	if (!result_layer_of(monitor, &layer))
		return SONDE_OK;
	CHECK(take_map(monitor, &layer, &map));
	const sonde_status status =
	    layer.axes[1] >= 0 ? add_plane(drawing, monitor, &layer, &map) : add_line(drawing, monitor, &layer, &map);
	free(map.values);
	return status;
}

/* Far fields ---------------------------------------------------------------------------------------- */

#define CIRCLES 4
#define DECIBELS 40.0 /* from the center to the outer circle */
#define DEGREES_OF_RAY 30

/* A closed curve of the intensity in a plane: against phi, or against theta on both sides of z. */
struct cut {
	bool against_phi;
	int64_t phi, opposite; /* indices of angles; -1: only one side */
};

static double far_value(const sonde_fdtd_array *of, int64_t theta, int64_t phi)
{
	return of->values[((of->sizes[0] / 2) * of->sizes[1] + theta) * of->sizes[2] + phi];
}

static int64_t nearest_angle(const sonde_fdtd_array *angles, double wanted)
{
	for (int64_t n = 0; n < angles->sizes[0]; ++n)
		if (fabs(remainder(angles->values[n] - wanted, 360.0)) < 1.0)
			return n;
	return -1;
}

static bool in_decibels(const struct drawing *drawing)
{
	return drawing->plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG ||
	       drawing->plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG_Y;
}

/* Distance of a value from the center, relative to 1: proportional, or by its decibels. */
static double radius_of(const struct drawing *drawing, double value, double most)
{
	if (!in_decibels(drawing))
		return value / most;
	return value > 0.0 ? fmax(0.0, 1.0 + 10.0 * log10(value / most) / DECIBELS) : 0.0;
}

/* Points of a curve so far. */
struct points {
	double *x, *y;
	int64_t count;
};

static void add_direction(struct points *points, double angle, double value)
{
	points->x[points->count] = value * cos(angle * M_PI / 180.0);
	points->y[points->count++] = value * sin(angle * M_PI / 180.0);
}

/* Points in a circle of radius 1; theta from the top, phi from the right. */
static sonde_status add_cut(struct drawing *drawing, const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *of,
			    const struct cut *cut, double most, int number)
{
	const sonde_fdtd_array *theta = sonde_fdtd_find_array(monitor, "theta"),
			       *phi = sonde_fdtd_find_array(monitor, "phi");
	const int64_t capacity = 2 * theta->sizes[0] + phi->sizes[0] + 1;
	struct points points = {0};
	char title[40];

	CHECK(memory_allocate(&points.x, 2 * (size_t)capacity, sizeof *points.x, "the picture"));
	points.y = points.x + capacity;
	if (cut->against_phi) {
		int64_t last = phi->sizes[0] - 1;
		for (int64_t n = 0; n <= last; ++n)
			add_direction(&points, phi->values[n], radius_of(drawing, far_value(of, 0, n), most));
		/* the circle closes if the next angle would be the first one */
		if (last > 0 && 360.0 - (phi->values[last] - phi->values[0]) <=
				    1.5 * (phi->values[last] - phi->values[0]) / (double)last)
			add_direction(&points, phi->values[0], radius_of(drawing, far_value(of, 0, 0), most));
		snprintf(title, sizeof title, "against φ");
	} else {
		for (int64_t n = theta->sizes[0] - 1; n >= 0 && cut->opposite >= 0; --n)
			add_direction(&points, 90.0 + theta->values[n],
				      radius_of(drawing, far_value(of, n, cut->opposite), most));
		for (int64_t n = 0; n < theta->sizes[0]; ++n)
			add_direction(&points, 90.0 - theta->values[n],
				      radius_of(drawing, far_value(of, n, cut->phi), most));
		snprintf(title, sizeof title, "φ = %.4g°", phi->values[cut->phi]);
	}
	figure_curve(drawing->figure, (struct figure_style){.color = figure_colors[number], .width = 1.7},
		     cut->against_phi ? NULL : title, points.x, points.y, points.count);
	free(points.x);
	return SONDE_OK;
}

/* Cuts at the first angle phi and 90 degrees from it; returns their number. */
static int choose_cuts(const sonde_fdtd_array *theta, const sonde_fdtd_array *phi, struct cut cuts[2])
{
	cuts[0] =
	    (struct cut){.against_phi = theta->sizes[0] == 1, .opposite = nearest_angle(phi, phi->values[0] + 180.0)};
	int64_t across = nearest_angle(phi, phi->values[0] + 90.0);
	if (cuts[0].against_phi || across < 0)
		return 1;
	cuts[1] = (struct cut){.phi = across, .opposite = nearest_angle(phi, phi->values[0] + 270.0)};
	return 2;
}

/* Circles labeled in decibels below the outer one, and rays labeled with their angles. */
static void add_circles(struct drawing *drawing, bool against_phi)
{
	static const double center[2] = {0.0, 0.0};
	struct figure *figure = drawing->figure;

	for (int n = 0; n < 360 / DEGREES_OF_RAY; ++n) {
		const int degrees = n * DEGREES_OF_RAY;
		/* theta increases from the top to both sides */
		const int shown = against_phi ? degrees : abs(degrees <= 270 ? 90 - degrees : 450 - degrees);
		const double x = cos(degrees * M_PI / 180.0), y = sin(degrees * M_PI / 180.0);
		figure_segment(figure, (struct figure_style){.color = 0xdddddd, .width = 1.0}, center,
			       (const double[2]){x, y});
		figure_text(figure,
			    &(struct figure_text){
				.at = {1.1 * x, 1.1 * y}, .size = 0.8, .color = 0x222222, .align = FIGURE_CENTER},
			    "%d°", shown);
	}
	for (int n = 1; n <= CIRCLES; ++n) {
		const double radius = (double)n / CIRCLES,
			     decibels = in_decibels(drawing) ? -DECIBELS * (1.0 - radius)
							     : 10.0 * (log10((double)n) - log10((double)CIRCLES));
		figure_circle(figure, (struct figure_style){.color = 0xcccccc, .width = 1.0}, center, radius);
		if (n < CIRCLES)
			figure_text(figure,
				    &(struct figure_text){
					.at = {0.02 + 0.26 * radius, 0.965 * radius}, .size = 0.7, .color = 0x888888},
				    "%.2g dB", decibels);
	}
	figure_text(figure, &(struct figure_text){.at = {-1.15, 1.1}, .color = 0x222222}, "%s",
		    against_phi ? "φ" : "θ");
}

sonde_status add_far_field(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *section = sonde_fdtd_find_array(monitor, "cross-section"),
			       *of = section != NULL ? section : sonde_fdtd_find_array(monitor, "intensity"),
			       *theta = sonde_fdtd_find_array(monitor, "theta"),
			       *phi = sonde_fdtd_find_array(monitor, "phi"),
			       *frequency = sonde_fdtd_find_array(monitor, "frequency");
	struct cut cuts[2];
	const int count = choose_cuts(theta, phi, cuts);
	double most = 0.0;
	char quantity[80];

	for (int64_t t = 0; t < theta->sizes[0]; ++t)
		for (int64_t p = 0; p < phi->sizes[0]; ++p)
			most = fmax(most, far_value(of, t, p));
	snprintf(quantity, sizeof quantity, "%s, outer circle %.4g", of->name, most);
	set_title(drawing, monitor, false, frequency->values[frequency->sizes[0] / 2], quantity, of->unit);
	figure_hide_axes(drawing->figure);
	figure_equal_units(drawing->figure, 1.0);
	figure_range(drawing->figure, FIGURE_X, -1.25, 1.25);
	figure_range(drawing->figure, FIGURE_Y, -1.2, 1.2);
	add_circles(drawing, cuts[0].against_phi);
	for (int k = 0; k < count; ++k)
		CHECK(add_cut(drawing, monitor, of, &cuts[k], most > 0.0 ? most : 1.0, k));
	return SONDE_OK;
}
