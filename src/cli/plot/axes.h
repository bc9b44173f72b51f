/* Common to the pictures of all engines: the choice of axes, and the end. */
#ifndef SONDE_CLI_PLOT_AXES_H
#define SONDE_CLI_PLOT_AXES_H

#include <stdbool.h>

#include "cli/figure/figure.h"
#include "sonde/context.h"

/* Logarithmic axes as given by program->plot_axes, if there are positive values; `log_y` is the choice of auto. A linear
 * axis begins at 0 if `from_zero`. */
void plot_axes_set(struct figure *figure, int plot_axes, bool log_y, bool has_positive, bool from_zero);
/* Whether the y axis is logarithmic then. */
bool plot_axes_log_y(int plot_axes, bool log_y, bool has_positive);
bool plot_axes_log_x(int plot_axes);
/* "NAME (UNIT)", or "NAME" without a unit. */
void plot_label(struct figure *figure, enum figure_axis axis, const char *name, const char *unit);

/* Writes the picture, unless `status` is a failure or the caller asked to stop, and frees it. A null figure is a lack
 * of memory. */
sonde_status plot_finish(const sonde_context *context, sonde_status status, struct figure **figure, const char *path,
			 bool overwrite);

#endif
