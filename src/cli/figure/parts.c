/* What is in the frame of a panel. */
#include <math.h>
#include <string.h>

#include "cli/figure/parts.h"

#define ARROW_HEAD 9.0   /* pixels */
#define MOST_POINTS 5000 /* of a path: cairo joins the pieces of longer ones slowly */

/* Begins or continues a path. */
static void add_point(cairo_t *cairo, bool *drawing, double x, double y)
{
	if (isfinite(x) && isfinite(y)) {
		if (*drawing)
			cairo_line_to(cairo, x, y);
		else
			cairo_move_to(cairo, x, y);
		*drawing = true;
	} else {
		*drawing = false;
	}
}

static void draw_line(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double *x = part->numbers, *y = x + part->count;
	bool drawing = false;

	canvas_line(cairo, &part->style);
	for (int64_t k = 0; k < part->count; ++k) {
		const double across = place_x(place, x[k]), up = place_y(place, part->style.right, y[k]);
		add_point(cairo, &drawing, across, up);
		if (drawing && k % MOST_POINTS == MOST_POINTS - 1) {
			cairo_stroke(cairo);
			cairo_move_to(cairo, across, up);
		}
	}
	cairo_stroke(cairo);
}

static void draw_markers(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double *x = part->numbers, *y = x + part->count;

	canvas_color(cairo, part->style.color);
	cairo_set_dash(cairo, NULL, 0, 0.0);
	cairo_set_line_width(cairo, 1.0);
	for (int64_t k = 0; k < part->count; ++k) {
		const double across = place_x(place, x[k]), up = place_y(place, part->style.right, y[k]);
		if (!isfinite(across) || !isfinite(up))
			continue;
		cairo_new_sub_path(cairo);
		cairo_arc(cairo, across, up, 0.5 * part->style.marker, 0.0, 2.0 * M_PI);
		if (part->style.hollow)
			cairo_stroke(cairo);
		else
			cairo_fill(cairo);
	}
}

static void draw_steps(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double *x = part->numbers, *y = x + part->count;
	bool drawing = false;

	canvas_line(cairo, &part->style);
	for (int64_t k = 0; k < part->count; ++k) {
		const double before = k > 0             ? 0.5 * (x[k - 1] + x[k])
				      : part->count > 1 ? 1.5 * x[0] - 0.5 * x[1]
							: x[0],
			     after = k + 1 < part->count ? 0.5 * (x[k] + x[k + 1])
				     : k > 0             ? 1.5 * x[k] - 0.5 * x[k - 1]
							 : x[k],
			     up = place_y(place, part->style.right, y[k]);
		/* a first bin that begins at 0 has no left side on a logarithmic axis */
		const double from = place_x(place, before);
		add_point(cairo, &drawing, isnan(from) ? place->left : from, up);
		add_point(cairo, &drawing, place_x(place, after), up);
	}
	cairo_stroke(cairo);
}

static void draw_impulses(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double *x = part->numbers, *y = x + part->count;

	canvas_line(cairo, &part->style);
	for (int64_t k = 0; k < part->count; ++k) {
		const double across = place_x(place, x[k]), foot = place_y(place, part->style.right, 0.0),
			     up = place_y(place, part->style.right, y[k]);
		if (!isfinite(across) || !isfinite(up))
			continue;
		cairo_move_to(cairo, across, isfinite(foot) ? foot : place->bottom);
		cairo_line_to(cairo, across, up);
	}
	cairo_stroke(cairo);
}

/* Pieces without gaps, each a polygon; below a logarithmic axis a band ends at the frame. */
static void draw_band(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double *x = part->numbers, *low = x + part->count, *high = low + part->count;
	int64_t begin = 0;

	canvas_color(cairo, part->style.color);
	while (begin < part->count) {
		int64_t end = begin;
		while (end < part->count && isfinite(place_x(place, x[end])) &&
		       isfinite(place_y(place, false, high[end])) && isfinite(low[end]))
			++end;
		for (int64_t k = begin; k < end; ++k)
			cairo_line_to(cairo, place_x(place, x[k]), place_y(place, false, high[k]));
		for (int64_t k = end - 1; k >= begin; --k) {
			const double up = place_y(place, false, low[k]);
			cairo_line_to(cairo, place_x(place, x[k]), isfinite(up) ? up : place->bottom);
		}
		cairo_close_path(cairo);
		cairo_fill(cairo);
		begin = end + 1;
	}
}

