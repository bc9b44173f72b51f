/* A panel: its limits, frame, axes, numbers, titles and legend. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/figure/panel.h"
#include "cli/figure/parts.h"
#include "cli/figure/ticks.h"

#define MARGIN 8.0
#define GAP 6.0 /* between numbers, ticks and labels */
#define TICK 6.0
#define TITLE_SIZE (1.05 * TEXT_SIZE)
#define NUMBER_SIZE (0.9 * TEXT_SIZE)
#define LINE 1.4          /* from line to line of text, relative to its size */
#define COLOR_BAR 20.0    /* width */
#define MOST_OF_LINE 0.42 /* a legend's entry, relative to the panel */
#define SAMPLE 26.0       /* line in the legend */

struct layout {
	struct place place;
	struct ticks ticks[FIGURE_AXES];
	bool used[FIGURE_AXES];
	int legend_rows;
};

/* Limits ------------------------------------------------------------------------------------ */

static void extend(double limits[2], bool logarithmic, double value)
{
	if (!isfinite(value) || (logarithmic && !(value > 0.0)))
		return;
	limits[0] = fmin(limits[0], value);
	limits[1] = fmax(limits[1], value);
}

static void extend_all(double limits[2], bool logarithmic, const double *values, int64_t count)
{
	for (int64_t k = 0; k < count; ++k)
		extend(limits, logarithmic, values[k]);
}

/* The columns of a part along an axis: the first of them and their number. */
static int columns_along(const struct part *part, enum figure_axis axis, int *first)
{
	const bool x = axis == FIGURE_X;

	switch (part->kind) {
	case PART_CURVE:
	case PART_STEPS:
	case PART_IMPULSES:
		*first = x ? 0 : 1;
		return x || part->style.right == (axis == FIGURE_Y2);
	case PART_BAND:
	case PART_BARS_UP:
		*first = x ? 0 : 1;
		return x ? 1 : 2 * (part->style.right == (axis == FIGURE_Y2));
	case PART_BARS_ACROSS:
		*first = x ? 1 : 0;
		return x ? 2 : axis == FIGURE_Y;
	case PART_PICTURE:
	case PART_SEGMENT:
	case PART_ARROW:
	case PART_RECTANGLE:
		*first = x ? 0 : 1;
		return axis != FIGURE_Y2;
	default:
		*first = 0;
		return 0;
	}
}

/* Lowest and highest of the content. */
static void find_limits(const struct panel *panel, enum figure_axis axis, double limits[2], bool *exact)
{
	for (size_t k = 0; k < panel->part_count; ++k) {
		const struct part *part = &panel->parts[k];
		int first;
		const int columns = columns_along(part, axis, &first);
		extend_all(limits, panel->axes[axis].logarithmic, part->numbers + first * part->count,
			   columns * part->count);
		if (part->kind == PART_IMPULSES && axis == FIGURE_Y)
			extend(limits, panel->axes[axis].logarithmic, 0.0);
		if (part->kind == PART_MAP && (axis == FIGURE_X || axis == FIGURE_Y)) {
			const double *step = part->map.step, *from = part->map.first;
			const int64_t n = axis == FIGURE_X ? part->map.columns : part->map.rows;
			extend(limits, false, from[axis] - 0.5 * step[axis]);
			extend(limits, false, from[axis] + ((double)n - 0.5) * step[axis]);
			*exact = true;
		}
	}
}

