#include "cli/plot/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/axes.h"

#define MOST_WEIGHTS 12 /* bars */
#define MOST_LINES 8    /* of a series */

static void add_fit(struct figure *figure, const struct match_curve *curve, int plot_axes)
{
	static const char *const labels[] = {"I(q)", "S(q)", "F(q) (Å⁻¹)", "G(r) (Å⁻²)"};
	double low = INFINITY, high = -INFINITY;

	figure_panel(figure);
	for (int64_t k = 0; k < curve->count; ++k) {
		low = fmin(low, fmin(curve->measured[k], curve->fitted[k]));
		high = fmax(high, fmax(curve->measured[k], curve->fitted[k]));
	}
	plot_axes_set(figure, plot_axes, low > 0.0 && high > 100.0 * low, high > 0.0, false);
	figure_legend(figure, FIGURE_RIGHT);
	figure_label(figure, FIGURE_X, "%s", curve->curve == LIBRARY_G ? "r (Å)" : "q (Å⁻¹)");
	figure_label(figure, FIGURE_Y, "%s", labels[curve->curve]);
	figure_range(figure, FIGURE_X, curve->x[0], curve->x[curve->count - 1]);
	figure_text(figure, &(struct figure_text){.at = {0.015, 0.94}, .relative = true, .color = 0x222222},
		    "Rwp = %.3g %%", 100.0 * curve->rwp);
	figure_curve(figure, (struct figure_style){.color = 0x777777, .marker = 4.5, .hollow = true}, "measured",
		     curve->x, curve->measured, curve->count);
	figure_curve(figure, (struct figure_style){.color = 0x1f4e9a, .width = 1.7}, "fit", curve->x, curve->fitted,
		     curve->count);
	figure_curve(figure, (struct figure_style){.color = 0x2e7d32, .width = 1.5, .dash = FIGURE_DASHED},
		     "background", curve->x, curve->background, curve->count);
}

/* Below the curves, shifted, on a linear axis. */
static sonde_status add_residual(struct figure *figure, const struct match_curve *curve, int plot_axes)
{
	double low = INFINITY, high = -INFINITY, up = -INFINITY, *shifted;

	for (int64_t k = 0; k < curve->count; ++k) {
		low = fmin(low, fmin(curve->measured[k], curve->fitted[k]));
		high = fmax(high, fmax(curve->measured[k], curve->fitted[k]));
		up = fmax(up, curve->residual[k]);
	}
	if (plot_axes_log_y(plot_axes, low > 0.0 && high > 100.0 * low, high > 0.0))
		return SONDE_OK;
	CHECK(memory_allocate(&shifted, (size_t)curve->count, sizeof *shifted, "the picture"));
	for (int64_t k = 0; k < curve->count; ++k)
		shifted[k] = curve->residual[k] + low - 0.05 * (high - low) - up;
	figure_curve(figure, (struct figure_style){.color = 0xa83232, .width = 1.5}, "residual, shifted", curve->x,
		     shifted, curve->count);
	free(shifted);
	return SONDE_OK;
}

sonde_status plot_match_add_curve(struct figure *figure, const struct match_curve *curve, int plot_axes)
{
	add_fit(figure, curve, plot_axes);
	return add_residual(figure, curve, plot_axes);
}

static void add_weights(struct figure *figure, const struct match_result *result)
{
	const int count = result->weight_count < MOST_WEIGHTS ? result->weight_count : MOST_WEIGHTS;
	double at[MOST_WEIGHTS], numbers[3][MOST_WEIGHTS];
	const char *names[MOST_WEIGHTS];

	figure_panel(figure);
	if (count == 0) {
		figure_text(figure,
			    &(struct figure_text){
				.at = {0.5, 0.5}, .relative = true, .color = 0x222222, .align = FIGURE_CENTER},
			    "no candidate has a weight");
		return;
	}
	for (int k = 0; k < count; ++k) {
		const struct match_weight *weight = &result->weights[k];
		at[k] = -(double)k;
		numbers[0][k] = weight->weight;
		numbers[1][k] = weight->low;
		numbers[2][k] = weight->high;
		names[k] = weight->entry.name;
	}
	figure_label(figure, FIGURE_X, "weight, with its 95 %% interval");
	figure_name_rows(figure, names, count);
	figure_range(figure, FIGURE_X, 0.0, NAN);
	figure_range(figure, FIGURE_Y, 0.5 - (double)count, 0.5);
	const struct figure_style style = {.color = 0x1f4e9a, .width = 1.6};
	figure_bars(figure, style, true, at, numbers[1], numbers[2], count);
	figure_curve(figure, (struct figure_style){.color = 0x1f4e9a, .marker = 9.0}, NULL, numbers[0], at, count);
}

/* The candidate with the largest weight in any curve, of those that are not drawn yet; -1: none has a weight. */
static int64_t find_next(const struct match_series *series, bool drawn[1024])
{
	double largest = 0.0;
	int64_t best = -1;

	for (int64_t j = 0; j < series->candidates && j < 1024; ++j)
		for (int64_t n = 0; !drawn[j] && n < series->count; ++n)
			if (series->weights[n * series->candidates + j] > largest) {
				largest = series->weights[n * series->candidates + j];
				best = j;
			}
	if (best >= 0)
		drawn[best] = true;
	return best;
}

