/* One window of a harmonic inversion: a stretch of a signal's spectrum as a sum of damped oscillations. */
#ifndef SONDE_FDTD_MONITORS_HARMONICS_H
#define SONDE_FDTD_MONITORS_HARMONICS_H

#include <complex.h>
#include <stddef.h>

#include "base/status.h"

#define HARMONICS_MOST_NODES 64   /* basis functions in a window */
#define HARMONICS_SIGNIFICANT 5.0 /* amplitudes in their errors, of what counts */

/* signal[n] is the sum of amplitude exp(exponent n), over what a window holds and what lies outside of it. */
struct harmonic {
	double complex exponent; /* about -i centre */
	double complex amplitude;
	double exponent_error; /* standard errors of the real and imaginary parts */
	double amplitude_error;
};

/* The window's middle and the number of its basis functions, which are 4 pi / count apart, in radians a sample. `list` has room for
 * HARMONICS_MOST_NODES; what it gets describes the window's spectrum, with oscillations beside it that stand for the rest. Two that the signal is too short for to tell them
 * apart are one, with an error that says so. */
sonde_status harmonics_of_window(const double complex *signal, size_t count, double centre, int nodes,
				 struct harmonic *list, int *found);

#endif