/* Given limits, or those of the content; with some space above and below it on axes y. */
static void choose_limits(const struct panel *panel, enum figure_axis axis, struct place *place)
{
	const struct part_axis *of = &panel->axes[axis];
	double limits[2] = {INFINITY, -INFINITY};
	bool exact = axis == FIGURE_X;

	find_limits(panel, axis, limits, &exact);
	if (!(limits[0] <= limits[1])) {
		limits[0] = of->logarithmic ? 1.0 : 0.0;
		limits[1] = of->logarithmic ? 10.0 : 1.0;
	}
	if (!exact) {
		const double more =
		    of->logarithmic ? pow(limits[1] / limits[0], 0.04) : 0.04 * (limits[1] - limits[0]);
		limits[0] = of->logarithmic ? limits[0] / more : limits[0] - more;
		limits[1] = of->logarithmic ? limits[1] * more : limits[1] + more;
	}
	if (isfinite(of->low) && (!of->logarithmic || of->low > 0.0))
		limits[0] = of->low;
	if (isfinite(of->high) && (!of->logarithmic || of->high > 0.0))
		limits[1] = of->high;
	if (!(limits[1] > limits[0])) { /* one value */
		const double around = of->logarithmic ? 0.0 : limits[0] != 0.0 ? 0.1 * fabs(limits[0]) : 1.0;
		limits[1] = of->logarithmic ? limits[0] * 3.0 : limits[0] + around;
		limits[0] = of->logarithmic ? limits[0] / 3.0 : limits[0] - around;
	}
	place->low[axis] = limits[0];
	place->high[axis] = limits[1];
	place->logarithmic[axis] = of->logarithmic;
}

void panel_find_limits(const struct panel *panel, struct place *place)
{
	for (int axis = 0; axis < FIGURE_AXES; ++axis)
		choose_limits(panel, axis, place);
}

/* Layout ------------------------------------------------------------------------------------ */

static void find_ticks(struct layout *layout, enum figure_axis axis, double pixels, double each)
{
	const struct place *place = &layout->place;
	const int wanted = (int)fmax(2.0, pixels / each);

	if (place->logarithmic[axis])
		ticks_logarithmic(place->low[axis], place->high[axis], wanted, &layout->ticks[axis]);
	else
		ticks_linear(place->low[axis], place->high[axis], wanted, &layout->ticks[axis]);
}

static double widest(cairo_t *cairo, const struct ticks *ticks)
{
	double width = 0.0;

	for (int k = 0; k < ticks->count; ++k)
		width = fmax(width, canvas_text_width(cairo, NUMBER_SIZE, ticks->labels[k]));
	return width;
}

static double widest_row(cairo_t *cairo, const struct panel *panel)
{
	double width = 0.0;

	for (int k = 0; k < panel->row_count; ++k)
		if (panel->row_names[k] != NULL)
			width = fmax(width, canvas_text_width(cairo, NUMBER_SIZE, panel->row_names[k]));
	return width;
}

/* Width of the numbers and the label of a vertical axis. */
static double axis_width(cairo_t *cairo, const struct panel *panel, const struct layout *layout,
			 enum figure_axis axis)
{
	const struct part_axis *of = &panel->axes[axis];
	const double numbers = axis == FIGURE_Y && panel->row_count > 0 ? widest_row(cairo, panel)
			       : of->hidden                             ? 0.0
									: widest(cairo, &layout->ticks[axis]);

	return numbers + 2.0 * GAP + (of->label != NULL ? LINE * TEXT_SIZE : 0.0);
}

static bool has_title(const struct part *part)
{
	return part->title != NULL && part->title[0] != '\0' && part->kind <= PART_BARS_ACROSS;
}

static double entry_width(cairo_t *cairo, const struct part *part)
{
	return SAMPLE + GAP + canvas_text_width(cairo, NUMBER_SIZE, part->title) + 3.0 * GAP;
}

/* Rows of a legend above the frame. */
static int count_rows(cairo_t *cairo, const struct panel *panel, double width)
{
	double used = 0.0;
	int rows = 0;

	for (size_t k = 0; k < panel->part_count; ++k) {
		if (!has_title(&panel->parts[k]))
			continue;
		const double entry = entry_width(cairo, &panel->parts[k]);
		if (rows == 0 || used + entry > width) {
			++rows;
			used = 0.0;
		}
		used += entry;
	}
	return rows;
}

