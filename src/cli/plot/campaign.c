#include "cli/plot/campaign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/plot/gnuplot.h"

static const char *const colors[] = {"#1f4e9a", "#a83232", "#2e7d32", "#8e5a00", "#5b3a8c", "#00798c"};
#define COLORS (sizeof colors / sizeof *colors)
#define MOST_PANELS 6
#define MOST_CURVES 12

/* The jobs of a curve, by the first of them. */
struct curves {
	size_t first[MOST_CURVES];
	size_t count;
};

static int find_axis(const struct campaign *campaign)
{
	const char *unit;

	if (campaign->convergence != CAMPAIGN_FIXED)
		return campaign->over;
	for (int k = 0; k < campaign->variable_count; ++k)
		if (campaign_varies(campaign, k) && campaign_is_numeric(campaign, k, &unit))
			return k;
	return -1;
}

sonde_status plot_campaign_check(const struct campaign *campaign)
{
	if (campaign->figure_count == 0)
		return status_fail(SONDE_INVALID, "plot: '%s' collects no figures, so there is nothing to draw",
				   campaign->path);
	if (find_axis(campaign) < 0)
		return status_fail(SONDE_INVALID,
				   "plot: '%s' has no variable with different numbers to draw figures against",
				   campaign->path);
	return SONDE_OK;
}

static bool is_same_curve(const struct campaign *campaign, int axis, size_t a, size_t b)
{
	for (int k = 0; k < campaign->variable_count; ++k)
		if (k != axis && strcmp(campaign->jobs[a].values[k], campaign->jobs[b].values[k]) != 0)
			return false;
	return true;
}

static void find_curves(const struct campaign *campaign, int axis, struct curves *curves)
{
	for (size_t row = 0; row < campaign->job_count && curves->count < MOST_CURVES; ++row) {
		size_t first = 0;
		while (!is_same_curve(campaign, axis, first, row))
			++first;
		if (first == row)
			curves->first[curves->count++] = row;
	}
}

struct point {
	double x, y, error;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

/* Appends the points of one curve in the order of x. */
static sonde_status append_curve(const struct campaign *campaign, const struct campaign_table *table, int axis,
				 int figure, size_t first, struct text *script)
{
	struct point *points;
	size_t count = 0;

	CHECK(memory_allocate(&points, table->rows, sizeof *points, "a picture"));
	for (size_t row = first; row < table->rows; ++row) {
		const char *unit;
		if (!is_same_curve(campaign, axis, first, row) ||
		    !isfinite(campaign_table_figure(table, row, figure)))
			continue;
		(void)campaign_number(campaign->jobs[row].values[axis], &points[count].x, &unit);
		points[count].y = campaign_table_figure(table, row, figure);
		points[count].error = campaign_table_error(table, row, figure);
		++count;
	}
	qsort(points, count, sizeof *points, compare_points);
	for (size_t k = 0; k < count; ++k)
		text_append(script, "%.8g %.8g %.8g\n", points[k].x, points[k].y,
			    isfinite(points[k].error) ? points[k].error : 0.0);
	free(points);
	return SONDE_OK;
}

static void append_title(const struct campaign *campaign, int axis, size_t row, struct text *script)
{
	const char *separator = "";

	for (int k = 0; k < campaign->variable_count; ++k) {
		if (k == axis || !campaign_varies(campaign, k))
			continue;
		text_append(script, "%s", separator);
		gnuplot_append_label(script, campaign->variables[k]);
		text_append(script, " ");
		gnuplot_append_label(script, campaign->jobs[row].values[k]);
		separator = ", ";
	}
}

/* A wide range of positive numbers has a logarithmic axis. */
static bool is_wide(double low, double high)
{
	return low > 0.0 && high >= 10.0 * low;
}

static void append_axes(const struct campaign *campaign, const struct campaign_table *table, int axis, int figure,
			int plot_axes, struct text *script)
{
	double low = INFINITY, high = -INFINITY, left = INFINITY, right = -INFINITY;

	for (size_t row = 0; row < table->rows; ++row) {
		const char *unit;
		double x;
		const double y = campaign_table_figure(table, row, figure);
		if (!isfinite(y) || !campaign_number(campaign->jobs[row].values[axis], &x, &unit))
			continue;
		low = fmin(low, y);
		high = fmax(high, y);
		left = fmin(left, x);
		right = fmax(right, x);
	}
	text_append(script, "unset logscale\n");
	gnuplot_append_axes(script, plot_axes, is_wide(low, high), high > 0.0, "[*:*]");
	if (plot_axes == SONDE_PROGRAM_PLOT_AXES_AUTO && is_wide(left, right))
		text_append(script, "set logscale x\n");
}

static sonde_status append_panel(const struct campaign *campaign, const struct campaign_table *table,
				 const struct curves *curves, int axis, int figure, int plot_axes,
				 struct text *script)
{
	const char *unit = "";

