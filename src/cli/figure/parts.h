/* What is in the frame of a panel. */
#ifndef SONDE_CLI_FIGURE_PARTS_H
#define SONDE_CLI_FIGURE_PARTS_H

#include "cli/figure/canvas.h"

/* Draws everything in the frame: texts above the rest. */
void parts_draw(cairo_t *cairo, const struct panel *panel, const struct place *place);

#endif