/* Shrinks the frame so that units along both axes are equal. */
static void make_equal(const struct panel *panel, struct place *place)
{
	const double width = place->right - place->left, height = place->bottom - place->top,
		     across = place->high[FIGURE_X] - place->low[FIGURE_X],
		     up = panel->ratio * (place->high[FIGURE_Y] - place->low[FIGURE_Y]),
		     scale = fmin(width / across, height / up);

	place->left += 0.5 * (width - scale * across);
	place->right = place->left + scale * across;
	place->top += 0.5 * (height - scale * up);
	place->bottom = place->top + scale * up;
}

static void lay_out(cairo_t *cairo, const struct panel *panel, const struct panel_room *room, struct layout *layout)
{
	const double left = room->left, top = room->top, width = room->width, height = room->height;
	struct place *place = &layout->place;
	const bool bar = layout->used[FIGURE_COLORS];

	place->left = left + MARGIN;
	place->right = left + width - MARGIN;
	place->top = top + MARGIN + (panel->title != NULL ? LINE * TITLE_SIZE : 0.5 * NUMBER_SIZE);
	place->bottom = top + height - MARGIN;
	if (panel->legend == FIGURE_ABOVE) {
		layout->legend_rows = count_rows(cairo, panel, 0.9 * width);
		place->top += layout->legend_rows * LINE * NUMBER_SIZE;
	}
	if (!panel->bare) {
		place->bottom -= TICK + GAP + (panel->axes[FIGURE_X].hidden ? 0.0 : NUMBER_SIZE) +
				 (panel->axes[FIGURE_X].label != NULL ? LINE * TEXT_SIZE + 2.0 : 0.0);
		for (int axis = FIGURE_Y; axis < FIGURE_AXES; ++axis)
			if (layout->used[axis])
				find_ticks(layout, axis, place->bottom - place->top, 45.0);
		place->left += axis_width(cairo, panel, layout, FIGURE_Y) + TICK;
		if (layout->ticks[FIGURE_Y].factor[0] != '\0' && !panel->axes[FIGURE_Y].hidden)
			place->top += LINE * NUMBER_SIZE * (panel->title == NULL && layout->legend_rows == 0);
		if (layout->used[FIGURE_Y2])
			place->right -= axis_width(cairo, panel, layout, FIGURE_Y2) + TICK;
		else
			place->right -= 2.0 * GAP; /* half of the last number */
	}
	if (bar)
		place->right -= axis_width(cairo, panel, layout, FIGURE_COLORS) + COLOR_BAR + 3.0 * GAP;
	place->left = fmax(place->left, left + room->margins[0]);
	place->right = fmin(place->right, left + width - room->margins[1]);
	if (panel->ratio > 0.0)
		make_equal(panel, place);
	for (int axis = 0; axis < FIGURE_AXES; ++axis)
		if (layout->used[axis] && axis != FIGURE_X)
			find_ticks(layout, axis, place->bottom - place->top, 42.0);
	/* numbers along x take their widths: fewer if they would meet */
	double each = 70.0;
	for (int n = 0; n < 8; ++n, each *= 1.3) {
		find_ticks(layout, FIGURE_X, place->right - place->left, each);
		if (widest(cairo, &layout->ticks[FIGURE_X]) + 14.0 < each || place->logarithmic[FIGURE_X])
			break;
	}
}

/* Axes -------------------------------------------------------------------------------------- */

static void draw_grid(cairo_t *cairo, const struct panel *panel, const struct layout *layout)
{
	const struct place *place = &layout->place;

	canvas_line(cairo, &(struct figure_style){.color = GRID_COLOR, .width = 1.0});
	for (int k = 0; k < layout->ticks[FIGURE_X].count; ++k)
		if (layout->ticks[FIGURE_X].labels[k][0] != '\0') {
			const double x = place_x(place, layout->ticks[FIGURE_X].at[k]);
			cairo_move_to(cairo, x, place->top);
			cairo_line_to(cairo, x, place->bottom);
		}
	for (int k = 0; k < layout->ticks[FIGURE_Y].count && panel->row_count == 0; ++k)
		if (layout->ticks[FIGURE_Y].labels[k][0] != '\0') {
			const double y = place_y(place, false, layout->ticks[FIGURE_Y].at[k]);
			cairo_move_to(cairo, place->left, y);
			cairo_line_to(cairo, place->right, y);
		}
	cairo_stroke(cairo);
}

