/* What is drawn on: a surface of cairo with the picture's font. */
#ifndef SONDE_CLI_FIGURE_CANVAS_H
#define SONDE_CLI_FIGURE_CANVAS_H

#include <cairo.h>

#include "cli/figure/description.h"

#define TEXT_SIZE 15.0 /* pixels */
#define TEXT_COLOR 0x222222
#define FRAME_COLOR 0x444444
#define GRID_COLOR 0xdddddd

void canvas_color(cairo_t *cairo, uint32_t color);
/* Width of a text of this size. */
double canvas_text_width(cairo_t *cairo, double size, const char *text);
/* A text that starts, is centered, or ends at x, with its middle at y; turned by 90 degrees to read upward. */
void canvas_text(cairo_t *cairo, double x, double y, double size, enum figure_align align, const char *text);
void canvas_text_upward(cairo_t *cairo, double x, double y, double size, const char *text);
/* Color, width and dashes of lines. */
void canvas_line(cairo_t *cairo, const struct figure_style *style);

/* Where a panel's numbers are on the canvas. */
struct place {
	double left, right, top, bottom; /* of the frame, in pixels */
	double low[FIGURE_AXES], high[FIGURE_AXES];
	bool logarithmic[FIGURE_AXES];
};
double place_x(const struct place *place, double value);
/* On the axis y, or y2. */
double place_y(const struct place *place, bool right, double value);

#endif
