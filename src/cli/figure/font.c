/* The program's font. It is compiled in, so that pictures look the same on machines without fonts. */
#include <cairo-ft.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/figure/font.h"

extern const unsigned char figure_font[];
extern const size_t figure_font_size;

struct font {
	FT_Library library;
	FT_Face face;
	cairo_font_face_t *of_cairo;
};

sonde_status font_open(struct font **font)
{
	CHECK(memory_allocate(font, 1, sizeof **font, "the picture"));
	if (FT_Init_FreeType(&(*font)->library) != 0 ||
	    FT_New_Memory_Face((*font)->library, figure_font, (FT_Long)figure_font_size, 0, &(*font)->face) != 0) {
		font_close(font);
		return memory_missing("the picture's font");
	}
	/* without hinting, letters have the same widths in pixels and in vectors */
	(*font)->of_cairo = cairo_ft_font_face_create_for_ft_face((*font)->face, FT_LOAD_NO_HINTING);
	return SONDE_OK;
}

void font_close(struct font **font)
{
	if (*font == NULL)
		return;
	if ((*font)->of_cairo != NULL) {
		cairo_font_face_destroy((*font)->of_cairo);
		/* cairo keeps fonts for later use: they must not outlive the face */
		cairo_debug_reset_static_data();
	}
	if ((*font)->face != NULL)
		FT_Done_Face((*font)->face);
	if ((*font)->library != NULL)
		FT_Done_FreeType((*font)->library);
	free(*font);
	*font = NULL;
}

void font_select(const struct font *font, cairo_t *cairo)
{
	cairo_font_options_t *options = cairo_font_options_create();

	cairo_set_font_face(cairo, font->of_cairo);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(cairo, options);
	cairo_font_options_destroy(options);
}