static void draw_frame(cairo_t *cairo, const struct place *place)
{
	canvas_line(cairo, &(struct figure_style){.color = FRAME_COLOR, .width = 1.2});
	cairo_rectangle(cairo, place->left, place->top, place->right - place->left, place->bottom - place->top);
	cairo_stroke(cairo);
}

static void draw_x(cairo_t *cairo, const struct panel *panel, const struct layout *layout)
{
	const struct place *place = &layout->place;
	const struct ticks *ticks = &layout->ticks[FIGURE_X];
	const struct part_axis *axis = &panel->axes[FIGURE_X];
	const double numbers = place->bottom + TICK + GAP + 0.4 * NUMBER_SIZE;

	if (!axis->hidden) {
		canvas_line(cairo, &(struct figure_style){.color = FRAME_COLOR, .width = 1.2});
		for (int k = 0; k < ticks->count; ++k) {
			const double x = place_x(place, ticks->at[k]);
			cairo_move_to(cairo, x, place->bottom);
			cairo_line_to(cairo, x, place->bottom + (ticks->labels[k][0] != '\0' ? TICK : 0.5 * TICK));
		}
		cairo_stroke(cairo);
		canvas_color(cairo, TEXT_COLOR);
		for (int k = 0; k < ticks->count; ++k)
			canvas_text(cairo, place_x(place, ticks->at[k]), numbers, NUMBER_SIZE, FIGURE_CENTER,
				    ticks->labels[k]);
	}
	canvas_color(cairo, TEXT_COLOR);
	if (axis->label != NULL)
		canvas_text(cairo, 0.5 * (place->left + place->right),
			    axis->hidden ? place->bottom + TEXT_SIZE : numbers + 1.25 * TEXT_SIZE, TEXT_SIZE,
			    FIGURE_CENTER, axis->label);
	if (ticks->factor[0] != '\0' && !axis->hidden)
		canvas_text(cairo, place->right, numbers + 1.25 * TEXT_SIZE, NUMBER_SIZE, FIGURE_END, ticks->factor);
}

/* Numbers at x, to the left of it or the right. */
static void draw_upright(cairo_t *cairo, const struct panel *panel, const struct layout *layout,
			 enum figure_axis axis, double x)
{
	const struct place *place = &layout->place;
	const struct ticks *ticks = &layout->ticks[axis];
	const bool right = axis != FIGURE_Y;
	const double side = right ? 1.0 : -1.0, width = axis_width(cairo, panel, layout, axis) - GAP;
	struct place own = *place;

	if (axis == FIGURE_COLORS) {
		own.low[FIGURE_Y2] = place->low[axis];
		own.high[FIGURE_Y2] = place->high[axis];
		own.logarithmic[FIGURE_Y2] = place->logarithmic[axis];
	}
	if (!panel->axes[axis].hidden) {
		canvas_line(cairo, &(struct figure_style){.color = FRAME_COLOR, .width = 1.2});
		for (int k = 0; k < ticks->count; ++k) {
			const double y = place_y(&own, right, ticks->at[k]);
			cairo_move_to(cairo, x, y);
			cairo_line_to(cairo, x + side * (ticks->labels[k][0] != '\0' ? TICK : 0.5 * TICK), y);
		}
		cairo_stroke(cairo);
		canvas_color(cairo, TEXT_COLOR);
		for (int k = 0; k < ticks->count; ++k)
			canvas_text(cairo, x + side * (TICK + 0.7 * GAP), place_y(&own, right, ticks->at[k]),
				    NUMBER_SIZE, right ? FIGURE_START : FIGURE_END, ticks->labels[k]);
		if (ticks->factor[0] != '\0')
			canvas_text(cairo, x, place->top - 0.8 * NUMBER_SIZE, NUMBER_SIZE,
				    right ? FIGURE_START : FIGURE_CENTER, ticks->factor);
	}
	canvas_color(cairo, TEXT_COLOR);
	if (panel->axes[axis].label != NULL)
		canvas_text_upward(cairo, x + side * (TICK + width - 0.3 * TEXT_SIZE),
				   0.5 * (place->top + place->bottom), TEXT_SIZE, panel->axes[axis].label);
}

