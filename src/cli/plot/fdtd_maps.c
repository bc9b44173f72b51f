/* Maps of fields, fields along lines, and far fields. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/gnuplot.h"
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
static void append_title(struct drawing *drawing, const sonde_fdtd_monitor *monitor, bool time, double at,
			 const char *quantity, const char *unit)
{
	double wave = SPEED_OF_LIGHT / at;
	bool light = !time && wave < LONGEST_WAVE;
	struct scale scale = time ? scale_of_time(at) : light ? scale_of_length(wave) : scale_of_frequency(at);

	text_append(drawing->script, "set title '");
	gnuplot_append_label(drawing->script, monitor->name);
	text_append(drawing->script, unit[0] != '\0' ? ": %s (%s) at" : ": %s%s at", quantity, unit);
	text_append(drawing->script, " %.5g %s' noenhanced\n", (light ? wave : at) * scale.factor, scale.name);
}

static void append_nodes(struct drawing *drawing, const struct map *map, const int64_t each[2])
{
	const struct result_layer *layer = &map->layer;

	text_append(drawing->script, "$d%d << EOD\n", ++drawing->blocks);
	for (int64_t j = 0; j < layer->count[1]; j += each[1]) {
		for (int64_t i = 0; i < layer->count[0]; i += each[0])
			text_append(drawing->script, "%.5g ", result_layer_value(layer, &map->array, 0, i, j));
		text_append(drawing->script, "\n");
	}
	text_append(drawing->script, "EOD\n");
}

/* A data block with outlines of the bodies; 0 if there are none. */
static sonde_status append_outlines(struct drawing *drawing, const sonde_fdtd_monitor *monitor,
				    const struct result_layer *layer, double factor, int *block)
{
	struct outline *lines = NULL;
	size_t count = 0;
	sonde_status status = result_layer_outlines(layer, monitor, &lines, &count);

	*block = 0;
	if (status == SONDE_OK && count > 0) {
		*block = ++drawing->blocks;
		text_append(drawing->script, "$d%d << EOD\n", *block);
		for (size_t k = 0; k < count; ++k)
			text_append(drawing->script, "%.7g %.7g\n%.7g %.7g\n\n",
				    factor * (layer->low[0] + lines[k].from[0] * layer->step[0]),
				    factor * (layer->low[1] + lines[k].from[1] * layer->step[1]),
				    factor * (layer->low[0] + lines[k].to[0] * layer->step[0]),
				    factor * (layer->low[1] + lines[k].to[1] * layer->step[1]));
		text_append(drawing->script, "EOD\n");
	}
	free(lines);
	return status;
}

static sonde_status append_plane(struct drawing *drawing, const sonde_fdtd_monitor *monitor,
				 const struct result_layer *layer, const struct map *map)
{
	int64_t each[2];
	double range = result_layer_range(&map->layer, &map->array), longest = 0.0;
	int outlines, data;

	for (int k = 0; k < 2; ++k) {
		each[k] = (layer->count[k] + MOST_PIXELS - 1) / MOST_PIXELS;
		longest = fmax(longest, (double)layer->count[k] * layer->step[k]);
	}
	struct scale scale = scale_of_length(longest);
	append_nodes(drawing, map, each);
	data = drawing->blocks;
	CHECK(append_outlines(drawing, monitor, layer, scale.factor, &outlines));
	if (map->is_signed)
		gnuplot_append_diverging(drawing->script);
	else
		gnuplot_append_sequential(drawing->script);
	append_title(drawing, monitor, layer->snapshot, map->at, map->name, map->unit);
	text_append(drawing->script,
		    "unset key\nset size ratio -1\nset autoscale fix\nset cbrange [%.6g:%.6g]\n"
		    "set format cb '%%g'\nset xlabel '%c (%s)'\nset ylabel '%c (%s)'\n",
		    map->is_signed ? -range : 0.0, range, "xyz"[layer->axes[0]], scale.name, "xyz"[layer->axes[1]],
		    scale.name);
	text_append(drawing->script, "plot $d%d matrix using (%.10g+$1*%.10g):(%.10g+$2*%.10g):3 with image notitle",
		    data, layer->low[0] * scale.factor, (double)each[0] * layer->step[0] * scale.factor,
		    layer->low[1] * scale.factor, (double)each[1] * layer->step[1] * scale.factor);
	if (outlines > 0)
		text_append(drawing->script, ", $d%d with lines lc rgb '#333333' lw 0.8 notitle", outlines);
	text_append(drawing->script, "\nset size noratio\nset autoscale\nset autoscale xfix\nunset title\n");
	return SONDE_OK;
}

