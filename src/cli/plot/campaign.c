#include "cli/plot/campaign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/plot/axes.h"

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

/* The values of the other variables, as a curve's title. */
static void append_title(const struct campaign *campaign, int axis, size_t row, struct text *title)
{
	for (int k = 0; k < campaign->variable_count; ++k)
		if (k != axis && campaign_varies(campaign, k))
			text_append(title, "%s%s %s", title->size > 0 ? ", " : "", campaign->variables[k],
				    campaign->jobs[row].values[k]);
}

/* The points of one curve, in the order of x. */
static sonde_status take_points(const struct campaign *campaign, const struct campaign_table *table, int axis,
				int figure, size_t first, struct point **points, size_t *count)
{
	*count = 0;
	CHECK(memory_allocate(points, table->rows, sizeof **points, "a picture"));
	for (size_t row = first; row < table->rows; ++row) {
		const char *unit;
		if (!is_same_curve(campaign, axis, first, row) ||
		    !isfinite(campaign_table_figure(table, row, figure)))
			continue;
		struct point *point = &(*points)[(*count)++];
		(void)campaign_number(campaign->jobs[row].values[axis], &point->x, &unit);
		point->y = campaign_table_figure(table, row, figure);
		point->error = campaign_table_error(table, row, figure);
	}
	qsort(*points, *count, sizeof **points, compare_points);
	return SONDE_OK;
}

/* A curve with bars for the errors that are known. */
static sonde_status add_curve(struct figure *picture, const struct point *points, size_t count, uint32_t color,
			      const char *title)
{
	double *numbers;

	CHECK(memory_allocate(&numbers, 4 * count, sizeof *numbers, "a picture"));
	double *x = numbers, *y = x + count, *low = y + count, *high = low + count;
	for (size_t k = 0; k < count; ++k) {
		x[k] = points[k].x;
		y[k] = points[k].y;
		low[k] = points[k].y - points[k].error;
		high[k] = points[k].y + points[k].error;
	}
	figure_bars(picture, (struct figure_style){.color = color, .width = 1.3}, false, x, low, high,
		    (int64_t)count);
	figure_curve(picture, (struct figure_style){.color = color, .width = 1.5, .marker = 7.0}, title, x, y,
		     (int64_t)count);
	free(numbers);
	return SONDE_OK;
}

/* A wide range of positive numbers has a logarithmic axis. */
static bool is_wide(double low, double high)
{
	return low > 0.0 && high >= 10.0 * low;
}

static void set_axes(struct figure *picture, const struct campaign *campaign, const struct campaign_table *table,
		     int axis, int figure, int plot_axes)
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
	plot_axes_set(picture, plot_axes, is_wide(low, high), high > 0.0, false);
	if (plot_axes == SONDE_PROGRAM_PLOT_AXES_AUTO && is_wide(left, right))
		figure_logarithmic(picture, FIGURE_X);
}

/* Units as in the pictures of results. */
static void label_figure(struct figure *picture, const char *name, const char *unit)
{
	plot_label(picture, FIGURE_Y, name,
		   strcmp(unit, "1") == 0          ? ""
		   : strcmp(unit, "angstrom") == 0 ? "Angstrom"
						   : unit);
}

static sonde_status add_panel(struct figure *picture, const struct campaign *campaign,
			      const struct campaign_table *table, const struct curves *curves, int axis, int figure,
			      int plot_axes)
{
	const char *unit = "";
	sonde_status status = SONDE_OK;

	figure_panel(picture);
	figure_legend(picture, FIGURE_LEFT);
	set_axes(picture, campaign, table, axis, figure, plot_axes);
	(void)campaign_is_numeric(campaign, axis, &unit);
	plot_label(picture, FIGURE_X, campaign->variables[axis], unit);
	label_figure(picture, campaign->figures[figure].name, table->units[figure]);
	for (size_t k = 0; k < curves->count && status == SONDE_OK; ++k) {
		struct text title = {0};
		struct point *points = NULL;
		size_t count;
		if (curves->count > 1)
			append_title(campaign, axis, curves->first[k], &title);
		status = text_status(&title);
		if (status == SONDE_OK)
			status = take_points(campaign, table, axis, figure, curves->first[k], &points, &count);
		if (status == SONDE_OK)
			status = add_curve(picture, points, count, figure_colors[k % 8], title.bytes);
		free(points);
		text_free(&title);
	}
	return status;
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
	struct curves curves = {.count = 0};
	int panels[MOST_PANELS], count = 0;
	const int axis = find_axis(campaign);
	sonde_status status = SONDE_OK;

	for (int k = 0; k < table->figures && count < MOST_PANELS; ++k)
		if (has_figures(table, k))
			panels[count++] = k;
	if (count == 0)
		return status_fail(SONDE_INVALID, "plot: no job has a figure that could be drawn");
	find_curves(campaign, axis, &curves);
	const int columns = count > 1 ? 2 : 1, rows = (count + columns - 1) / columns;
	struct figure *picture = figure_create(columns > 1 ? 1400 : 1000, rows * 520, rows, columns);
	for (int k = 0; k < count && status == SONDE_OK && picture != NULL; ++k)
		status = add_panel(picture, campaign, table, &curves, axis, panels[k], program->plot_axes);
	return plot_finish(context, status, &picture, program->plot, program->force != 0);
}
