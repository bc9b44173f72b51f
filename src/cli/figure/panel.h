/* A panel of a picture. */
#ifndef SONDE_CLI_FIGURE_PANEL_H
#define SONDE_CLI_FIGURE_PANEL_H

#include "cli/figure/canvas.h"

/* A rectangle of the canvas for a panel, and the least distances of its frame from the left and right sides: those of
 * the panels above and below, so that frames are aligned. */
struct panel_room {
	double left, top, width, height, margins[2];
};
/* Sets low, high and logarithmic of a place. */
void panel_find_limits(const struct panel *panel, struct place *place);
/* Enlarges the margins to those that a panel needs. */
void panel_find_margins(cairo_t *cairo, const struct panel *panel, struct panel_room *room);
void panel_draw(cairo_t *cairo, const struct panel *panel, const struct panel_room *room);

#endif
