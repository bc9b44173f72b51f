/* Resonances of a time series: the damped oscillations that it is a sum of, by harmonic inversion. */
#ifndef SONDE_FDTD_RESONANCES_H
#define SONDE_FDTD_RESONANCES_H

#include <complex.h>
#include <stddef.h>

#include "base/status.h"

/* The signal is the sum over resonances of Re(amplitude exp(-2 pi i frequency t - decay t)), t from the first sample. */
struct resonance {
	double frequency; /* in cycles a unit of the time step */
	double decay;     /* of the amplitude; negative if it grows */
	double quality;   /* pi frequency / decay: infinite without decay, negative if it grows */
	double complex amplitude;
	double frequency_error; /* standard errors, from what the sum leaves of the signal near the frequency */
	double decay_error;
	double amplitude_error;
};

/* Finds the resonances between two frequencies, in their order: *list, which free() releases, and their number. None is no failure.
 *
 * Filter diagonalisation (Wall and Neuhauser, J. Chem. Phys. 102 (1995) 8011; Mandelshtam and Taylor, J. Chem. Phys. 107 (1997) 6756)
 * in overlapping windows of the spectrum, with as many functions as Bayes' information criterion can tell from noise; then all of
 * a window's oscillations are fitted to its spectrum by least squares. An oscillation that is not above the noise by six of its
 * amplitude's errors is left out.
 *
 * `signal` has `count` samples, 32 at least, `time_step` apart, of what rings freely: without its source. The frequencies are above 0
 * and below half the sampling rate. A band of the spectrum that is as wide as k/(count time_step) can hold about k/2 resonances;
 * those that are broader than some 100/(count time_step) are found only where the interval is a single window (of at most 64 such
 * cells), so that a shorter part of the signal is better for them. The work grows as the width of the interval times the square of
 * the number of samples. */
sonde_status resonances_find(const double *signal, size_t count, double time_step, double lowest_frequency,
			     double highest_frequency, struct resonance **list, size_t *found);

#endif