static void append_line(struct drawing *drawing, const sonde_fdtd_monitor *monitor, const struct result_layer *layer,
			const struct map *map)
{
	struct scale scale = scale_of_length((double)layer->count[0] * layer->step[0]);

	text_append(drawing->script, "$d%d << EOD\n", ++drawing->blocks);
	for (int64_t i = 0; i < layer->count[0]; ++i)
		text_append(drawing->script, "%.8g %.7g\n",
			    scale.factor * (layer->low[0] + (double)i * layer->step[0]), map->values[i]);
	text_append(drawing->script, "EOD\n");
	append_title(drawing, monitor, layer->snapshot, map->at, map->name, map->unit);
	text_append(drawing->script,
		    "unset key\nset grid lc rgb '#dddddd'\nset xlabel '%c (%s)'\nset ylabel '%s%s%s%s'\n"
		    "plot $d%d with lines lc rgb '%s' lw 1.5 notitle\nunset grid\nunset title\n",
		    "xyz"[layer->axes[0]], scale.name, map->name, map->unit[0] != '\0' ? " (" : "", map->unit,
		    map->unit[0] != '\0' ? ")" : "", drawing->blocks, curve_colors[0]);
}

sonde_status append_map(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	struct result_layer layer;
	struct map map;
	sonde_status status = SONDE_OK;

	if (!result_layer_of(monitor, &layer))
		return SONDE_OK;
	CHECK(take_map(monitor, &layer, &map));
	if (layer.axes[1] >= 0)
		status = append_plane(drawing, monitor, &layer, &map);
	else
		append_line(drawing, monitor, &layer, &map);
	free(map.values);
	return status;
}

/* Far fields ---------------------------------------------------------------------------------------- */

#define CIRCLES 4
#define DECIBELS 40.0 /* from the center to the outer circle */
#define DEGREES_OF_RAY 30
#define LABELS (CIRCLES + 360 / DEGREES_OF_RAY + 1)

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

