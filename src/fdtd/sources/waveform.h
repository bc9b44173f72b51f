/* Forms of sources in time, in the engine's units: times in steps, angular frequencies in radians a step, so that pi is the highest one that steps
 * can tell from others. */
#ifndef SONDE_FDTD_SOURCES_WAVEFORM_H
#define SONDE_FDTD_SOURCES_WAVEFORM_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "fdtd/sources/waveform_samples.h"

/* With u = t - delay, u >= 0. Pulses have their peak so long after 0 that they begin and end at `cutoff` of it. */
enum waveform_kind {
	/* exp(-v^2/(2 s^2)) cos(omega v + phase), v = u - peak: a power spectrum of full width `bandwidth` at half of its largest value,
	 * s = 2 sqrt(log 2)/bandwidth */
	WAVEFORM_PULSE,
	/* exp(-v^2/(2 s^2)), with a spectrum from 0 to bandwidth/2 at half power. A current of this form leaves charges. */
	WAVEFORM_GAUSSIAN,
	/* (1 - 2 a v^2) exp(-a v^2), a = omega^2/4: the spectrum is largest at omega (Ricker, Geophysics 18 (1953) 10) */
	WAVEFORM_RICKER,
	/* cos(omega u + phase), which rises as sin^2 over `ramp` periods and falls as it rose at the end of `duration`, if there is one */
	WAVEFORM_CONTINUOUS,
	/* samples, between which are straight lines or cubics, and 0 before the first and after the last one; times are u */
	WAVEFORM_SAMPLES
};

#define WAVEFORM_CUTOFF 1e-7 /* where there is none */

/* All times its amplitude; what a kind has no use for is 0. */
struct waveform {
	enum waveform_kind kind;
	double amplitude, delay;
	double omega, phase; /* radians a step; radians */
	double bandwidth;    /* radians a step */
	double cutoff;       /* part of the peak; 0: WAVEFORM_CUTOFF */
	double ramp;         /* periods */
	double duration;     /* steps with both ramps; 0: endless */
	struct waveform_samples samples;
};

/* SONDE_INVALID with words for numbers that are none, frequencies that are not between 0 and pi or reach beyond it, a duration too short for its
 * ramps, a phase where there is no carrier. */
sonde_status waveform_check(const struct waveform *waveform);
/* Of samples, as samples_make(); amplitude is 1, delay 0. To be freed by waveform_free(), also after a failure. */
sonde_status waveform_make_samples(const double *times, const double *values, size_t count, bool cubic,
				   struct waveform *waveform);
/* For every kind; only samples have memory. */
void waveform_free(struct waveform *waveform);

/* These two are forms as of incident_form; `waveform` is a struct waveform. */
double waveform_value(const void *waveform, double time);
/* The form with sin in place of cos, so that Re(a exp(-i omega t)) with a slow amplitude is Re(a) value + Im(a) quadrature. It is the Hilbert
 * transform but for exp(-(omega s)^2/2) of it, and only for forms with a carrier: NaN of the others. */
double waveform_quadrature(const void *waveform, double time);
/* Whether that can be relied on: there is a carrier, and what is left out is below 1e-3 (pulses: bandwidth up to 0.44 omega). */
bool waveform_has_quadrature(const struct waveform *waveform);

/* Integral of value exp(i omega t) over all t, in steps. Pulses are taken as they were without a cutoff, which changes it by
 * less than `cutoff` of its largest value. Of an endless wave: what its beginning adds, infinite at its own frequency. */
double complex waveform_spectrum(const struct waveform *waveform, double omega);

/* It is 0 before the first one, and after the second one; that may be infinite. */
double waveform_begin(const struct waveform *waveform);
double waveform_end(const struct waveform *waveform);

/* The largest magnitude behind a time: of a carrier's envelope, of other forms' values; of samples those at their times. Of a source that has
 * an end. */
double waveform_largest_after(const struct waveform *waveform, double time);

/* Above which |spectrum| stays below `level` (0 to 1) of its largest value, at most pi. Of a pulse, of that about +omega alone. For an endless wave: as of
 * one that lasts for its two ramps. For samples: of their values at whole steps. */
double waveform_highest_frequency(const struct waveform *waveform, double level);
/* Below which it stays below that level; 0 where it does not. Frequencies above the carrier are not looked at. */
double waveform_lowest_frequency(const struct waveform *waveform, double level);

#endif
