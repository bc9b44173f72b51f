/* Resonances of a time series: the damped oscillations that it is a sum of, by harmonic inversion. */
#ifndef SONDE_FDTD_MONITORS_RESONANCES_H
#define SONDE_FDTD_MONITORS_RESONANCES_H

#include <complex.h>
#include <stdbool.h>
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
 * Filter diagonalisation (Wall and Neuhauser, J. Chem. Phys. 102 (1995) 8011; Mandelshtam and Taylor, J. Chem. Phys. 107 (1997)
 * 6756) in windows of the spectrum, with as many functions as Bayes' information criterion can tell from noise; then all of a
 * window's oscillations are fitted to its spectrum by least squares. What was found is taken out of the other windows, and its
 * mirror image out of its own, and they are searched anew until nothing moves. An oscillation is left out whose amplitude is not
 * above six of its errors, or is below 1e-11 of the signal's largest sample all the time.
 *
 * `signal` has `count` samples, 32 at least, `time_step` apart, of what rings freely: without its source. The frequencies are above
 * 0 and below half the sampling rate. With T = count time_step, an interval W wide can hold about W T / 4 resonances, neighbours
 * outside of it included; one whose width, frequency / quality, is above some 100 / T is only found where W T is below 78: a
 * shorter part of the signal, which has not died away, is better for it. The work grows as W T times the number of samples: half a
 * second for a W T of 1000 and 20,000 samples. */
sonde_status resonances_find(const double *signal, size_t count, double time_step, double lowest_frequency,
			     double highest_frequency, struct resonance **list, size_t *found);
/* The same of a complex signal, the sum over resonances of amplitude exp(-2 pi i frequency t - decay t): those of positive frequency, to which those
 * of negative frequency have no relation. `real`: it is real, as above. */
sonde_status resonances_find_complex(const double complex *signal, size_t count, bool real, double time_step,
				     double lowest_frequency, double highest_frequency, struct resonance **list,
				     size_t *found);

#endif