static void append_direction(struct drawing *drawing, double angle, double value)
{
	text_append(drawing->script, "%.6g %.6g\n", value * cos(angle * M_PI / 180.0),
		    value * sin(angle * M_PI / 180.0));
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

/* Points in a circle of radius 1; theta from the top, phi from the right. */
static void append_cut(struct drawing *drawing, const sonde_fdtd_monitor *monitor, const sonde_fdtd_array *of,
		       const struct cut *cut, double most)
{
	const sonde_fdtd_array *theta = sonde_fdtd_find_array(monitor, "theta"),
			       *phi = sonde_fdtd_find_array(monitor, "phi");

	text_append(drawing->script, "$d%d << EOD\n", ++drawing->blocks);
	if (cut->against_phi) {
		int64_t last = phi->sizes[0] - 1;
		for (int64_t n = 0; n <= last; ++n)
			append_direction(drawing, phi->values[n], radius_of(drawing, far_value(of, 0, n), most));
		/* the circle closes if the next angle would be the first one */
		if (last > 0 && 360.0 - (phi->values[last] - phi->values[0]) <=
				    1.5 * (phi->values[last] - phi->values[0]) / (double)last)
			append_direction(drawing, phi->values[0], radius_of(drawing, far_value(of, 0, 0), most));
	} else {
		for (int64_t n = theta->sizes[0] - 1; n >= 0 && cut->opposite >= 0; --n)
			append_direction(drawing, 90.0 + theta->values[n],
					 radius_of(drawing, far_value(of, n, cut->opposite), most));
		for (int64_t n = 0; n < theta->sizes[0]; ++n)
			append_direction(drawing, 90.0 - theta->values[n],
					 radius_of(drawing, far_value(of, n, cut->phi), most));
	}
	text_append(drawing->script, "EOD\n");
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
static void append_circles(struct drawing *drawing, bool against_phi)
{
	for (int n = 1; n <= CIRCLES; ++n) {
		const double radius = (double)n / CIRCLES,
			     decibels = in_decibels(drawing) ? -DECIBELS * (1.0 - radius)
							     : 10.0 * (log10((double)n) - log10((double)CIRCLES));
		text_append(drawing->script,
			    "set object %d circle at 0,0 size %g fs empty border lc rgb '#cccccc' back\n", n, radius);
		if (n < CIRCLES)
			text_append(drawing->script,
				    "set label %d '%.2g dB' at %.4g,%.4g left font ',8' tc rgb '#888888'\n", n,
				    decibels, 0.02 + 0.26 * radius, 0.965 * radius);
	}
	for (int n = 0; n < 360 / DEGREES_OF_RAY; ++n) {
		const int degrees = n * DEGREES_OF_RAY;
		/* theta increases from the top to both sides */
		const int shown = against_phi ? degrees : abs(degrees <= 270 ? 90 - degrees : 450 - degrees);
		const double x = cos(degrees * M_PI / 180.0), y = sin(degrees * M_PI / 180.0);
		text_append(drawing->script,
			    "set arrow %d from 0,0 to %.5g,%.5g nohead back lc rgb '#dddddd'\n"
			    "set label %d '%d°' at %.5g,%.5g center font ',9'\n",
			    n + 1, x, y, CIRCLES + n + 1, shown, 1.1 * x, 1.1 * y);
	}
	text_append(drawing->script,
		    "set label %d '%s' at -1.35,1.1 left\n"
		    "unset border\nunset tics\nunset xlabel\nunset ylabel\nset size ratio -1\n",
		    LABELS, against_phi ? "φ" : "θ");
}

static void remove_circles(struct drawing *drawing)
{
	text_append(drawing->script, "\nunset object\n");
	for (int n = 1; n <= LABELS; ++n)
		text_append(drawing->script, "unset label %d\n", n);
	for (int n = 1; n <= 360 / DEGREES_OF_RAY; ++n)
		text_append(drawing->script, "unset arrow %d\n", n);
	text_append(drawing->script, "set border 31 lc rgb '#444444'\nset tics out\nset size noratio\nunset title\n");
}

void append_far_field(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *section = sonde_fdtd_find_array(monitor, "cross-section"),
			       *of = section != NULL ? section : sonde_fdtd_find_array(monitor, "intensity"),
			       *theta = sonde_fdtd_find_array(monitor, "theta"),
			       *phi = sonde_fdtd_find_array(monitor, "phi"),
			       *frequency = sonde_fdtd_find_array(monitor, "frequency");
	struct cut cuts[2];
	int count = choose_cuts(theta, phi, cuts), first = drawing->blocks + 1;
	double most = 0.0;
	char quantity[80];

	for (int64_t t = 0; t < theta->sizes[0]; ++t)
		for (int64_t p = 0; p < phi->sizes[0]; ++p)
			most = fmax(most, far_value(of, t, p));
	for (int k = 0; k < count; ++k)
		append_cut(drawing, monitor, of, &cuts[k], most > 0.0 ? most : 1.0);
	snprintf(quantity, sizeof quantity, "%s, outer circle %.4g", of->name, most);
	append_title(drawing, monitor, false, frequency->values[frequency->sizes[0] / 2], quantity, of->unit);
	append_circles(drawing, cuts[0].against_phi);
	text_append(drawing->script, "%s\nplot [-1.4:1.4] [-1.2:1.2] ",
		    cuts[0].against_phi ? "unset key" : "set key outside bottom center horizontal");
	for (int k = 0; k < count; ++k) {
		text_append(drawing->script, "%s$d%d with lines lc rgb '%s' lw 1.5 ", k > 0 ? ", " : "", first + k,
			    curve_colors[k]);
		if (cuts[k].against_phi)
			text_append(drawing->script, "title 'against φ'");
		else
			text_append(drawing->script, "title 'φ = %.4g°'", phi->values[cuts[k].phi]);
	}
	remove_circles(drawing);
}
