/* Spectra, fields against time, resonances. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/plot/gnuplot.h"
#include "cli/plot/fdtd_curves.h"

#define FEW 40           /* points that are marked */
#define MOST_POINTS 4000 /* of a trace; of longer ones the minimum and maximum of each segment are drawn */
#define WEAK 1e-4        /* components below this fraction of the strongest are omitted */

static const char *const spectrum_key = "set key outside top center horizontal\nset grid lc rgb '#dddddd'\n";

/* Curves ------------------------------------------------------------------------------------ */

/* Begins a data block; returns its number. */
static int begin_block(struct drawing *drawing)
{
	text_append(drawing->script, "$d%d << EOD\n", ++drawing->blocks);
	return drawing->blocks;
}

static void append_pairs(struct drawing *drawing, const double *x, double factor_x, const double *y, double factor_y,
			 int64_t count)
{
	for (int64_t n = 0; n < count; ++n)
		if (isfinite(y[n]))
			text_append(drawing->script, "%.9g %.7g\n", x[n] * factor_x, y[n] * factor_y);
	text_append(drawing->script, "EOD\n");
}

/* The curves of a panel, drawn together when all their data are written. */
struct curves {
	int count;
	int blocks[12];
	char titles[12][104];
	bool few;
};

static bool is_full(const struct curves *curves)
{
	return curves->count == 12;
}

static void add_curve(struct drawing *drawing, const sonde_fdtd_array *x, double factor_x, const sonde_fdtd_array *y,
		      double factor_y, const char *title, struct curves *curves)
{
	if (is_full(curves))
		return;
	curves->blocks[curves->count] = begin_block(drawing);
	append_pairs(drawing, x->values, factor_x, y->values, factor_y, y->sizes[0]);
	snprintf(curves->titles[curves->count], sizeof curves->titles[0], "%s", title);
	curves->few |= y->sizes[0] <= FEW;
	++curves->count;
}

static void append_plot(struct drawing *drawing, const struct curves *curves)
{
	for (int n = 0; n < curves->count; ++n) {
		text_append(drawing->script, "%s$d%d with %s lc rgb '%s' lw 1.5 pt 7 ps 0.5 dt %d title '",
			    n == 0 ? "plot " : ", ", curves->blocks[n], curves->few ? "linespoints" : "lines",
			    curve_colors[n % 6], n / 6 + 1);
		gnuplot_append_label(drawing->script, curves->titles[n]);
		text_append(drawing->script, "' noenhanced");
	}
	text_append(drawing->script, "\nset yrange [*:*]\nunset grid\n");
}

/* Spectra --------------------------------------------------------------------------------------- */

/* Wavelengths of light, frequencies of slower waves: the array, its unit, the label of the axis. */
static const sonde_fdtd_array *spectrum_axis(struct drawing *drawing, const sonde_fdtd_monitor *monitor,
					     struct scale *scale)
{
	const sonde_fdtd_array *wavelength = sonde_fdtd_find_array(monitor, "wavelength"),
			       *frequency = sonde_fdtd_find_array(monitor, "frequency");
	double longest = largest_size(wavelength->values, wavelength->sizes[0]);
	bool light = longest < LONGEST_WAVE;

	*scale = light ? scale_of_length(longest)
		       : scale_of_frequency(largest_size(frequency->values, frequency->sizes[0]));
	text_append(drawing->script, "set xlabel '%s (%s)'\n", light ? "wavelength in vacuum" : "frequency",
		    scale->name);
	return light ? wavelength : frequency;
}

/* Whether two monitors have the same frequencies. */
static bool same_axis(const sonde_fdtd_monitor *a, const sonde_fdtd_monitor *b)
{
	const sonde_fdtd_array *x = sonde_fdtd_find_array(a, "frequency"), *y = sonde_fdtd_find_array(b, "frequency");

	return x->sizes[0] == y->sizes[0] &&
	       memcmp(x->values, y->values, (size_t)x->sizes[0] * sizeof *x->values) == 0;
}

/* Reflection and transmission together, if there is one of each. */
static void add_sum(struct drawing *drawing, const sonde_fdtd_monitor *const of[2], struct curves *curves)
{
	const sonde_fdtd_array *transmission = sonde_fdtd_find_array(of[0], "transmission"),
			       *reflection = sonde_fdtd_find_array(of[1], "reflection");
	struct scale scale;
	const sonde_fdtd_array *x = spectrum_axis(drawing, of[0], &scale);

	if (is_full(curves) || !same_axis(of[0], of[1]))
		return;
	curves->blocks[curves->count] = begin_block(drawing);
	for (int64_t n = 0; n < x->sizes[0]; ++n)
		text_append(drawing->script, "%.9g %.7g\n", x->values[n] * scale.factor,
			    transmission->values[n] + reflection->values[n]);
	text_append(drawing->script, "EOD\n");
	snprintf(curves->titles[curves->count++], sizeof curves->titles[0], "sum");
}

