/* Pictures by gnuplot. */
#ifndef SONDE_CLI_PLOT_H
#define SONDE_CLI_PLOT_H

#include <stdbool.h>

#include "sonde/debye.h"

/* Checks before the work that a picture can be drawn into `path`: gnuplot is there, and so on. */
sonde_status plot_check(const char *path, bool overwrite);
/* Draws I(q)/N and G(r) into a PNG file. Stops gnuplot when `context` is cancelled. */
sonde_status plot_debye(sonde_context *context, const sonde_debye_result *result, const char *path, bool overwrite);

#endif