static void draw_rows(cairo_t *cairo, const struct panel *panel, const struct place *place)
{
	canvas_color(cairo, TEXT_COLOR);
	for (int k = 0; k < panel->row_count; ++k)
		if (panel->row_names[k] != NULL)
			canvas_text(cairo, place->left - GAP, place_y(place, false, -(double)k), NUMBER_SIZE,
				    FIGURE_END, panel->row_names[k]);
}

static void draw_color_bar(cairo_t *cairo, const struct panel *panel, const struct layout *layout)
{
	const struct place *place = &layout->place;
	const double left = place->right + 2.0 * GAP;
	cairo_pattern_t *pattern = cairo_pattern_create_linear(0.0, place->bottom, 0.0, place->top);
	bool diverging = false;

	for (size_t k = 0; k < panel->part_count; ++k)
		diverging |= panel->parts[k].kind == PART_MAP && panel->parts[k].map.diverging;
	for (int n = 0; n <= 64; ++n) {
		const double at = n / 64.0;
		const struct color color = diverging ? color_diverging(2.0 * at - 1.0) : color_sequential(at);
		cairo_pattern_add_color_stop_rgb(pattern, at, color.red / 255.0, color.green / 255.0,
						 color.blue / 255.0);
	}
	cairo_rectangle(cairo, left, place->top, COLOR_BAR, place->bottom - place->top);
	cairo_set_source(cairo, pattern);
	cairo_fill_preserve(cairo);
	canvas_line(cairo, &(struct figure_style){.color = FRAME_COLOR, .width = 1.0});
	cairo_stroke(cairo);
	cairo_pattern_destroy(pattern);
	draw_upright(cairo, panel, layout, FIGURE_COLORS, left + COLOR_BAR);
}

/* Legend ------------------------------------------------------------------------------------ */

static void draw_entry(cairo_t *cairo, const struct part *part, double x, double y)
{
	if (part->style.width > 0.0) {
		canvas_line(cairo, &part->style);
		cairo_move_to(cairo, x, y);
		cairo_line_to(cairo, x + SAMPLE, y);
		cairo_stroke(cairo);
	}
	if (part->style.marker > 0.0) {
		canvas_color(cairo, part->style.color);
		cairo_set_dash(cairo, NULL, 0, 0.0);
		cairo_set_line_width(cairo, 1.0);
		cairo_arc(cairo, x + 0.5 * SAMPLE, y, 0.5 * part->style.marker, 0.0, 2.0 * M_PI);
		if (part->style.hollow)
			cairo_stroke(cairo);
		else
			cairo_fill(cairo);
	}
	canvas_color(cairo, TEXT_COLOR);
	canvas_text(cairo, x + SAMPLE + GAP, y, NUMBER_SIZE, FIGURE_START, part->title);
}

/* Centered rows above the frame. */
static void draw_legend_above(cairo_t *cairo, const struct panel *panel, const struct layout *layout, double middle,
			      double width)
{
	double y = layout->place.top - (layout->legend_rows - 0.4) * LINE * NUMBER_SIZE;

	for (size_t begin = 0; begin < panel->part_count;) {
		double used = 0.0;
		size_t end = begin;
		for (; end < panel->part_count; ++end) {
			const double entry =
			    has_title(&panel->parts[end]) ? entry_width(cairo, &panel->parts[end]) : 0.0;
			if (used > 0.0 && entry > 0.0 && used + entry > width)
				break;
			used += entry;
		}
		double x = middle - 0.5 * used;
		for (size_t k = begin; k < end; ++k)
			if (has_title(&panel->parts[k])) {
				draw_entry(cairo, &panel->parts[k], x, y);
				x += entry_width(cairo, &panel->parts[k]);
			}
		y += LINE * NUMBER_SIZE;
		begin = end;
	}
}

