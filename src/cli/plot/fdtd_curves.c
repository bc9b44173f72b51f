/* Spectra, fields against time, resonances. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/axes.h"
#include "cli/plot/fdtd_curves.h"

#define FEW 40           /* points that are marked */
#define MOST_POINTS 4000 /* of a trace; of longer ones the minimum and maximum of each segment are drawn */
#define MOST_CURVES 12
#define WEAK 1e-4 /* components below this fraction of the strongest are omitted */

/* Curves ------------------------------------------------------------------------------------ */

/* Those of a panel so far. */
struct curves {
	int count;
	bool few; /* one of them has few points: all are marked */
};

static void add_numbers(struct drawing *drawing, const double *x, const double *y, int64_t count, const char *title,
			struct curves *curves)
{
	const int n = curves->count++;

	curves->few |= count <= FEW;
	figure_curve(drawing->figure,
		     (struct figure_style){.color = figure_colors[n % 6],
					   .width = 1.7,
					   .marker = curves->few ? 5.0 : 0.0,
					   .dash = n / 6 % 2 == 0 ? FIGURE_SOLID : FIGURE_DASHED},
		     title, x, y, count);
}

static sonde_status add_curve(struct drawing *drawing, const sonde_fdtd_array *x, double factor_x,
			      const sonde_fdtd_array *y, double factor_y, const char *title, struct curves *curves)
{
	const int64_t count = y->sizes[0];
	double *numbers;

	if (curves->count == MOST_CURVES)
		return SONDE_OK;
	CHECK(memory_allocate(&numbers, 2 * (size_t)count, sizeof *numbers, "the picture"));
	for (int64_t n = 0; n < count; ++n) {
		numbers[n] = x->values[n] * factor_x;
		numbers[count + n] = y->values[n] * factor_y;
	}
	add_numbers(drawing, numbers, numbers + count, count, title, curves);
	free(numbers);
	return SONDE_OK;
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
	figure_label(drawing->figure, FIGURE_X, "%s (%s)", light ? "wavelength in vacuum" : "frequency", scale->name);
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
static sonde_status add_sum(struct drawing *drawing, const sonde_fdtd_monitor *const of[2], struct curves *curves)
{
	const sonde_fdtd_array *transmission = sonde_fdtd_find_array(of[0], "transmission"),
			       *reflection = sonde_fdtd_find_array(of[1], "reflection");
	struct scale scale;
	const sonde_fdtd_array *x = spectrum_axis(drawing, of[0], &scale);
	const int64_t count = x->sizes[0];
	double *numbers;

	if (curves->count == MOST_CURVES || !same_axis(of[0], of[1]))
		return SONDE_OK;
	CHECK(memory_allocate(&numbers, 2 * (size_t)count, sizeof *numbers, "the picture"));
	for (int64_t n = 0; n < count; ++n) {
		numbers[n] = x->values[n] * scale.factor;
		numbers[count + n] = transmission->values[n] + reflection->values[n];
	}
	add_numbers(drawing, numbers, numbers + count, count, "sum", curves);
	free(numbers);
	return SONDE_OK;
}

sonde_status add_ratios(struct drawing *drawing)
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
			CHECK(add_curve(drawing, x, scale.factor, ratio, 1.0, title, &curves));
		}
	}
	plot_axes_set(drawing->figure, drawing->plot_axes, false, true, true);
	figure_label(drawing->figure, FIGURE_Y, "fraction of the incident power");
	return found[0] == 1 && found[1] == 1 ? add_sum(drawing, of, &curves) : SONDE_OK;
}

sonde_status add_powers(struct drawing *drawing)
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
		CHECK(add_curve(drawing, x, scale.factor, power, 1.0, monitor->name, &curves));
		for (int64_t f = 0; f < power->sizes[0]; ++f)
			negative |= power->values[f] < 0.0;
	}
	plot_axes_set(drawing->figure, drawing->plot_axes, false, true, !negative);
	figure_label(drawing->figure, FIGURE_Y, "energy (J/Hz)");
	return SONDE_OK;
}

