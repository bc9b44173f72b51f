#include "cli/figure/canvas.h"

#include <math.h>

#define ABOVE_LINE 0.36 /* middle of the letters over the line on which they stand, relative to their size */

void canvas_color(cairo_t *cairo, uint32_t color)
{
	cairo_set_source_rgb(cairo, (double)(color >> 16 & 255U) / 255.0, (double)(color >> 8 & 255U) / 255.0,
			     (double)(color & 255U) / 255.0);
}

double canvas_text_width(cairo_t *cairo, double size, const char *text)
{
	cairo_text_extents_t extents;

	cairo_set_font_size(cairo, size);
	cairo_text_extents(cairo, text, &extents);
	return extents.x_advance;
}

void canvas_text(cairo_t *cairo, double x, double y, double size, enum figure_align align, const char *text)
{
	const double width = canvas_text_width(cairo, size, text), before = align == FIGURE_START    ? 0.0
									    : align == FIGURE_CENTER ? 0.5 * width
												     : width;

	cairo_move_to(cairo, x - before, y + ABOVE_LINE * size);
	cairo_show_text(cairo, text);
	cairo_new_path(cairo);
}

void canvas_text_upward(cairo_t *cairo, double x, double y, double size, const char *text)
{
	cairo_save(cairo);
	cairo_translate(cairo, x, y);
	cairo_rotate(cairo, -M_PI / 2.0);
	canvas_text(cairo, 0.0, 0.0, size, FIGURE_CENTER, text);
	cairo_restore(cairo);
}

void canvas_line(cairo_t *cairo, const struct figure_style *style)
{
	const double dashes[][2] = {[FIGURE_DASHED] = {7.0, 4.0}, [FIGURE_DOTTED] = {2.0, 3.0}};

	canvas_color(cairo, style->color);
	cairo_set_line_width(cairo, style->width);
	cairo_set_dash(cairo, dashes[style->dash], style->dash == FIGURE_SOLID ? 0 : 2, 0.0);
}

/* From 0 to 1 along an axis. */
static double fraction(const struct place *place, enum figure_axis axis, double value)
{
	if (place->logarithmic[axis])
		return value > 0.0 ? log(value / place->low[axis]) / log(place->high[axis] / place->low[axis]) : NAN;
	return (value - place->low[axis]) / (place->high[axis] - place->low[axis]);
}

/* Far outside of the frame a place is as good as at this distance: cairo's coordinates have 24 bits before the point. */
static double limited(double pixels)
{
	return isnan(pixels) ? pixels : fmin(fmax(pixels, -30000.0), 30000.0);
}

double place_x(const struct place *place, double value)
{
	return limited(place->left + fraction(place, FIGURE_X, value) * (place->right - place->left));
}

double place_y(const struct place *place, bool right, double value)
{
	return limited(place->bottom -
		       fraction(place, right ? FIGURE_Y2 : FIGURE_Y, value) * (place->bottom - place->top));
}
