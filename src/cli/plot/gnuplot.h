/* gnuplot, which draws the pictures. */
#ifndef SONDE_CLI_PLOT_GNUPLOT_H
#define SONDE_CLI_PLOT_GNUPLOT_H

#include <stdbool.h>

#include "base/text.h"
#include "sonde/context.h"

/* Checks before the work that a picture can be drawn into `path`: gnuplot is there, and so on. */
sonde_status gnuplot_check(const char *path, bool overwrite);
/* Feeds gnuplot a script, which draws a PNG picture to its standard output, and writes what it drew. gnuplot reads the
 * script to its end before it draws; it is stopped when `context` is cancelled. */
sonde_status gnuplot_draw(const sonde_context *context, const struct text *script, const char *path, bool overwrite);

/* gnuplot_text.c: logarithmic axes as program->plot_axes says, where there is something above 0; `log_y` is what auto is. Numbers of a
 * linear axis begin where `range` says: as "[0:*]". */
void gnuplot_append_axes(struct text *script, int plot_axes, bool log_y, bool has_positive, const char *range);
/* A name from the user within quotes of a script: what might mean something to gnuplot becomes a point. */
void gnuplot_append_label(struct text *script, const char *label);
/* Palettes: blue, grey, red for signed numbers; from light to dark for others. */
void gnuplot_append_diverging(struct text *script);
void gnuplot_append_sequential(struct text *script);

#endif
