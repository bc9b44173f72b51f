/* Pictures of sonde fdtd's results: the choice of panels. */
#include <string.h>

#include "cli/plot/gnuplot.h"
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

/* Curves have the requested axes, other panels linear ones. */
static void append_axes(struct drawing *drawing, const struct panel *panel)
{
	const bool curves =
	    panel->kind == PANEL_RATIOS || panel->kind == PANEL_POWERS || panel->kind == PANEL_SECTIONS;

	text_append(drawing->script, "set format y '%%g'\n");
	gnuplot_append_axes(drawing->script, curves ? drawing->plot_axes : SONDE_PROGRAM_PLOT_AXES_LINEAR, false,
			    true, "[*:*]");
	text_append(drawing->script, curves ? "" : "set format y '%%g'\n");
}

static sonde_status append_panel(struct drawing *drawing, const struct panel *panel)
{
	append_axes(drawing, panel);
	switch (panel->kind) {
	case PANEL_RATIOS:
		append_ratios(drawing);
		break;
	case PANEL_POWERS:
		append_powers(drawing);
		break;
	case PANEL_SECTIONS:
		append_sections(drawing, panel->monitor);
		break;
	case PANEL_TRACES:
		append_traces(drawing);
		break;
	case PANEL_RESONANCES:
		append_resonances(drawing, panel->monitor);
		break;
	case PANEL_FAR:
		append_far_field(drawing, panel->monitor);
		break;
	case PANEL_MAP:
		return append_map(drawing, panel->monitor);
	}
	return SONDE_OK;
}

static sonde_status append_all(struct drawing *drawing, const struct panels *panels)
{
	int columns = panels->count > 1 ? 2 : 1, rows = (panels->count + columns - 1) / columns;

	if (panels->count == 2) {
		columns = 1;
		rows = 2;
	}
	text_append(drawing->script,
		    "set terminal pngcairo size %d,%d font 'Sans,12'\nset encoding utf8\n"
		    "set multiplot layout %d,%d\nset border lc rgb '#444444'\nset tics out\nset autoscale xfix\n"
		    "set format x '%%g'\nset format y '%%g'\n",
		    columns == 1 ? 1000 : 1600, rows * (panels->count == 1 ? 720 : 540), rows, columns);
	for (int n = 0; n < panels->count; ++n) {
		if (n == panels->count - 1 && panels->left_out > 0)
			text_append(drawing->script,
				    "set label 99 'panels not shown: %d' at screen 0.99, screen 0.008 right "
				    "font ',9'\n",
				    panels->left_out);
		CHECK(append_panel(drawing, &panels->list[n]));
	}
	text_append(drawing->script, "unset multiplot\nset output\nexit\n");
	return text_status(drawing->script);
}

sonde_status plot_fdtd(sonde_context *context, const sonde_fdtd_result *result, const sonde_program_options *program)
{
	const char *path = program->plot;
	struct text script = {0};
	struct drawing drawing = {.result = result, .script = &script, .plot_axes = program->plot_axes};
	struct panels panels = choose_panels(result);
	sonde_status status = panels.count > 0 ? append_all(&drawing, &panels)
					       : status_fail_file(SONDE_INVALID, path,
								  "the monitors have no results that can be drawn");

	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, path, program->force != 0);
	text_free(&script);
	return status;
}

sonde_status plot_fdtd_check(const sonde_fdtd_job *job)
{
	return job->monitors.count > 0
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "plot: the job has no monitors, so there is nothing to draw");
}
