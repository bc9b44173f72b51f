#include "io/picture/picture.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

#define COMPRESSION 3 /* zlib level: higher ones take several times as long for a tenth of the size */

sonde_status picture_make(int width, int height, struct picture *picture)
{
	*picture = (struct picture){.width = width, .height = height};
	CHECK(
	    memory_allocate(&picture->pixels, (size_t)width * (size_t)height, sizeof *picture->pixels, "a picture"));
	memset(picture->pixels, 255, (size_t)width * (size_t)height * sizeof *picture->pixels);
	return SONDE_OK;
}

void picture_free(struct picture *picture)
{
	free(picture->pixels);
	*picture = (struct picture){0};
}

/* Lines --------------------------------------------------------------------------------- */

static double distance_to_line(const double from[2], const double to[2], double x, double y)
{
	double along[2] = {to[0] - from[0], to[1] - from[1]}, square = along[0] * along[0] + along[1] * along[1];
	double part = square > 0.0 ? ((x - from[0]) * along[0] + (y - from[1]) * along[1]) / square : 0.0;

	part = fmin(fmax(part, 0.0), 1.0);
	return hypot(x - from[0] - part * along[0], y - from[1] - part * along[1]);
}

static int clamp(double value, int most)
{
	return value < 0.0 ? 0 : value > most ? most : (int)value;
}

void picture_cover_line(int width, int height, float *coverage, const double from[2], const double to[2],
			double line_width)
{
	double reach = 0.5 * line_width + 1.0;
	int left = clamp(fmin(from[0], to[0]) - reach, width),
	    right = clamp(fmax(from[0], to[0]) + reach + 1.0, width),
	    top = clamp(fmin(from[1], to[1]) - reach, height),
	    bottom = clamp(fmax(from[1], to[1]) + reach + 1.0, height);

	for (int y = top; y < bottom; ++y)
		for (int x = left; x < right; ++x) {
			double away = distance_to_line(from, to, x + 0.5, y + 0.5),
			       covered = fmin(fmax(0.5 * line_width + 0.5 - away, 0.0), 1.0);
			float *pixel = &coverage[(size_t)y * (size_t)width + (size_t)x];
			*pixel = fmaxf(*pixel, (float)covered);
		}
}

static unsigned char between(unsigned char from, unsigned char to, double part)
{
	return (unsigned char)lround(from + part * (to - from));
}

void picture_lay_over(struct picture *picture, const float *coverage, double strength, struct color color)
{
	for (size_t n = 0; n < (size_t)picture->width * (size_t)picture->height; ++n) {
		struct color *pixel = &picture->pixels[n];
		double part = strength * coverage[n];
		if (part > 0.0)
			*pixel = (struct color){between(pixel->red, color.red, part),
						between(pixel->green, color.green, part),
						between(pixel->blue, color.blue, part)};
	}
}

/* PNG ------------------------------------------------------------------------------------- */

struct png_bytes {
	unsigned char *bytes;
	size_t size, capacity;
};

static void take_bytes(png_structp png, png_bytep data, png_size_t size)
{
	struct png_bytes *to = png_get_io_ptr(png);

	if (memory_grow(&to->bytes, &to->capacity, to->size + size, 1, "a picture") != SONDE_OK)
		png_error(png, "memory");
	memcpy(to->bytes + to->size, data, size);
	to->size += size;
}

static void flush_nothing(png_structp png)
{
	(void)png;
}

/* Error handler: libpng gives up by longjmp(). */
static void give_up(png_structp png, png_const_charp message)
{
	(void)message;
	png_longjmp(png, 1);
}

static void say_nothing(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

/* False if libpng gave up. State is kept in *to, not in variables that longjmp() may clobber. */
static bool encode(png_structp png, png_infop info, const struct picture *picture, struct png_bytes *to)
{
	if (setjmp(png_jmpbuf(png)) != 0)
		return false;
	png_set_write_fn(png, to, take_bytes, flush_nothing);
	png_set_compression_level(png, COMPRESSION);
	png_set_filter(png, 0, PNG_FILTER_SUB);
	png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8, PNG_COLOR_TYPE_RGB,
		     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	for (int y = 0; y < picture->height; ++y)
		png_write_row(png, (png_const_bytep)(picture->pixels + (size_t)y * (size_t)picture->width));
	png_write_end(png, info);
	return true;
}

sonde_status picture_write(const struct picture *picture, const char *path, bool overwrite)
{
	struct png_bytes bytes = {0};
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, say_nothing);
	png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
	sonde_status status =
	    info != NULL && encode(png, info, picture, &bytes)
		? SONDE_OK
		: status_fail_file(SONDE_RESOURCE, path, "the picture cannot be created; is memory short?");

	png_destroy_write_struct(&png, &info);
	if (status == SONDE_OK)
		status = file_write(path, bytes.bytes, bytes.size, overwrite);
	free(bytes.bytes);
	return status;
}
