#include "debye/curves/resolution.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "debye/points/wavelength.h"

#define MOST_NUMBERS 5
#define GAUSSIAN_REACH 2.5    /* where a Gaussian is 3e-8 of its height */
#define LORENTZIAN_REACH 20.0 /* a Lorentzian has 1.6 % of its area beyond */

/* The numbers of "NAME:1:2:3"; their number, or -1. `end` is that of the last. */
static int read_numbers(const char *text, const char *end, double *numbers)
{
	int count = 0;

	while (text < end) {
		const char *next = *text == ':' ? memchr(text + 1, ':', (size_t)(end - text - 1)) : NULL;
		if (*text != ':' || count == MOST_NUMBERS)
			return -1;
		next = next != NULL ? next : end;
		if (!text_parse_real(text + 1, next, &numbers[count++]))
			return -1;
		text = next;
	}
	return count;
}

static bool begins_with(const char *text, const char *name)
{
	return strncmp(text, name, strlen(name)) == 0;
}

static bool ends_with(const char *text, const char *ending)
{
	const size_t length = strlen(text), size = strlen(ending);

	return length >= size && strcmp(text + length - size, ending) == 0;
}

/* gaussian:FWHM, gaussian:FWHMdeg, caglioti:U:V:W or tch:U:V:W:X:Y */
static bool read_profile(const char *text, struct resolution *resolution)
{
	double number[MOST_NUMBERS];
	const char *end = text + strlen(text);

	if (begins_with(text, "gaussian:")) {
		resolution->angles = ends_with(text, "deg");
		if (read_numbers(text + 8, end - (resolution->angles ? 3 : 0), number) != 1 || !(number[0] > 0.0))
			return false;
		resolution->w = number[0] * number[0];
		return isfinite(resolution->w) && resolution->w > 0.0;
	}
	resolution->angles = true;
	const bool caglioti = begins_with(text, "caglioti:");
	if (!caglioti && !begins_with(text, "tch:"))
		return false;
	if (read_numbers(text + (caglioti ? 8 : 3), end, number) != (caglioti ? 3 : MOST_NUMBERS))
		return false;
	resolution->u = number[0];
	resolution->v = number[1];
	resolution->w = number[2];
	resolution->x = caglioti ? 0.0 : number[3];
	resolution->y = caglioti ? 0.0 : number[4];
	return resolution->x >= 0.0 && resolution->y >= 0.0;
}

static sonde_status read_doublet(const sonde_debye_options *options, struct resolution *resolution)
{
	const char *text = options->doublet, *colon = strchr(text, ':');
	double second, ratio;

	if (text[0] == '\0')
		return SONDE_OK;
	if (!resolution->wanted || !resolution->angles)
		return status_fail_option(SONDE_INVALID, "doublet",
					  "needs a `resolution` along the scattering angle, as gaussian:0.1deg");
	if (colon == NULL || !text_parse_real(text, colon, &second) ||
	    !text_parse_real(colon + 1, colon + strlen(colon), &ratio) || !(second > 0.0) || !(second <= 1000.0) ||
	    !(ratio > 0.0) || !(ratio <= 1e6))
		return status_fail_option(SONDE_INVALID, "doublet",
					  "'%.60s' is not a wavelength with a ratio of intensities, as 1.54439:0.5",
					  text);
	resolution->wavelengths = 2;
	resolution->wavelength[1] = second;
	resolution->part[0] = 1.0 / (1.0 + ratio);
	resolution->part[1] = ratio / (1.0 + ratio);
	return SONDE_OK;
}

sonde_status resolution_read(const sonde_debye_options *options, struct resolution *resolution)
{
	const char *text = options->resolution;

	*resolution = (struct resolution){.wanted = text[0] != '\0' && strcmp(text, "none") != 0,
					  .wavelengths = 1,
					  .wavelength = {debye_wavelength(options)},
					  .part = {1.0}};
	if (resolution->wanted && !read_profile(text, resolution))
		return status_fail_option(SONDE_INVALID, "resolution",
					  "'%.60s' is neither none, gaussian:FWHM (1/Angstrom), gaussian:FWHMdeg, "
					  "caglioti:U:V:W, nor tch:U:V:W:X:Y, with widths above 0",
					  text);
	if (resolution->wanted && resolution->angles && !(resolution->wavelength[0] > 0.0))
		return status_fail_option(SONDE_INVALID, "resolution",
					  "needs `wavelength`, since its axis is the scattering angle");
	return read_doublet(options, resolution);
}

double resolution_position(const struct resolution *resolution, int l, double q)
{
	if (!resolution->angles)
		return q;
	return 2.0 / DEGREE * asin(fmax(-1.0, fmin(1.0, q * resolution->wavelength[l] / (4.0 * PI))));
}

double resolution_slope(const struct resolution *resolution, int l, double q)
{
	if (!resolution->angles)
		return 1.0;
	const double sine = q * resolution->wavelength[l] / (4.0 * PI);
	return resolution->wavelength[l] / (2.0 * PI) / sqrt(1.0 - sine * sine) / DEGREE;
}

double resolution_q(const struct resolution *resolution, int l, double position)
{
	return resolution->angles ? 4.0 * PI * sin(0.5 * DEGREE * position) / resolution->wavelength[l] : position;
}

struct profile resolution_profile(const struct resolution *resolution, double position)
{
	const double theta = 0.5 * DEGREE * fabs(position), tangent = resolution->angles ? tan(theta) : 0.0,
		     square = (resolution->u * tangent + resolution->v) * tangent + resolution->w,
		     l = resolution->angles ? resolution->x * tangent + resolution->y / cos(theta) : 0.0,
		     g = sqrt(square),
		     fifth = pow(g, 5) + 2.69269 * pow(g, 4) * l + 2.42843 * pow(g, 3) * l * l +
			     4.47163 * g * g * pow(l, 3) + 0.07842 * g * pow(l, 4) + pow(l, 5),
		     fwhm = pow(fifth, 0.2), part = l / fwhm;

	return (struct profile){fwhm, ((0.11116 * part - 0.47719) * part + 1.36603) * part};
}

double profile_value(const struct profile *profile, double distance)
{
	const double x = 2.0 * distance / profile->fwhm, square = x * x;

	return (1.0 - profile->lorentzian) * (2.0 * sqrt(log(2.0) / PI) / profile->fwhm) * exp(-log(2.0) * square) +
	       profile->lorentzian * (2.0 / PI / profile->fwhm) / (1.0 + square);
}

double resolution_reach(const struct resolution *resolution)
{
	return resolution->x > 0.0 || resolution->y > 0.0 ? LORENTZIAN_REACH : GAUSSIAN_REACH;
}