	for (size_t k = 0; k < curves->count; ++k) {
		text_append(script, "$data%zu << EOD\n", k);
		CHECK(append_curve(campaign, table, axis, figure, curves->first[k], script));
		text_append(script, "EOD\n");
	}
	append_axes(campaign, table, axis, figure, plot_axes, script);
	(void)campaign_is_numeric(campaign, axis, &unit);
	text_append(script, "set xlabel '");
	gnuplot_append_label(script, campaign->variables[axis]);
	if (unit[0] != '\0') {
		text_append(script, " (");
		gnuplot_append_label(script, unit);
		text_append(script, ")");
	}
	text_append(script, "' noenhanced\nset ylabel '");
	gnuplot_append_label(script, campaign->figures[figure].name);
	text_append(script, "' noenhanced\nplot ");
	for (size_t k = 0; k < curves->count; ++k) {
		const char *color = colors[k % COLORS];
		if (table->has_errors[figure])
			text_append(script, "$data%zu with yerrorbars pt 7 ps 0.7 lc rgb '%s' notitle, ", k, color);
		text_append(script, "$data%zu using 1:2 with linespoints pt 7 ps 0.7 lc rgb '%s' ", k, color);
		if (curves->count > 1) {
			text_append(script, "title '");
			append_title(campaign, axis, curves->first[k], script);
			text_append(script, "' noenhanced%s", k + 1 < curves->count ? ", " : "");
		} else {
			text_append(script, "notitle");
		}
	}
	text_append(script, "\n");
	return SONDE_OK;
}

static bool has_figures(const struct campaign_table *table, int figure)
{
	for (size_t row = 0; row < table->rows; ++row)
		if (isfinite(campaign_table_figure(table, row, figure)))
			return true;
	return false;
}

sonde_status plot_campaign(sonde_context *context, const struct campaign *campaign,
			   const struct campaign_table *table, const sonde_program_options *program)
{
	struct text script = {0};
	struct curves curves = {.count = 0};
	int panels[MOST_PANELS], count = 0;
	const int axis = find_axis(campaign);

	for (int k = 0; k < table->figures && count < MOST_PANELS; ++k)
		if (has_figures(table, k))
			panels[count++] = k;
	if (count == 0)
		return status_fail(SONDE_INVALID, "plot: no job has a figure that could be drawn");
	find_curves(campaign, axis, &curves);
	const int columns = count > 1 ? 2 : 1, rows = (count + columns - 1) / columns;
	text_append(&script,
		    "set terminal pngcairo size %d,%d font 'Sans,13'\nset multiplot layout %d,%d\n"
		    "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\nset key top left\n",
		    columns > 1 ? 1400 : 1000, rows * 520, rows, columns);
	sonde_status status = SONDE_OK;
	for (int k = 0; k < count && status == SONDE_OK; ++k)
		status = append_panel(campaign, table, &curves, axis, panels[k], program->plot_axes, &script);
	text_append(&script, "unset multiplot\nset output\nexit\n");
	if (status == SONDE_OK)
		status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
