/* What waveforms of samples have of their own, without amplitude and delay. */
#ifndef SONDE_FDTD_SOURCES_WAVEFORM_SAMPLES_H
#define SONDE_FDTD_SOURCES_WAVEFORM_SAMPLES_H

#include "fdtd/sources/waveform.h"

/* At a time between the first and the last sample. */
double samples_value(const struct waveform *waveform, double time);
/* Integral of value exp(i omega t), exact for the lines or cubics between the samples. */
double complex samples_spectrum(const struct waveform *waveform, double omega);
/* See waveform_lowest_frequency() and waveform_highest_frequency(). 0 and pi where there is no memory for it. */
void samples_band(const struct waveform *waveform, double level, double *lowest, double *highest);

#endif
