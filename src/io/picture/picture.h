/* Pictures of pixels, their lines, and PNG files of them. */
#ifndef SONDE_IO_PICTURE_H
#define SONDE_IO_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct color {
	unsigned char red, green, blue;
};

/* Rows from the top, pixels from the left. Pixel (x, y) is the square from (x, y) to (x + 1, y + 1). */
struct picture {
	int width, height;
	struct color *pixels;
};

/* A white picture of this size. To be freed by picture_free(), also after a failure. */
sonde_status picture_make(int width, int height, struct picture *picture);
void picture_free(struct picture *picture);

/* The coverage of each pixel, 0 to 1, by a line from one point to another, `line_width` pixels wide:
 * coverage[height][width] becomes the maximum of its value and that. */
void picture_cover_line(int width, int height, float *coverage, const double from[2], const double to[2],
			double line_width);
/* Blends a color over the picture by `coverage` times `strength`. */
void picture_lay_over(struct picture *picture, const float *coverage, double strength, struct color color);

/* Writes an RGB picture as PNG; the file appears when it is complete. */
sonde_status picture_write(const struct picture *picture, const char *path, bool overwrite);

/* From blue (-1) over light gray (0) to red (1); values beyond are clamped, NaN is gray. Equal steps look equal: Moreland, "Diverging
 * color maps for scientific visualization", ISVC 2009, LNCS 5876, 92, between RGB (59, 76, 192) and (180, 4, 38). */
struct color color_diverging(double value);
/* From white (0) over yellow, green and blue to dark violet (1). */
struct color color_sequential(double value);

#endif
