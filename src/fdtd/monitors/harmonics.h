/* One window of a harmonic inversion: an interval of a signal's spectrum as a sum of damped oscillations. */
#ifndef SONDE_FDTD_MONITORS_HARMONICS_H
#define SONDE_FDTD_MONITORS_HARMONICS_H

#include <complex.h>
#include <stddef.h>

#include "base/status.h"

#define HARMONICS_MOST_NODES 64   /* basis functions in a window */
#define HARMONICS_SIGNIFICANT 5.0 /* errors that the amplitude of a significant oscillation exceeds */

/* signal[n] is the sum of amplitude exp(exponent n), over oscillations inside and outside the window. */
struct harmonic {
	double complex exponent; /* near -i center */
	double complex amplitude;
	double exponent_error; /* standard errors of the real and imaginary parts */
	double amplitude_error;
};

/* The window's center and the number of its basis functions, which are 4 pi / count apart, in radians per sample.
 * `list` has room for HARMONICS_MOST_NODES; the oscillations returned describe the window's spectrum, including
 * additional ones that represent the rest. Two that cannot be resolved in the signal's length are one, with an error
 * that includes this. */
sonde_status harmonics_of_window(const double complex *signal, size_t count, double center, int nodes,
				 struct harmonic *list, int *found);

#endif
