/* Pictures of sonde fdtd's results: the choice of panels. */
#include <string.h>

#include "cli/plot/axes.h"
#include "cli/plot/drawings.h"
#include "cli/plot/fdtd_curves.h"
#include "cli/plot/fdtd_maps.h"
#include "fdtd/output/result_layer.h"

#define MOST_PANELS 6

/* Panels -------------------------------------------------------------------------------------- */

enum panel_kind {
	PANEL_RATIOS,     /* transmissions and reflections of all fluxes */
	PANEL_POWERS,     /* of fluxes that are not normalized, and absorbed */
	PANEL_SECTIONS,   /* cross-sections */
	PANEL_TRACES,     /* of all points */
	PANEL_RESONANCES, /* this and the following: of one monitor */
	PANEL_FAR,
	PANEL_MAP
};

struct panel {
	enum panel_kind kind;
	const sonde_fdtd_monitor *monitor; /* null if it shows several */
};

struct panels {
	int count, left_out;
	struct panel list[MOST_PANELS];
};

static void add(struct panels *panels, enum panel_kind kind, const sonde_fdtd_monitor *monitor)
{
	if (panels->count == MOST_PANELS)
		++panels->left_out;
	else
		panels->list[panels->count++] = (struct panel){kind, monitor};
}

static bool is_kind(const sonde_fdtd_monitor *monitor, const char *kind)
{
	return strcmp(monitor->kind, kind) == 0;
}

static bool has(const sonde_fdtd_monitor *monitor, const char *array)
{
	return sonde_fdtd_find_array(monitor, array) != NULL;
}

static bool is_ratio(const sonde_fdtd_monitor *monitor)
{
	return has(monitor, "transmission") || has(monitor, "reflection");
}

static bool is_power(const sonde_fdtd_monitor *monitor)
{
	return (is_kind(monitor, "flux") || is_kind(monitor, "absorption") || is_kind(monitor, "source-power")) &&
	       !is_ratio(monitor);
}

static bool is_point(const sonde_fdtd_monitor *monitor)
{
	return is_kind(monitor, "point");
}

static bool is_map(const sonde_fdtd_monitor *monitor)
{
	struct result_layer layer;

	return result_layer_of(monitor, &layer);
}

/* One panel for all monitors of that kind. */
static void add_group(const sonde_fdtd_result *result, bool (*belongs)(const sonde_fdtd_monitor *monitor),
		      enum panel_kind kind, struct panels *panels)
{
	for (int n = 0; n < result->monitor_count; ++n)
		if (belongs(&result->monitors[n])) {
			add(panels, kind, NULL);
			return;
		}
}

/* One panel for each of them. */
static void add_each(const sonde_fdtd_result *result, const char *monitor_kind, enum panel_kind kind,
		     struct panels *panels)
{
	for (int n = 0; n < result->monitor_count; ++n)
		if (is_kind(&result->monitors[n], monitor_kind) &&
		    (kind != PANEL_MAP || is_map(&result->monitors[n])))
			add(panels, kind, &result->monitors[n]);
}

static struct panels choose_panels(const sonde_fdtd_result *result)
{
	struct panels panels = {0};

	add_group(result, is_ratio, PANEL_RATIOS, &panels);
	add_each(result, "cross-section", PANEL_SECTIONS, &panels);
	add_group(result, is_power, PANEL_POWERS, &panels);
	add_each(result, "resonances", PANEL_RESONANCES, &panels);
	add_each(result, "far-field", PANEL_FAR, &panels);
	add_each(result, "fields", PANEL_MAP, &panels);
	add_each(result, "snapshot", PANEL_MAP, &panels);
	add_group(result, is_point, PANEL_TRACES, &panels);
	return panels;
}

static sonde_status add_panel(struct drawing *drawing, const struct panel *panel)
{
	figure_panel(drawing->figure);
	switch (panel->kind) {
	case PANEL_RATIOS:
		return add_ratios(drawing);
	case PANEL_POWERS:
		return add_powers(drawing);
	case PANEL_SECTIONS:
		return add_sections(drawing, panel->monitor);
	case PANEL_TRACES:
		return add_traces(drawing);
	case PANEL_RESONANCES:
		add_resonances(drawing, panel->monitor);
		break;
	case PANEL_FAR:
		return add_far_field(drawing, panel->monitor);
	case PANEL_MAP:
		return add_map(drawing, panel->monitor);
	}
	return SONDE_OK;
}

sonde_status plot_fdtd(sonde_context *context, const sonde_fdtd_result *result, const sonde_program_options *program)
{
	struct drawing drawing = {.result = result, .plot_axes = program->plot_axes};
	const struct panels panels = choose_panels(result);
	const int columns = panels.count > 2 ? 2 : 1, rows = (panels.count + columns - 1) / columns;
	sonde_status status = SONDE_OK;

	if (panels.count == 0)
		return status_fail_file(SONDE_INVALID, program->plot,
					"the monitors have no results that can be drawn");
	drawing.figure =
	    figure_create(columns == 1 ? 1000 : 1600, rows * (panels.count == 1 ? 720 : 540), rows, columns);
	for (int n = 0; n < panels.count && drawing.figure != NULL && status == SONDE_OK; ++n)
		status = add_panel(&drawing, &panels.list[n]);
	if (panels.left_out > 0 && drawing.figure != NULL)
		figure_note(drawing.figure, "panels not shown: %d", panels.left_out);
	return plot_finish(context, status, &drawing.figure, program->plot, program->force != 0);
}

sonde_status plot_fdtd_check(const sonde_fdtd_job *job)
{
	return job->monitors.count > 0
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "plot: the job has no monitors, so there is nothing to draw");
}
