/* Samples of a waveform, interpolated by straight lines or cubics. */
#ifndef SONDE_FDTD_SOURCES_WAVEFORM_SAMPLES_H
#define SONDE_FDTD_SOURCES_WAVEFORM_SAMPLES_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct waveform_samples {
	size_t count;
	double *times, *values; /* in steps, increasing; in any unit */
	double *slopes;         /* null: straight lines */
};

/* Copies samples, and computes the slopes of the cubics, those of parabolas through three samples each. At least two;
 * times must increase. To be freed by samples_free(), also after a failure. */
sonde_status samples_make(const double *times, const double *values, size_t count, bool cubic,
			  struct waveform_samples *samples);
void samples_free(struct waveform_samples *samples);
/* At a time between the first and the last sample. */
double samples_value(const struct waveform_samples *samples, double time);
/* Integral of value exp(i omega t), exact for the lines or cubics between the samples. */
double complex samples_spectrum(const struct waveform_samples *samples, double omega);
/* See waveform_lowest_frequency() and waveform_highest_frequency(). 0 and pi if there is no memory for it. */
void samples_band(const struct waveform_samples *samples, double level, double *lowest, double *highest);

#endif
