/* Waveforms of sources, in the engine's units: times in steps, angular frequencies in radians per step, so that pi is
 * the highest one that steps can represent. */
#ifndef SONDE_FDTD_SOURCES_WAVEFORM_H
#define SONDE_FDTD_SOURCES_WAVEFORM_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "fdtd/sources/waveform_samples.h"

/* With u = t - delay, u >= 0. The peak of a pulse is late enough for it to begin and end at `cutoff` of the peak. */
enum waveform_kind {
	/* exp(-v^2/(2 s^2)) cos(omega v + phase), v = u - peak: a power spectrum of full width `bandwidth` at half of its largest value,
	 * s = 2 sqrt(log 2)/bandwidth */
	WAVEFORM_PULSE,
	/* exp(-v^2/(2 s^2)), with a spectrum from 0 to bandwidth/2 at half power. A current of this form leaves charges. */
	WAVEFORM_GAUSSIAN,
	/* (1 - 2 a v^2) exp(-a v^2), a = omega^2/4: the spectrum is largest at omega (Ricker, Geophysics 18 (1953) 10) */
	WAVEFORM_RICKER,
	/* cos(omega u + phase), which rises as sin^2 over `ramp` periods and falls symmetrically at the end of `duration`, if
	 * there is one */
	WAVEFORM_CONTINUOUS,
	/* samples, interpolated by straight lines or cubics, and 0 before the first and after the last one; times are u */
	WAVEFORM_SAMPLES
};

#define WAVEFORM_CUTOFF 1e-7 /* where there is none */

/* Values are multiplied by the amplitude; parameters that a kind does not use are 0. */
struct waveform {
	enum waveform_kind kind;
	double amplitude, delay;
	double omega, phase; /* radians per step; radians */
	double bandwidth;    /* radians per step */
	double cutoff;       /* part of the peak; 0: WAVEFORM_CUTOFF */
	double ramp;         /* periods */
	double duration;     /* steps with both ramps; 0: endless */
	struct waveform_samples samples;
};

/* SONDE_INVALID with a message for values that are not finite, frequencies that are not between 0 and pi or extend
 * beyond it, a duration too short for its ramps, a phase without a carrier. */
sonde_status waveform_check(const struct waveform *waveform);
/* A waveform of samples: see samples_make(). The amplitude is 1, the delay 0. To be freed by waveform_free(), also
 * after a failure. */
sonde_status waveform_make_samples(const double *times, const double *values, size_t count, bool cubic,
				   struct waveform *waveform);
/* For every kind; only samples have memory. */
void waveform_free(struct waveform *waveform);

/* These two are waveforms as in incident_form; `waveform` is a struct waveform. */
double waveform_value(const void *waveform, double time);
/* The waveform with sin in place of cos, so that Re(a exp(-i omega t)) with a slow amplitude is Re(a) value + Im(a)
 * quadrature. It is the Hilbert transform up to exp(-(omega s)^2/2) of it, and only for waveforms with a carrier: NaN
 * for the others. */
double waveform_quadrature(const void *waveform, double time);
/* Whether this is reliable: there is a carrier, and the error is below 1e-3 (pulses: bandwidth up to 0.44 omega). */
bool waveform_has_quadrature(const struct waveform *waveform);

/* Integral of value exp(i omega t) over all t, in steps. For pulses without the cutoff, which changes it by less than
 * `cutoff` of its largest value. For an endless wave: the contribution of its beginning, infinite at its own
 * frequency. */
double complex waveform_spectrum(const struct waveform *waveform, double omega);

/* The waveform is 0 before the first of these times, and after the second one, which may be infinite. */
double waveform_begin(const struct waveform *waveform);
double waveform_end(const struct waveform *waveform);

/* The largest magnitude after a time: of a carrier's envelope, of other waveforms' values; for samples of those at
 * their times. Only for sources of finite duration. */
double waveform_largest_after(const struct waveform *waveform, double time);

/* Frequency above which |spectrum| stays below `level` (0 to 1) of its largest value, at most pi. For a pulse, that
 * of the part around +omega alone. For an endless wave: as for one that lasts for its two ramps. For samples: of
 * their values at whole steps. */
double waveform_highest_frequency(const struct waveform *waveform, double level);
/* Frequency below which it stays below that level; 0 if it does not. Frequencies above the carrier are ignored. */
double waveform_lowest_frequency(const struct waveform *waveform, double level);

#endif
