/* The font of pictures. */
#ifndef SONDE_CLI_FIGURE_FONT_H
#define SONDE_CLI_FIGURE_FONT_H

#include <cairo.h>

#include "base/status.h"

/* The font that the program contains, DejaVu Sans; to be released by font_close(). It lives as long as what was drawn with it. */
struct font;
sonde_status font_open(struct font **font);
void font_close(struct font **font);
void font_select(const struct font *font, cairo_t *cairo);

#endif
