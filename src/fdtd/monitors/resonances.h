/* Resonances of a time series: its decomposition into damped oscillations, by harmonic inversion. */
#ifndef SONDE_FDTD_MONITORS_RESONANCES_H
#define SONDE_FDTD_MONITORS_RESONANCES_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* The signal is the sum over resonances of Re(amplitude exp(-2 pi i frequency t - decay t)), t from the first sample. */
struct resonance {
	double frequency; /* in cycles per unit of the time step */
	double decay;     /* of the amplitude; negative if it grows */
	double quality;   /* pi frequency / decay: infinite without decay, negative if it grows */
	double complex amplitude;
	double frequency_error; /* standard errors, from the residual of the signal near the frequency */
	double decay_error;
	double amplitude_error;
};

/* Finds the resonances between two frequencies, in ascending order: *list, to be freed with free(), and their number.
 * Finding none is not a failure.
 *
 * Filter diagonalization (Wall and Neuhauser, J. Chem. Phys. 102 (1995) 8011; Mandelshtam and Taylor, J. Chem. Phys.
 * 107 (1997) 6756) in windows of the spectrum, with as many functions as the Bayesian information criterion
 * distinguishes from noise; then all of a window's oscillations are fitted to its spectrum by least squares. The
 * oscillations found are subtracted from the other windows, and their mirror images from their own, and all are
 * searched again until nothing changes. An oscillation is discarded if its amplitude is not above six of its errors,
 * or is always below 1e-11 of the signal's largest sample.
 *
 * `signal` has `count` samples, at least 32, `time_step` apart, of free oscillations: after the source has ended. The
 * frequencies are above 0 and below half the sampling rate. With T = count time_step, an interval of width W can hold
 * about W T / 4 resonances, including neighbors outside of it; one whose width, frequency / quality, is above some
 * 100 / T is only found where W T is below 78: for it, a shorter part of the signal, before it has decayed, is
 * better. The work grows as W T times the number of samples: half a second for a W T of 1000 and 20,000 samples. */
sonde_status resonances_find(const double *signal, size_t count, double time_step, double lowest_frequency,
			     double highest_frequency, struct resonance **list, size_t *found);
/* The same for a complex signal, the sum over resonances of amplitude exp(-2 pi i frequency t - decay t): those of
 * positive frequency, which are unrelated to those of negative frequency. `real`: it is real, as above. */
sonde_status resonances_find_complex(const double complex *signal, size_t count, bool real, double time_step,
				     double lowest_frequency, double highest_frequency, struct resonance **list,
				     size_t *found);

#endif