sonde_status add_sections(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	static const char *const names[3] = {"extinction", "scattering", "absorption"};
	const sonde_fdtd_array *extinction = sonde_fdtd_find_array(monitor, "extinction");
	double most = largest_size(extinction->values, extinction->sizes[0]);
	struct scale scale, unit = strcmp(extinction->unit, "m") == 0 ? scale_of_length(most) : scale_of_area(most);
	struct curves curves = {0};
	const sonde_fdtd_array *x = spectrum_axis(drawing, monitor, &scale);

	for (int k = 0; k < 3; ++k)
		CHECK(add_curve(drawing, x, scale.factor, sonde_fdtd_find_array(monitor, names[k]), unit.factor,
				names[k], &curves));
	plot_axes_set(drawing->figure, drawing->plot_axes, false, true, false);
	figure_label(drawing->figure, FIGURE_Y, "cross-section (%s)", unit.name);
	return SONDE_OK;
}

/* Against time -------------------------------------------------------------------------------------- */

/* "Ex", or the parts of complex fields; not "Ex-error". */
static bool is_component(const sonde_fdtd_array *array, char field)
{
	return array->rank == 1 && array->name[0] == field && array->name[1] >= 'x' && array->name[1] <= 'z' &&
	       array->name[2] != '-' && array->sizes[0] > 0;
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
static sonde_status add_trace(struct drawing *drawing, const sonde_fdtd_array *time, double factor,
			      const sonde_fdtd_array *trace, const char *title, struct curves *curves)
{
	const int64_t count = trace->sizes[0], piece = (2 * count + MOST_POINTS - 1) / MOST_POINTS;
	double x[2 * MOST_POINTS], y[2 * MOST_POINTS];
	int64_t points = 0;

	if (count <= MOST_POINTS || curves->count == MOST_CURVES)
		return add_curve(drawing, time, factor, trace, 1.0, title, curves);
	for (int64_t begin = 0; begin < count; begin += piece) {
		int64_t least = begin, most = begin;
		for (int64_t n = begin; n < begin + piece && n < count; ++n) {
			least = trace->values[n] < trace->values[least] ? n : least;
			most = trace->values[n] > trace->values[most] ? n : most;
		}
		for (int k = 0; k < 2; ++k) {
			const int64_t n = (k == 0) == (least < most) ? least : most;
			x[points] = time->values[n] * factor;
			y[points++] = trace->values[n];
		}
	}
	add_numbers(drawing, x, y, points, title, curves);
	return SONDE_OK;
}

sonde_status add_traces(struct drawing *drawing)
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
			CHECK(add_trace(drawing, time, scale.factor, trace, title, &curves));
		}
	}
	figure_label(drawing->figure, FIGURE_X, "time (%s)", scale.name);
	figure_label(drawing->figure, FIGURE_Y, "%c (%s)", field, field == 'E' ? "V/m" : "A/m");
	if (curves.count == 0)
		figure_title(drawing->figure, "no samples at the points");
	return SONDE_OK;
}

/* Resonances ---------------------------------------------------------------------------------------- */

void add_resonances(struct drawing *drawing, const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *frequency = sonde_fdtd_find_array(monitor, "frequency"),
			       *amplitude = sonde_fdtd_find_array(monitor, "amplitude"),
			       *quality = sonde_fdtd_find_array(monitor, "quality");
	const int64_t count = frequency->sizes[0];
	const struct scale scale = scale_of_frequency(largest_size(frequency->values, count));
	double low = INFINITY, high = 0.0;

	figure_title(drawing->figure, "%s: %s", monitor->name,
		     count > 0 ? "resonances with their Q" : "no resonances found");
	figure_label(drawing->figure, FIGURE_X, "frequency (%s)", scale.name);
	figure_label(drawing->figure, FIGURE_Y, "amplitude (%s)", amplitude->unit);
	for (int64_t n = 0; n < count; ++n) {
		const double at = frequency->values[n] * scale.factor;
		low = fmin(low, at);
		high = fmax(high, at);
		figure_impulses(drawing->figure, (struct figure_style){.color = figure_colors[0], .width = 2.0}, &at,
				&amplitude->values[n], 1);
		figure_text(drawing->figure,
			    &(struct figure_text){.at = {at, amplitude->values[n]},
						  .offset = {0.0, 10.0},
						  .size = 0.8,
						  .color = 0x222222,
						  .align = FIGURE_CENTER},
			    "%.4g", quality->values[n]);
	}
	if (count == 0)
		return;
	const double margin = high > low ? 0.1 * (high - low) : 0.05 * high;
	figure_range(drawing->figure, FIGURE_X, low - margin, high + margin);
	figure_range(drawing->figure, FIGURE_Y, 0.0, 1.15 * largest_size(amplitude->values, count));
}
