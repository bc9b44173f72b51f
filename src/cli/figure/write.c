/* Pictures as files. */
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/figure/canvas.h"
#include "cli/figure/describe.h"
#include "cli/figure/font.h"
#include "cli/figure/panel.h"

#define POINTS 0.6 /* of 1/72 inch for a pixel: a picture 1200 pixels wide becomes 10 inches */

sonde_status figure_check(const char *path, bool overwrite)
{
	if (!file_has_suffix(path, ".png") && !file_has_suffix(path, ".svg") && !file_has_suffix(path, ".pdf"))
		return status_fail_file(SONDE_INVALID, path,
					"pictures are PNG, SVG or PDF files; end the name in .png, .svg or .pdf");
	return file_check_output(path, overwrite);
}

static cairo_status_t append(void *text, const unsigned char *bytes, unsigned int size)
{
	text_append_bytes(text, (const char *)bytes, size);
	return ((struct text *)text)->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static void draw(cairo_t *cairo, const struct figure *figure)
{
	struct panel_room room = {.width = (double)figure->width / figure->columns,
				  .height = (double)figure->height / figure->rows};

	cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
	cairo_paint(cairo);
	for (int column = 0; column < figure->columns; ++column) {
		room.left = column * room.width;
		room.margins[0] = 0.0;
		room.margins[1] = 0.0;
		for (int k = column; k < figure->panel_count; k += figure->columns)
			panel_find_margins(cairo, &figure->panels[k], &room);
		for (int k = column; k < figure->panel_count; k += figure->columns) {
			const int row = k / figure->columns;
			room.top = row * room.height;
			panel_draw(cairo, &figure->panels[k], &room);
		}
	}
	if (figure->note == NULL)
		return;
	canvas_color(cairo, TEXT_COLOR);
	canvas_text(cairo, figure->width - 8.0, figure->height - 9.0, 0.8 * TEXT_SIZE, FIGURE_END, figure->note);
}

static cairo_surface_t *create_surface(const struct figure *figure, const char *path, struct text *bytes)
{
	if (file_has_suffix(path, ".svg"))
		return cairo_svg_surface_create_for_stream(append, bytes, figure->width, figure->height);
	if (!file_has_suffix(path, ".pdf"))
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24, figure->width, figure->height);
	return cairo_pdf_surface_create_for_stream(append, bytes, POINTS * figure->width, POINTS * figure->height);
}

static sonde_status fill(const struct figure *figure, const struct font *font, const char *path, struct text *bytes)
{
	cairo_surface_t *surface = create_surface(figure, path, bytes);
	cairo_t *cairo = cairo_create(surface);

	if (file_has_suffix(path, ".pdf"))
		cairo_scale(cairo, POINTS, POINTS);
	font_select(font, cairo);
	draw(cairo, figure);
	cairo_show_page(cairo);
	cairo_status_t status = cairo_status(cairo);
	cairo_destroy(cairo);
	if (status == CAIRO_STATUS_SUCCESS && cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE)
		status = cairo_surface_write_to_png_stream(surface, append, bytes);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS
		   ? SONDE_OK
		   : status_fail_file(SONDE_RESOURCE, path, "the picture cannot be drawn: %s",
				      cairo_status_to_string(status));
}

/* The picture in words, after the start tag of the SVG. */
static void insert_description(const struct figure *figure, struct text *bytes)
{
	const char *tag = bytes->bytes != NULL ? strstr(bytes->bytes, "<svg ") : NULL,
		   *end = tag != NULL ? strchr(tag, '>') : NULL;
	struct text with = {0};

	if (end == NULL)
		return;
	text_append_bytes(&with, bytes->bytes, (size_t)(end + 1 - bytes->bytes));
	text_append(&with, "\n<desc>\n");
	describe(figure, &with);
	text_append(&with, "</desc>");
	text_append_bytes(&with, end + 1, bytes->size - (size_t)(end + 1 - bytes->bytes));
	text_free(bytes);
	*bytes = with;
}

sonde_status figure_write(const struct figure *figure, const char *path, bool overwrite)
{
	struct text bytes = {0};
	struct font *font;

	if (figure->failed)
		return memory_missing("the picture");
	CHECK(font_open(&font));
	sonde_status status = fill(figure, font, path, &bytes);
	font_close(&font);
	if (status == SONDE_OK && file_has_suffix(path, ".svg"))
		insert_description(figure, &bytes);
	if (status == SONDE_OK)
		status = text_status(&bytes);
	if (status == SONDE_OK)
		status = file_write(path, bytes.bytes, bytes.size, overwrite);
	text_free(&bytes);
	return status;
}