void append_ratios(struct drawing *drawing)
{
	const sonde_fdtd_result *result = drawing->result;
	const sonde_fdtd_monitor *of[2] = {NULL, NULL};
	int found[2] = {0, 0};
	struct curves curves = {0};
	struct scale scale;
	char title[104];

	for (int n = 0; n < result->monitor_count; ++n) {
		const sonde_fdtd_monitor *monitor = &result->monitors[n];
		for (int k = 0; k < 2; ++k) {
			const char *name = k == 0 ? "transmission" : "reflection";
			const sonde_fdtd_array *ratio = sonde_fdtd_find_array(monitor, name);
			if (ratio == NULL)
				continue;
			of[k] = monitor;
			++found[k];
			snprintf(title, sizeof title, "%s %s", monitor->name, name);
			const sonde_fdtd_array *x = spectrum_axis(drawing, monitor, &scale);
			add_curve(drawing, x, scale.factor, ratio, 1.0, title, &curves);
		}
	}
	if (found[0] == 1 && found[1] == 1)
		add_sum(drawing, of, &curves);
	text_append(drawing->script, "unset title\n%sset ylabel 'fraction of the incident power'\nset yrange [0:*]\n",
		    spectrum_key);
	append_plot(drawing, &curves);
}

void append_powers(struct drawing *drawing)
{
	bool negative = false;
	const sonde_fdtd_result *result = drawing->result;
	struct curves curves = {0};
	struct scale scale;

	for (int n = 0; n < result->monitor_count; ++n) {
		const sonde_fdtd_monitor *monitor = &result->monitors[n];
		const sonde_fdtd_array *power = sonde_fdtd_find_array(monitor, "power");
		if (power == NULL || sonde_fdtd_find_array(monitor, "transmission") != NULL ||
		    sonde_fdtd_find_array(monitor, "reflection") != NULL ||
		    sonde_fdtd_find_array(monitor, "theta") != NULL)
			continue;
		const sonde_fdtd_array *x = spectrum_axis(drawing, monitor, &scale);
		add_curve(drawing, x, scale.factor, power, 1.0, monitor->name, &curves);
		for (int64_t f = 0; f < power->sizes[0]; ++f)
			negative |= power->values[f] < 0.0;
	}
	text_append(drawing->script, "unset title\n%sset ylabel 'energy (J/Hz)'\n%s", spectrum_key,
		    negative ? "" : "set yrange [0:*]\n");
	append_plot(drawing, &curves);
}

void append_sections(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	static const char *const names[3] = {"extinction", "scattering", "absorption"};
	const sonde_fdtd_array *extinction = sonde_fdtd_find_array(monitor, "extinction");
	double most = largest_size(extinction->values, extinction->sizes[0]);
	struct scale scale, unit = strcmp(extinction->unit, "m") == 0 ? scale_of_length(most) : scale_of_area(most);
	struct curves curves = {0};
	const sonde_fdtd_array *x = spectrum_axis(drawing, monitor, &scale);

	for (int k = 0; k < 3; ++k)
		add_curve(drawing, x, scale.factor, sonde_fdtd_find_array(monitor, names[k]), unit.factor, names[k],
			  &curves);
	text_append(drawing->script, "unset title\n%sset ylabel 'cross-section (%s)'\n", spectrum_key, unit.name);
	append_plot(drawing, &curves);
}

/* Against time -------------------------------------------------------------------------------------- */

static bool is_component(const sonde_fdtd_array *array, char field)
{
	return array->rank == 1 && array->name[0] == field && array->name[1] >= 'x' && array->name[1] <= 'z' &&
	       array->sizes[0] > 0;
}

/* The strongest component of a field over all points. */
static double strongest_of(const sonde_fdtd_result *result, char field)
{
	double most = 0.0;

	for (int n = 0; n < result->monitor_count; ++n)
		for (int k = 0; k < result->monitors[n].array_count; ++k) {
			const sonde_fdtd_array *array = &result->monitors[n].arrays[k];
			if (strcmp(result->monitors[n].kind, "point") == 0 && is_component(array, field))
				most = fmax(most, largest_size(array->values, array->sizes[0]));
		}
	return most;
}

