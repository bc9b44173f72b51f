#include "cli/plot/axes.h"

#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "run/context.h"
#include "sonde/program_options.h"

bool plot_axes_log_y(int plot_axes, bool log_y, bool has_positive)
{
	return (plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG || plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG_Y ||
		(plot_axes == SONDE_PROGRAM_PLOT_AXES_AUTO && log_y)) &&
	       has_positive;
}

bool plot_axes_log_x(int plot_axes)
{
	return plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG || plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG_X;
}

void plot_axes_set(struct figure *figure, int plot_axes, bool log_y, bool has_positive, bool from_zero)
{
	if (plot_axes_log_x(plot_axes))
		figure_logarithmic(figure, FIGURE_X);
	if (plot_axes_log_y(plot_axes, log_y, has_positive))
		figure_logarithmic(figure, FIGURE_Y);
	else if (from_zero)
		figure_range(figure, FIGURE_Y, 0.0, NAN);
}

void plot_label(struct figure *figure, enum figure_axis axis, const char *name, const char *unit)
{
	figure_label(figure, axis, unit[0] != '\0' ? "%s (%s)" : "%s%s", name, unit);
}

sonde_status plot_finish(const sonde_context *context, sonde_status status, struct figure **figure, const char *path,
			 bool overwrite)
{
	if (status == SONDE_OK && *figure == NULL)
		status = memory_missing("the picture");
	if (status == SONDE_OK && context_cancelled(context))
		status = status_fail(SONDE_CANCELLED, "stopped on request while drawing %s", path);
	if (status == SONDE_OK)
		status = figure_write(*figure, path, overwrite);
	figure_free(figure);
	return status;
}