/* Lines of the candidates with the largest weights, with bars of 95 % intervals, or of one standard deviation. */
static sonde_status add_series(struct figure *figure, const struct match_result *result)
{
	const struct match_series *series = &result->series;
	bool drawn[1024] = {false};
	double *numbers;
	int64_t candidate;

	CHECK(memory_allocate(&numbers, 4 * (size_t)series->count, sizeof *numbers, "the picture"));
	double *weights = numbers + series->count, *low = weights + series->count, *high = low + series->count;
	figure_panel(figure);
	figure_label(figure, FIGURE_X, "number of the curve");
	figure_label(figure, FIGURE_Y, "weight");
	for (int k = 0; k < MOST_LINES && (candidate = find_next(series, drawn)) >= 0; ++k) {
		const struct figure_style style = {.color = figure_colors[k % 8], .width = 1.4, .marker = 5.0};
		for (int64_t n = 0; n < series->count; ++n) {
			const int64_t place = n * series->candidates + candidate;
			numbers[n] = (double)n + 1.0;
			weights[n] = series->weights[place];
			low[n] = series->low != NULL ? series->low[place] : weights[n] - series->errors[place];
			high[n] = series->low != NULL ? series->high[place] : weights[n] + series->errors[place];
		}
		figure_bars(figure, style, false, numbers, low, high, series->count);
		figure_curve(figure, style, series->entries[candidate].name, numbers, weights, series->count);
	}
	free(numbers);
	return SONDE_OK;
}

/* Whether a parameter is the first one of its kind. */
static bool is_first(const struct match_series *series, int parameter)
{
	for (int k = 0; k < parameter; ++k)
		if (strcmp(series->parameter[k].name, series->parameter[parameter].name) == 0)
			return false;
	return true;
}

/* Whether the candidate of a parameter has a weight in any curve. */
static bool has_values(const struct match_series *series, int parameter)
{
	for (int64_t n = 0; n < series->count; ++n)
		if (!isnan(series->values[n * series->parameter_count + parameter]))
			return true;
	return false;
}

static const char *unit_of(const struct match_parameter *parameter)
{
	return strcmp(parameter->unit, "angstrom") == 0     ? " (Å)"
	       : strcmp(parameter->unit, "angstrom^2") == 0 ? " (Å²)"
	       : strcmp(parameter->unit, "1/angstrom") == 0 ? " (Å⁻¹)"
							    : "";
}

/* Values of the parameters of a kind, with bars as those of the weights. */
static sonde_status add_parameters(struct figure *figure, const struct match_series *series, int first)
{
	const struct match_parameter *kind = &series->parameter[first];
	const int64_t count = series->count;
	double *numbers;
	int shown = 0;

	CHECK(memory_allocate(&numbers, 4 * (size_t)count, sizeof *numbers, "the picture"));
	double *values = numbers + count, *low = values + count, *high = low + count;
	figure_panel(figure);
	figure_label(figure, FIGURE_X, "number of the curve");
	figure_label(figure, FIGURE_Y, "%s%s", kind->name, unit_of(kind));
	for (int k = first; k < series->parameter_count && shown < MOST_LINES; ++k) {
		if (strcmp(series->parameter[k].name, kind->name) != 0 || !has_values(series, k))
			continue;
		for (int64_t n = 0; n < count; ++n) {
			const int64_t place = n * series->parameter_count + k;
			numbers[n] = (double)n + 1.0;
			values[n] = series->values[place];
			low[n] = series->value_low != NULL ? series->value_low[place]
							   : values[n] - series->value_errors[place];
			high[n] = series->value_low != NULL ? series->value_high[place]
							    : values[n] + series->value_errors[place];
		}
		const struct figure_style style = {.color = figure_colors[shown++ % 8], .width = 1.4, .marker = 5.0};
		figure_bars(figure, style, false, numbers, low, high, count);
		figure_curve(figure, style, series->parameter[k].of[0] != '\0' ? series->parameter[k].of : NULL,
			     numbers, values, count);
	}
	free(numbers);
	return SONDE_OK;
}

sonde_status plot_match(sonde_context *context, const struct match_result *result,
			const sonde_program_options *program)
{
	const struct match_series *series = &result->series;
	int panels = result->curve_count + 1;

	for (int k = 0; k < series->parameter_count; ++k)
		panels += is_first(series, k);
	struct figure *figure = figure_create(1100, 120 + 400 * panels, panels, 1);
	sonde_status status = SONDE_OK;

	for (int d = 0; d < result->curve_count && figure != NULL && status == SONDE_OK; ++d)
		status = plot_match_add_curve(figure, &result->curves[d], program->plot_axes);
	if (figure != NULL && status == SONDE_OK && result->series.count > 0)
		status = add_series(figure, result);
	else if (figure != NULL && status == SONDE_OK)
		add_weights(figure, result);
	for (int k = 0; k < series->parameter_count && figure != NULL && status == SONDE_OK; ++k)
		if (is_first(series, k))
			status = add_parameters(figure, series, k);
	return plot_finish(context, status, &figure, program->plot, program->force != 0);
}
