/* The resolution of an instrument: the profile that it gives to a sharp line, along q or along the scattering angle. */
#ifndef SONDE_DEBYE_RESOLUTION_H
#define SONDE_DEBYE_RESOLUTION_H

#include <stdbool.h>

#include "base/status.h"
#include "sonde/debye.h"

#define RESOLUTION_WAVELENGTHS 2

struct resolution {
	bool wanted;
	bool angles; /* the axis of the profile is the scattering angle in degrees; else q */
	/* Full widths at half maximum: of the Gaussian u tan^2 + v tan + w, squared (Caglioti); of the Lorentzian
	 * x tan + y/cos, of theta. Along q only w. */
	double u, v, w, x, y;
	/* Lines of the source, with parts of the intensity that add up to 1; along q only the first, whose wavelength may be 0. */
	int wavelengths;
	double wavelength[RESOLUTION_WAVELENGTHS], part[RESOLUTION_WAVELENGTHS];
};

/* Reads the options `resolution` and `doublet`. */
sonde_status resolution_read(const sonde_debye_options *options, struct resolution *resolution);
/* Position of a line at q, along the axis, for line `l` of the source; its derivative by q; and the inverse. */
double resolution_position(const struct resolution *resolution, int l, double q);
double resolution_slope(const struct resolution *resolution, int l, double q);
double resolution_q(const struct resolution *resolution, int l, double position);

/* Pseudo-Voigt profile: width and Lorentzian part. P. Thompson, D. E. Cox & J. B. Hastings, J. Appl. Cryst. 20 (1987)
 * 79. */
struct profile {
	double fwhm, lorentzian;
};
/* That of a line at `position`; the width is NaN where it does not exist. */
struct profile resolution_profile(const struct resolution *resolution, double position);
/* Its value at this distance from the line; its area is 1. */
double profile_value(const struct profile *profile, double distance);
/* The profile is cut at this distance, in units of its full width at half maximum. */
double resolution_reach(const struct resolution *resolution);

#endif