/* A column in a corner of the frame, on a pale ground. */
static void draw_legend_within(cairo_t *cairo, const struct panel *panel, const struct place *place)
{
	double width = 0.0;
	int rows = 0;

	for (size_t k = 0; k < panel->part_count; ++k)
		if (has_title(&panel->parts[k])) {
			width = fmax(width, entry_width(cairo, &panel->parts[k]) - 3.0 * GAP);
			++rows;
		}
	if (rows == 0)
		return;
	const double x = panel->legend == FIGURE_LEFT ? place->left + 2.0 * GAP : place->right - width - 2.0 * GAP;
	double y = place->top + GAP;
	cairo_rectangle(cairo, x - GAP, y, width + 2.0 * GAP, rows * LINE * NUMBER_SIZE);
	cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.8);
	cairo_fill(cairo);
	for (size_t k = 0; k < panel->part_count; ++k)
		if (has_title(&panel->parts[k])) {
			draw_entry(cairo, &panel->parts[k], x, y + 0.5 * LINE * NUMBER_SIZE);
			y += LINE * NUMBER_SIZE;
		}
}

/* Whether something in the panel belongs to the axis. */
static bool uses(const struct panel *panel, enum figure_axis axis)
{
	for (size_t k = 0; k < panel->part_count; ++k)
		if (axis == FIGURE_COLORS ? panel->parts[k].kind == PART_MAP && isfinite(panel->axes[axis].low)
					  : panel->parts[k].style.right)
			return true;
	return false;
}

static void begin(cairo_t *cairo, const struct panel *panel, const struct panel_room *room, struct layout *layout)
{
	*layout = (struct layout){.used = {true, panel->row_count == 0, false, false}};
	panel_find_limits(panel, &layout->place);
	layout->used[FIGURE_Y2] = uses(panel, FIGURE_Y2);
	layout->used[FIGURE_COLORS] = uses(panel, FIGURE_COLORS) && !panel->axes[FIGURE_COLORS].hidden;
	lay_out(cairo, panel, room, layout);
}

void panel_find_margins(cairo_t *cairo, const struct panel *panel, struct panel_room *room)
{
	struct layout layout;

	if (panel->ratio > 0.0 || panel->bare)
		return;
	begin(cairo, panel, room, &layout);
	room->margins[0] = fmax(room->margins[0], layout.place.left - room->left);
	room->margins[1] = fmax(room->margins[1], room->left + room->width - layout.place.right);
}

void panel_draw(cairo_t *cairo, const struct panel *panel, const struct panel_room *room)
{
	struct layout layout;

	begin(cairo, panel, room, &layout);
	if (panel->grid && !panel->bare)
		draw_grid(cairo, panel, &layout);
	parts_draw(cairo, panel, &layout.place);
	if (!panel->bare) {
		draw_frame(cairo, &layout.place);
		draw_x(cairo, panel, &layout);
		draw_upright(cairo, panel, &layout, FIGURE_Y, layout.place.left);
		if (layout.used[FIGURE_Y2])
			draw_upright(cairo, panel, &layout, FIGURE_Y2, layout.place.right);
		draw_rows(cairo, panel, &layout.place);
	}
	if (layout.used[FIGURE_COLORS])
		draw_color_bar(cairo, panel, &layout);
	const double middle = 0.5 * (layout.place.left + layout.place.right);
	if (panel->legend == FIGURE_ABOVE)
		draw_legend_above(cairo, panel, &layout, middle, 0.9 * room->width);
	else if (panel->legend != FIGURE_NO_LEGEND)
		draw_legend_within(cairo, panel, &layout.place);
	canvas_color(cairo, TEXT_COLOR);
	if (panel->title != NULL)
		canvas_text(cairo, middle, room->top + MARGIN + 0.6 * TITLE_SIZE, TITLE_SIZE, FIGURE_CENTER,
			    panel->title);
}
