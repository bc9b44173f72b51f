/* Drawing of pictures by gnuplot. */
#ifndef SONDE_CLI_PLOT_GNUPLOT_H
#define SONDE_CLI_PLOT_GNUPLOT_H

#include <stdbool.h>

#include "base/text.h"
#include "sonde/context.h"

/* Checks before the computation that a picture can be drawn to `path`: gnuplot is installed, and so on. */
sonde_status gnuplot_check(const char *path, bool overwrite);
/* Feeds gnuplot a script, which draws a PNG picture to its standard output, and writes that to a file. gnuplot reads
 * the whole script before it draws; it is stopped when `context` is cancelled. */
sonde_status gnuplot_draw(const sonde_context *context, const struct text *script, const char *path, bool overwrite);

/* gnuplot_text.c: logarithmic axes as given by program->plot_axes, if there are positive values; `log_y` is the choice of auto.
 * `range` is that of a linear axis, as "[0:*]". */
void gnuplot_append_axes(struct text *script, int plot_axes, bool log_y, bool has_positive, const char *range);
/* Whether the y axis is logarithmic then. */
bool gnuplot_axes_log_y(int plot_axes, bool log_y, bool has_positive);
/* A name from the user within quotes of a script: characters with a meaning to gnuplot become points. */
void gnuplot_append_label(struct text *script, const char *label);
/* Palettes: blue, gray, red for signed numbers; from light to dark for others. */
void gnuplot_append_diverging(struct text *script);
void gnuplot_append_sequential(struct text *script);

#endif
