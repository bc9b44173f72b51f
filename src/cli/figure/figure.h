/* Pictures of curves and maps: a description that grows panel by panel, and its drawing as PNG, SVG or PDF by cairo.
 * Texts are UTF-8, and shown as they are. A failed allocation is remembered and reported once, by figure_write(). */
#ifndef SONDE_CLI_FIGURE_FIGURE_H
#define SONDE_CLI_FIGURE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "io/picture/picture.h"

/* Names of files that can be drawn. */
#define FIGURE_FILES ".png .svg .pdf"

struct figure;

/* Checks before the computation that a picture can be drawn to `path`: its format, its folder. */
sonde_status figure_check(const char *path, bool overwrite);

/* A picture of this many pixels, with panels in `columns` columns, row by row; NULL without memory. */
struct figure *figure_create(int width, int height, int rows, int columns);
void figure_free(struct figure **figure);
/* Draws it. The file appears when it is complete. */
sonde_status figure_write(const struct figure *figure, const char *path, bool overwrite);
/* A line in the lower right corner of the picture. */
void figure_note(struct figure *figure, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Panels ------------------------------------------------------------------------------------ */

enum figure_axis { FIGURE_X, FIGURE_Y, FIGURE_Y2, FIGURE_COLORS, FIGURE_AXES };
enum figure_legend { FIGURE_ABOVE, FIGURE_RIGHT, FIGURE_LEFT, FIGURE_NO_LEGEND };

/* Begins the next panel; what follows belongs to it. Its axes are linear and as long as its content; titles of its
 * curves are in a line above it. */
void figure_panel(struct figure *figure);
void figure_title(struct figure *figure, const char *format, ...) __attribute__((format(printf, 2, 3)));
void figure_label(struct figure *figure, enum figure_axis axis, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Limits of an axis; NAN leaves one to the content. */
void figure_range(struct figure *figure, enum figure_axis axis, double low, double high);
/* Values that are not positive are omitted on a logarithmic axis. */
void figure_logarithmic(struct figure *figure, enum figure_axis axis);
void figure_legend(struct figure *figure, enum figure_legend place);
/* The same length on paper of one unit along y and `ratio` units along x. */
void figure_equal_units(struct figure *figure, double ratio);
void figure_grid(struct figure *figure, bool grid);
/* Without axes and frame. */
void figure_hide_axes(struct figure *figure);
/* No numbers along an axis. */
void figure_hide_numbers(struct figure *figure, enum figure_axis axis);
/* Words instead of numbers on the y axis, at its places 0, -1, -2 and so on. */
void figure_name_rows(struct figure *figure, const char *const *names, int count);

/* Content ----------------------------------------------------------------------------------- */

enum figure_dash { FIGURE_SOLID, FIGURE_DASHED, FIGURE_DOTTED };

struct figure_style {
	uint32_t color; /* 0xRRGGBB */
	double width;   /* of lines, in pixels; 0: no line */
	double marker;  /* diameter of points, in pixels; 0: none */
	bool hollow;    /* markers are circles */
	enum figure_dash dash;
	bool right; /* values belong to the axis y2 */
};

/* A line and points through (x, y), which is interrupted where a number is not finite; `title` for the legend may be
 * null. Numbers and texts are copied. */
void figure_curve(struct figure *figure, struct figure_style style, const char *title, const double *x,
		  const double *y, int64_t count);
/* The same as steps of a histogram with bins around x. */
void figure_steps(struct figure *figure, struct figure_style style, const char *title, const double *x,
		  const double *y, int64_t count);
/* Vertical lines from 0 to y. */
void figure_impulses(struct figure *figure, struct figure_style style, const double *x, const double *y,
		     int64_t count);
/* The region between low and high, in a light shade of the color. */
void figure_band(struct figure *figure, uint32_t color, const double *x, const double *low, const double *high,
		 int64_t count);
/* Bars from low to high: vertical, or horizontal ones at y from low to high along x. */
void figure_bars(struct figure *figure, struct figure_style style, bool horizontal, const double *at,
		 const double *low, const double *high, int64_t count);

/* A map of values[rows][columns] around first + i step; NAN is left white. Colors from the axis FIGURE_COLORS: that has
 * to have a range. */
struct figure_map {
	const double *values;
	int64_t columns, rows;
	double first[2], step[2];
	bool diverging; /* blue, gray, red; else from light to dark */
};
void figure_map(struct figure *figure, const struct figure_map *map);
/* Pixels, rows from the top, that fill the rectangle from low to high; without a color axis. */
void figure_picture(struct figure *figure, const struct picture *picture, const double low[2], const double high[2]);

/* Marks in the units of the axes. */
void figure_segment(struct figure *figure, struct figure_style style, const double from[2], const double to[2]);
void figure_arrow(struct figure *figure, struct figure_style style, const double from[2], const double to[2]);
void figure_circle(struct figure *figure, struct figure_style style, const double center[2], double radius);
void figure_rectangle(struct figure *figure, struct figure_style style, const double from[2], const double to[2],
		      const uint32_t *fill);
/* A vertical line through the panel. */
void figure_vertical(struct figure *figure, struct figure_style style, double x);

enum figure_align { FIGURE_START, FIGURE_CENTER, FIGURE_END };
struct figure_text {
	double at[2];
	bool relative;    /* (0, 0) and (1, 1) are the corners of the panel */
	double offset[2]; /* pixels to the right and up */
	double size;      /* relative to that of the picture's text; 0: 1 */
	uint32_t color;
	enum figure_align align;
};
void figure_text(struct figure *figure, const struct figure_text *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A number with four digits, as "0.2513" or "2.5×10¹⁵"; returns buffer, of FIGURE_NUMBER bytes. */
#define FIGURE_NUMBER 48
const char *figure_number(double value, char *buffer);

/* The colors of curves, in their order. */
extern const uint32_t figure_colors[8];

#endif
