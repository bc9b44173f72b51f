/* Curves derived from others, where an option asks for them. */
#ifndef SONDE_DEBYE_DERIVED_CURVES_H
#define SONDE_DEBYE_DERIVED_CURVES_H

#include "debye/debye.h"

/* Reads the option `polarization`: *polarized is false for none, otherwise *degree is from -1 to 1. */
sonde_status polarization_read(const char *text, bool *polarized, double *degree);
/* Whether factors on intensities are wanted. */
bool intensity_is_corrected(const sonde_debye_options *options);
/* These factors of checked options at sin(theta). */
double intensity_factor(const sonde_debye_options *options, double sine);
/* The same at q, by the option `wavelength`. */
double intensity_factor_at(const sonde_debye_options *options, double q);
/* Checks options of a sample of `species` different species. */
sonde_status derived_curves_check(const sonde_debye_options *options, int species);
/* The number of curves over q, for estimates of memory. */
int derived_curves_count(const sonde_debye_options *options);
/* After all other curves: corrected intensities, structure factors of Bhatia and Thornton, D(r) and T(r). */
sonde_status derived_curves_make(sonde_debye_result *result);

#endif
