/* Colors for numbers. */
#include <math.h>

#include "io/picture/picture.h"

/* sRGB, IEC 61966-2-1: linear intensity relative to white from the encoded value, and back. */
static double light_of(double value)
{
	return value > 0.04045 ? pow((value + 0.055) / 1.055, 2.4) : value / 12.92;
}

static double value_of(double light)
{
	return light > 0.0031308 ? 1.055 * pow(light, 1.0 / 2.4) - 0.055 : 12.92 * light;
}

/* CIE 1931 X, Y, Z of sRGB's primaries, and of its white, D65. */
static const double primaries[3][3] = {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};
static const double primaries_inverse[3][3] = {
    {3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}};
static const double white[3] = {0.9505, 1.0, 1.0890};

#define LAB_BREAK (6.0 / 29.0)

static double lab_of(double part)
{
	return part > LAB_BREAK * LAB_BREAK * LAB_BREAK ? cbrt(part)
							: part / (3.0 * LAB_BREAK * LAB_BREAK) + 4.0 / 29.0;
}

static double part_of(double lab)
{
	return lab > LAB_BREAK ? lab * lab * lab : 3.0 * LAB_BREAK * LAB_BREAK * (lab - 4.0 / 29.0);
}

/* CIE L*a*b* in polar coordinates: length, saturation (the angle from the gray axis), hue. */
static void polar_of(const double rgb[3], double polar[3])
{
	double f[3], lab[3];

	for (int k = 0; k < 3; ++k) {
		double sum = 0.0;
		for (int c = 0; c < 3; ++c)
			sum += primaries[k][c] * light_of(rgb[c]);
		f[k] = lab_of(sum / white[k]);
	}
	lab[0] = 116.0 * f[1] - 16.0;
	lab[1] = 500.0 * (f[0] - f[1]);
	lab[2] = 200.0 * (f[1] - f[2]);
	polar[0] = sqrt(lab[0] * lab[0] + lab[1] * lab[1] + lab[2] * lab[2]);
	polar[1] = polar[0] > 0.0 ? acos(lab[0] / polar[0]) : 0.0;
	polar[2] = atan2(lab[2], lab[1]);
}

static unsigned char byte_of(double value)
{
	return (unsigned char)lround(255.0 * fmin(fmax(value, 0.0), 1.0));
}

static struct color color_of_polar(const double polar[3])
{
	double l = polar[0] * cos(polar[1]), a = polar[0] * sin(polar[1]) * cos(polar[2]),
	       b = polar[0] * sin(polar[1]) * sin(polar[2]), y = (l + 16.0) / 116.0;
	const double xyz[3] = {white[0] * part_of(y + a / 500.0), white[1] * part_of(y),
			       white[2] * part_of(y - b / 200.0)};
	double rgb[3];

	for (int c = 0; c < 3; ++c)
		rgb[c] = value_of(fmax(0.0, primaries_inverse[c][0] * xyz[0] + primaries_inverse[c][1] * xyz[1] +
						primaries_inverse[c][2] * xyz[2]));
	return (struct color){byte_of(rgb[0]), byte_of(rgb[1]), byte_of(rgb[2])};
}

/* The hue of a less saturated color, rotated so that the transition looks even (Moreland 2009, section 5). */
static double turned_hue(const double saturated[3], double length)
{
	if (saturated[0] >= length)
		return saturated[2];
	double turn =
	    saturated[1] * sqrt(length * length - saturated[0] * saturated[0]) / (saturated[0] * sin(saturated[1]));
	return saturated[2] > -M_PI / 3.0 ? saturated[2] + turn : saturated[2] - turn;
}

struct color color_diverging(double value)
{
	static const double ends[2][3] = {{59.0 / 255.0, 76.0 / 255.0, 192.0 / 255.0},
					  {180.0 / 255.0, 4.0 / 255.0, 38.0 / 255.0}};
	double low[3], high[3], polar[3];

	if (isnan(value))
		return (struct color){128, 128, 128};
	double part = fmin(fabs(value), 1.0);
	polar_of(ends[0], low);
	polar_of(ends[1], high);
	double length = fmax(fmax(low[0], high[0]), 88.0); /* lightness of the gray in the middle */
	const double *end = value < 0.0 ? low : high;
	polar[0] = length + part * (end[0] - length);
	polar[1] = part * end[1];
	polar[2] = (1.0 - part) * turned_hue(end, length) + part * end[2];
	return color_of_polar(polar);
}

struct color color_sequential(double value)
{
	static const struct color steps[] = {{255, 255, 255}, {253, 231, 37}, {94, 201, 98},
					     {33, 145, 140},  {59, 82, 139},  {68, 1, 84}};
	enum { LAST = sizeof steps / sizeof *steps - 1 };

	if (isnan(value))
		return (struct color){128, 128, 128};
	double at = fmin(fmax(value, 0.0), 1.0) * LAST;
	int below = at >= LAST ? LAST - 1 : (int)at;
	double part = at - below;
	const struct color *a = &steps[below], *b = &steps[below + 1];
	return (struct color){(unsigned char)lround(a->red + part * (b->red - a->red)),
			      (unsigned char)lround(a->green + part * (b->green - a->green)),
			      (unsigned char)lround(a->blue + part * (b->blue - a->blue))};
}