static void draw_bars(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double *at = part->numbers, *low = at + part->count, *high = low + part->count;
	const double cap = 4.0;

	canvas_line(cairo, &part->style);
	for (int64_t k = 0; k < part->count; ++k) {
		const bool across = part->kind == PART_BARS_ACROSS;
		const double x0 = place_x(place, across ? low[k] : at[k]),
			     x1 = place_x(place, across ? high[k] : at[k]),
			     y1 = place_y(place, part->style.right, across ? at[k] : high[k]);
		double y0 = place_y(place, part->style.right, across ? at[k] : low[k]);
		if (!across && isnan(y0) && !isnan(low[k]))
			y0 = place->bottom;
		if (!isfinite(x0) || !isfinite(x1) || !isfinite(y0) || !isfinite(y1))
			continue;
		cairo_move_to(cairo, x0, y0);
		cairo_line_to(cairo, x1, y1);
		for (int end = 0; end < 2; ++end) {
			const double x = end == 0 ? x0 : x1, y = end == 0 ? y0 : y1;
			cairo_move_to(cairo, x - (across ? 0.0 : cap), y - (across ? cap : 0.0));
			cairo_line_to(cairo, x + (across ? 0.0 : cap), y + (across ? cap : 0.0));
		}
	}
	cairo_stroke(cairo);
}

/* Pixels in a rectangle of the canvas; nearest ones where they are enlarged. */
static void paint(cairo_t *cairo, cairo_surface_t *image, double left, double top, double right, double bottom)
{
	const double width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);

	cairo_save(cairo);
	cairo_rectangle(cairo, fmin(left, right), fmin(top, bottom), fabs(right - left), fabs(bottom - top));
	cairo_clip(cairo);
	cairo_translate(cairo, left, top);
	cairo_scale(cairo, (right - left) / width, (bottom - top) / height);
	cairo_set_source_surface(cairo, image, 0.0, 0.0);
	cairo_pattern_set_filter(cairo_get_source(cairo), fabs(right - left) < width || fabs(bottom - top) < height
							      ? CAIRO_FILTER_GOOD
							      : CAIRO_FILTER_NEAREST);
	cairo_paint(cairo);
	cairo_restore(cairo);
}

static uint32_t opaque(struct color color)
{
	return 0xff000000U | (uint32_t)color.red << 16 | (uint32_t)color.green << 8 | color.blue;
}

/* The color of a value. */
static uint32_t color_of(const struct figure_map *map, const struct place *place, double value)
{
	const double low = place->low[FIGURE_COLORS], high = place->high[FIGURE_COLORS];

	if (isnan(value))
		return 0;
	const double at = place->logarithmic[FIGURE_COLORS] ? log(fmax(value, low) / low) / log(high / low)
							    : (value - low) / (high - low);
	return opaque(map->diverging ? color_diverging(2.0 * at - 1.0) : color_sequential(at));
}

static void draw_map(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const struct figure_map *map = &part->map;
	cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)map->columns, (int)map->rows);

	if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
		unsigned char *bytes = cairo_image_surface_get_data(image);
		const int stride = cairo_image_surface_get_stride(image);
		for (int64_t row = 0; row < map->rows; ++row) {
			uint32_t *pixels = (uint32_t *)(void *)(bytes + (map->rows - 1 - row) * stride);
			for (int64_t column = 0; column < map->columns; ++column)
				pixels[column] = color_of(map, place, map->values[row * map->columns + column]);
		}
		cairo_surface_mark_dirty(image);
		paint(cairo, image, place_x(place, map->first[0] - 0.5 * map->step[0]),
		      place_y(place, false, map->first[1] + ((double)map->rows - 0.5) * map->step[1]),
		      place_x(place, map->first[0] + ((double)map->columns - 0.5) * map->step[0]),
		      place_y(place, false, map->first[1] - 0.5 * map->step[1]));
	}
	cairo_surface_destroy(image);
}

static void draw_picture(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const struct picture *picture = &part->picture;
	cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture->width, picture->height);

	if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
		unsigned char *bytes = cairo_image_surface_get_data(image);
		const int stride = cairo_image_surface_get_stride(image);
		for (int y = 0; y < picture->height; ++y)
			for (int x = 0; x < picture->width; ++x)
				((uint32_t *)(void *)(bytes + (ptrdiff_t)y * stride))[x] =
				    opaque(picture->pixels[(ptrdiff_t)y * picture->width + x]);
		cairo_surface_mark_dirty(image);
		paint(cairo, image, place_x(place, part->numbers[0]), place_y(place, false, part->numbers[3]),
		      place_x(place, part->numbers[1]), place_y(place, false, part->numbers[2]));
	}
	cairo_surface_destroy(image);
}

