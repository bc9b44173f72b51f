/* Building of pictures. */
#include "cli/figure/description.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const uint32_t figure_colors[8] = {0x1f4e9a, 0xc8642d, 0x3a8f5c, 0x7a3fa0, 0xa83232, 0x555555, 0x00798c, 0xc05a9a};

/* Texts ------------------------------------------------------------------------------------- */

/* Bytes of the character at `c`, if that is a printable one in UTF-8 (RFC 3629); else 0. */
static int length_of_character(const unsigned char *c)
{
	const int length = c[0] < 0x80                   ? 1
			   : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
			   : (c[0] & 0xf0) == 0xe0       ? 3
			   : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
							 : 0;

	if (length == 1)
		return c[0] >= ' ' && c[0] != 0x7f;
	for (int k = 1; k < length; ++k)
		if ((c[k] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, numbers beyond the last one, controls from U+0080 */
	if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
	    (c[0] == 0xf4 && c[1] > 0x8f) || (c[0] == 0xc2 && c[1] < 0xa0))
		return 0;
	return length;
}

/* Names from files may be any bytes: what is not a character becomes a point. */
static char *clean(char *text)
{
	for (unsigned char *c = (unsigned char *)text; c != NULL && *c != '\0';) {
		const int length = length_of_character(c);
		if (length == 0)
			*c = '.';
		c += length > 0 ? length : 1;
	}
	return text;
}

/* Replaces a text by a formatted one. */
static void set_text(struct figure *figure, char **text, const char *format, va_list arguments)
{
	free(*text);
	*text = NULL;
	if (vasprintf(text, format, arguments) < 0) {
		*text = NULL;
		figure->failed = true;
	}
	(void)clean(*text);
}

static char *copy(struct figure *figure, const char *text)
{
	char *copied = text != NULL ? strdup(text) : NULL;

	figure->failed |= text != NULL && copied == NULL;
	return clean(copied);
}

/* The whole ---------------------------------------------------------------------------------- */

struct figure *figure_create(int width, int height, int rows, int columns)
{
	struct figure *figure;

	if (memory_allocate(&figure, 1, sizeof *figure, "the picture") != SONDE_OK)
		return NULL;
	figure->width = width;
	figure->height = height;
	figure->rows = rows;
	figure->columns = columns;
	if (memory_allocate(&figure->panels, (size_t)rows * (size_t)columns, sizeof *figure->panels, "the picture") !=
	    SONDE_OK)
		figure_free(&figure);
	return figure;
}

static void free_part(struct part *part)
{
	free(part->title);
	free(part->numbers);
	picture_free(&part->picture);
}

static void free_panel(struct panel *panel)
{
	free(panel->title);
	for (int k = 0; k < FIGURE_AXES; ++k)
		free(panel->axes[k].label);
	for (size_t k = 0; k < panel->part_count; ++k)
		free_part(&panel->parts[k]);
	free(panel->parts);
	for (int k = 0; k < panel->row_count; ++k)
		free(panel->row_names[k]);
	free(panel->row_names);
}

void figure_free(struct figure **figure)
{
	if (*figure == NULL)
		return;
	for (int k = 0; k < (*figure)->panel_count; ++k)
		free_panel(&(*figure)->panels[k]);
	free((*figure)->panels);
	free((*figure)->note);
	free(*figure);
	*figure = NULL;
}

void figure_note(struct figure *figure, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_text(figure, &figure->note, format, arguments);
	va_end(arguments);
}

/* Panels ------------------------------------------------------------------------------------ */

void figure_panel(struct figure *figure)
{
	if (figure->panel_count == figure->rows * figure->columns) {
		figure->failed = true;
		return;
	}
	struct panel *panel = &figure->panels[figure->panel_count++];
	panel->grid = true;
	for (int k = 0; k < FIGURE_AXES; ++k) {
		panel->axes[k].low = NAN;
		panel->axes[k].high = NAN;
	}
}

static struct panel *last(struct figure *figure)
{
	return &figure->panels[figure->panel_count - 1];
}

void figure_title(struct figure *figure, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_text(figure, &last(figure)->title, format, arguments);
	va_end(arguments);
}

void figure_label(struct figure *figure, enum figure_axis axis, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_text(figure, &last(figure)->axes[axis].label, format, arguments);
	va_end(arguments);
}

void figure_range(struct figure *figure, enum figure_axis axis, double low, double high)
{
	last(figure)->axes[axis].low = low;
	last(figure)->axes[axis].high = high;
}

void figure_logarithmic(struct figure *figure, enum figure_axis axis)
{
	last(figure)->axes[axis].logarithmic = true;
}

void figure_legend(struct figure *figure, enum figure_legend place)
{
	last(figure)->legend = place;
}

void figure_equal_units(struct figure *figure, double ratio)
{
	last(figure)->ratio = ratio;
}

void figure_grid(struct figure *figure, bool grid)
{
	last(figure)->grid = grid;
}

void figure_hide_axes(struct figure *figure)
{
	last(figure)->bare = true;
}

void figure_hide_numbers(struct figure *figure, enum figure_axis axis)
{
	last(figure)->axes[axis].hidden = true;
}

void figure_name_rows(struct figure *figure, const char *const *names, int count)
{
	struct panel *panel = last(figure);

	if (memory_allocate(&panel->row_names, (size_t)count, sizeof *panel->row_names, "the picture") != SONDE_OK) {
		figure->failed = true;
		return;
	}
	panel->row_count = count;
	for (int k = 0; k < count; ++k)
		panel->row_names[k] = copy(figure, names[k]);
}

/* Content ----------------------------------------------------------------------------------- */

/* A new part with room for this many columns of `count` numbers; null without memory. */
static struct part *add(struct figure *figure, enum part_kind kind, struct figure_style style, int columns,
			int64_t count)
{
	struct panel *panel = last(figure);
	double *numbers = NULL;

	if (memory_grow(&panel->parts, &panel->part_capacity, panel->part_count + 1, sizeof *panel->parts,
			"the picture") != SONDE_OK ||
	    memory_allocate(&numbers, (size_t)columns * (size_t)count, sizeof *numbers, "the picture") != SONDE_OK) {
		figure->failed = true;
		return NULL;
	}
	struct part *part = &panel->parts[panel->part_count++];
	*part = (struct part){.kind = kind, .style = style, .numbers = numbers, .count = count};
	return part;
}

static void add_columns(struct figure *figure, enum part_kind kind, struct figure_style style, const char *title,
			const double *const *columns, int column_count, int64_t count)
{
	struct part *part = add(figure, kind, style, column_count, count);

	if (part == NULL)
		return;
	part->title = copy(figure, title);
	for (int c = 0; c < column_count && count > 0; ++c)
		memcpy(part->numbers + c * count, columns[c], (size_t)count * sizeof **columns);
}

void figure_curve(struct figure *figure, struct figure_style style, const char *title, const double *x,
		  const double *y, int64_t count)
{
	add_columns(figure, PART_CURVE, style, title, (const double *const[]){x, y}, 2, count);
}

void figure_steps(struct figure *figure, struct figure_style style, const char *title, const double *x,
		  const double *y, int64_t count)
{
	add_columns(figure, PART_STEPS, style, title, (const double *const[]){x, y}, 2, count);
}

void figure_impulses(struct figure *figure, struct figure_style style, const double *x, const double *y,
		     int64_t count)
{
	add_columns(figure, PART_IMPULSES, style, NULL, (const double *const[]){x, y}, 2, count);
}

void figure_band(struct figure *figure, uint32_t color, const double *x, const double *low, const double *high,
		 int64_t count)
{
	add_columns(figure, PART_BAND, (struct figure_style){.color = color}, NULL,
		    (const double *const[]){x, low, high}, 3, count);
}

void figure_bars(struct figure *figure, struct figure_style style, bool horizontal, const double *at,
		 const double *low, const double *high, int64_t count)
{
	add_columns(figure, horizontal ? PART_BARS_ACROSS : PART_BARS_UP, style, NULL,
		    (const double *const[]){at, low, high}, 3, count);
}

void figure_map(struct figure *figure, const struct figure_map *map)
{
	struct part *part = add(figure, PART_MAP, (struct figure_style){0}, 1, map->columns * map->rows);

	if (part == NULL)
		return;
	memcpy(part->numbers, map->values, (size_t)part->count * sizeof *map->values);
	part->map = *map;
	part->map.values = part->numbers;
}

/* Parts that are places: two numbers each. */
static struct part *add_places(struct figure *figure, enum part_kind kind, struct figure_style style,
			       const double first[2], const double second[2])
{
	struct part *part = add(figure, kind, style, 2, 2);

	if (part == NULL)
		return NULL;
	for (int k = 0; k < 2; ++k) {
		part->numbers[2 * k] = first[k];
		part->numbers[2 * k + 1] = second[k];
	}
	return part;
}

void figure_picture(struct figure *figure, const struct picture *picture, const double low[2], const double high[2])
{
	struct part *part = add_places(figure, PART_PICTURE, (struct figure_style){0}, low, high);

	if (part == NULL)
		return;
	if (picture_make(picture->width, picture->height, &part->picture) != SONDE_OK) {
		figure->failed = true;
		return;
	}
	memcpy(part->picture.pixels, picture->pixels,
	       (size_t)picture->width * (size_t)picture->height * sizeof *picture->pixels);
}

void figure_segment(struct figure *figure, struct figure_style style, const double from[2], const double to[2])
{
	(void)add_places(figure, PART_SEGMENT, style, from, to);
}

void figure_arrow(struct figure *figure, struct figure_style style, const double from[2], const double to[2])
{
	(void)add_places(figure, PART_ARROW, style, from, to);
}

void figure_circle(struct figure *figure, struct figure_style style, const double center[2], double radius)
{
	(void)add_places(figure, PART_CIRCLE, style, center, (const double[2]){center[0] + radius, center[1]});
}

void figure_rectangle(struct figure *figure, struct figure_style style, const double from[2], const double to[2],
		      const uint32_t *fill)
{
	struct part *part = add_places(figure, PART_RECTANGLE, style, from, to);

	if (part == NULL || fill == NULL)
		return;
	part->filled = true;
	part->fill = *fill;
}

void figure_vertical(struct figure *figure, struct figure_style style, double x)
{
	(void)add_places(figure, PART_VERTICAL, style, (const double[2]){x, 0.0}, (const double[2]){x, 0.0});
}

void figure_text(struct figure *figure, const struct figure_text *place, const char *format, ...)
{
	struct part *part = add(figure, PART_TEXT, (struct figure_style){0}, 1, 0);
	va_list arguments;

	if (part == NULL)
		return;
	part->text = *place;
	va_start(arguments, format);
	set_text(figure, &part->title, format, arguments);
	va_end(arguments);
}