/* For long traces the minimum and maximum of each segment, so that no peak is lost. */
static void add_trace(struct drawing *drawing, const sonde_fdtd_array *time, double factor,
		      const sonde_fdtd_array *trace, const char *title, struct curves *curves)
{
	int64_t count = trace->sizes[0], piece = (2 * count + MOST_POINTS - 1) / MOST_POINTS;

	if (count <= MOST_POINTS || is_full(curves)) {
		add_curve(drawing, time, factor, trace, 1.0, title, curves);
		return;
	}
	curves->blocks[curves->count] = begin_block(drawing);
	for (int64_t begin = 0; begin < count; begin += piece) {
		int64_t least = begin, most = begin;
		for (int64_t n = begin; n < begin + piece && n < count; ++n) {
			least = trace->values[n] < trace->values[least] ? n : least;
			most = trace->values[n] > trace->values[most] ? n : most;
		}
		int64_t first = least < most ? least : most, second = least < most ? most : least;
		text_append(drawing->script, "%.9g %.7g\n%.9g %.7g\n", time->values[first] * factor,
			    trace->values[first], time->values[second] * factor, trace->values[second]);
	}
	text_append(drawing->script, "EOD\n");
	snprintf(curves->titles[curves->count++], sizeof curves->titles[0], "%s", title);
}

void append_traces(struct drawing *drawing)
{
	const sonde_fdtd_result *result = drawing->result;
	double strongest = strongest_of(result, 'E');
	char field = strongest > 0.0 ? 'E' : 'H';
	struct curves curves = {0};
	struct scale scale = scale_of_time(result->time);

	strongest = field == 'E' ? strongest : strongest_of(result, 'H');
	for (int n = 0; n < result->monitor_count; ++n) {
		const sonde_fdtd_monitor *monitor = &result->monitors[n];
		const sonde_fdtd_array *time = sonde_fdtd_find_array(monitor, field == 'E' ? "time" : "time-of-H");
		for (int k = 0; k < monitor->array_count && time != NULL && strcmp(monitor->kind, "point") == 0;
		     ++k) {
			const sonde_fdtd_array *trace = &monitor->arrays[k];
			char title[104];
			if (!is_component(trace, field) ||
			    largest_size(trace->values, trace->sizes[0]) < WEAK * strongest)
				continue;
			snprintf(title, sizeof title, "%s %s", monitor->name, trace->name);
			add_trace(drawing, time, scale.factor, trace, title, &curves);
		}
	}
	curves.few = false;
	text_append(drawing->script, "unset title\n%sset xlabel 'time (%s)'\nset ylabel '%c (%s)'\n", spectrum_key,
		    scale.name, field, field == 'E' ? "V/m" : "A/m");
	if (curves.count == 0)
		text_append(drawing->script, "set title 'no samples at the points'\nset yrange [0:1]\nplot [0:1] NaN "
					     "notitle\nset yrange [*:*]\n");
	else
		append_plot(drawing, &curves);
}

/* Resonances ---------------------------------------------------------------------------------------- */

void append_resonances(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *frequency = sonde_fdtd_find_array(monitor, "frequency"),
			       *amplitude = sonde_fdtd_find_array(monitor, "amplitude"),
			       *quality = sonde_fdtd_find_array(monitor, "quality");
	int64_t count = frequency->sizes[0];
	struct scale scale = scale_of_frequency(largest_size(frequency->values, count));
	double low = INFINITY, high = 0.0;

	text_append(drawing->script, "set title '");
	gnuplot_append_label(drawing->script, monitor->name);
	text_append(drawing->script, ": %s' noenhanced\nset key off\nset grid lc rgb '#dddddd'\n",
		    count > 0 ? "resonances with their Q" : "no resonances found");
	int block = begin_block(drawing);
	for (int64_t n = 0; n < count; ++n) {
		double at = frequency->values[n] * scale.factor;
		low = fmin(low, at);
		high = fmax(high, at);
		text_append(drawing->script, "%.9g %.6g %.4g\n", at, amplitude->values[n], quality->values[n]);
	}
	text_append(drawing->script, "EOD\nset xlabel 'frequency (%s)'\nset ylabel 'amplitude (%s)'\n", scale.name,
		    amplitude->unit);
	if (count == 0) {
		text_append(drawing->script, "set yrange [0:1]\nplot [0:1] NaN notitle\n");
	} else {
		double margin = high > low ? 0.1 * (high - low) : 0.05 * high;
		text_append(
		    drawing->script,
		    "set yrange [0:%.6g]\nplot [%.9g:%.9g] $d%d using 1:2 with impulses lc rgb '%s' lw 2 notitle, "
		    "'' using 1:2:3 with labels offset 0,0.8 font ',10' notitle\n",
		    1.15 * largest_size(amplitude->values, count), low - margin, high + margin, block,
		    curve_colors[0]);
	}
	text_append(drawing->script, "set yrange [*:*]\nunset title\nunset grid\n");
}