/* Segments, arrows, rectangles: both corners in pixels. */
static void draw_corners(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double x0 = place_x(place, part->numbers[0]), x1 = place_x(place, part->numbers[1]),
		     y0 = place_y(place, false, part->numbers[2]), y1 = place_y(place, false, part->numbers[3]);

	if (part->kind == PART_RECTANGLE) {
		cairo_rectangle(cairo, fmin(x0, x1), fmin(y0, y1), fabs(x1 - x0), fabs(y1 - y0));
		if (part->filled) {
			canvas_color(cairo, part->fill);
			cairo_fill_preserve(cairo);
		}
	} else {
		cairo_move_to(cairo, x0, y0);
		cairo_line_to(cairo, x1, y1);
	}
	canvas_line(cairo, &part->style);
	cairo_stroke(cairo);
	if (part->kind != PART_ARROW)
		return;
	const double angle = atan2(y1 - y0, x1 - x0);
	cairo_move_to(cairo, x1, y1);
	for (int side = -1; side <= 1; side += 2)
		cairo_line_to(cairo, x1 - ARROW_HEAD * cos(angle + side * 0.35),
			      y1 - ARROW_HEAD * sin(angle + side * 0.35));
	cairo_close_path(cairo);
	cairo_fill(cairo);
}

/* An ellipse, if the units differ. */
static void draw_circle(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double x = part->numbers[0], y = part->numbers[2], radius = part->numbers[1] - x,
		     wide = place_x(place, x + radius) - place_x(place, x),
		     high = place_y(place, false, y) - place_y(place, false, y + radius);

	if (!(wide > 0.0 && high > 0.0))
		return;
	cairo_save(cairo);
	cairo_translate(cairo, place_x(place, x), place_y(place, false, y));
	cairo_scale(cairo, wide, high);
	cairo_new_sub_path(cairo);
	cairo_arc(cairo, 0.0, 0.0, 1.0, 0.0, 2.0 * M_PI);
	cairo_restore(cairo);
	canvas_line(cairo, &part->style);
	cairo_stroke(cairo);
}

static void draw_text(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const struct figure_text *text = &part->text;
	const double x = text->relative ? place->left + text->at[0] * (place->right - place->left)
					: place_x(place, text->at[0]),
		     y = text->relative ? place->bottom - text->at[1] * (place->bottom - place->top)
					: place_y(place, false, text->at[1]);

	if (part->title == NULL || !isfinite(x) || !isfinite(y))
		return;
	canvas_color(cairo, text->color);
	canvas_text(cairo, x + text->offset[0], y - text->offset[1],
		    TEXT_SIZE * (text->size > 0.0 ? text->size : 1.0), text->align, part->title);
}

static void draw_vertical(cairo_t *cairo, const struct part *part, const struct place *place)
{
	const double x = place_x(place, part->numbers[0]);

	if (!isfinite(x))
		return;
	canvas_line(cairo, &part->style);
	cairo_move_to(cairo, x, place->top);
	cairo_line_to(cairo, x, place->bottom);
	cairo_stroke(cairo);
}

static void draw(cairo_t *cairo, const struct part *part, const struct place *place)
{
	switch (part->kind) {
	case PART_CURVE:
		if (part->style.width > 0.0)
			draw_line(cairo, part, place);
		if (part->style.marker > 0.0)
			draw_markers(cairo, part, place);
		break;
	case PART_STEPS:
		draw_steps(cairo, part, place);
		break;
	case PART_IMPULSES:
		draw_impulses(cairo, part, place);
		break;
	case PART_BAND:
		draw_band(cairo, part, place);
		break;
	case PART_BARS_UP:
	case PART_BARS_ACROSS:
		draw_bars(cairo, part, place);
		break;
	case PART_MAP:
		draw_map(cairo, part, place);
		break;
	case PART_PICTURE:
		draw_picture(cairo, part, place);
		break;
	case PART_SEGMENT:
	case PART_ARROW:
	case PART_RECTANGLE:
		draw_corners(cairo, part, place);
		break;
	case PART_CIRCLE:
		draw_circle(cairo, part, place);
		break;
	case PART_VERTICAL:
		draw_vertical(cairo, part, place);
		break;
	case PART_TEXT:
		draw_text(cairo, part, place);
		break;
	}
}

void parts_draw(cairo_t *cairo, const struct panel *panel, const struct place *place)
{
	cairo_save(cairo);
	cairo_rectangle(cairo, place->left - 1.0, place->top - 1.0, place->right - place->left + 2.0,
			place->bottom - place->top + 2.0);
	cairo_clip(cairo);
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	for (size_t k = 0; k < panel->part_count; ++k)
		if (panel->parts[k].kind != PART_TEXT)
			draw(cairo, &panel->parts[k], place);
	cairo_restore(cairo);
	/* texts may reach over the frame, and lie above everything */
	for (size_t k = 0; k < panel->part_count; ++k)
		if (panel->parts[k].kind == PART_TEXT)
			draw(cairo, &panel->parts[k], place);
}
