#include "fdtd/sources/waveform.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"

#define PLACES 512  /* of an envelope */
#define SCANNED 256 /* frequencies below a carrier */
#define NARROW 3.72 /* omega s, from which on exp(-(omega s)^2/2) is below 1e-3 */

/* Numbers of a kind ---------------------------------------------------------------------------- */

/* s of Gaussian envelopes. */
static double width_of(const struct waveform *waveform)
{
	return 2.0 * sqrt(log(2.0)) / waveform->bandwidth;
}

/* The time of a pulse's peak after its delay: such that the part before is below the cutoff. */
static double peak_of(const struct waveform *waveform)
{
	double cutoff = waveform->cutoff > 0.0 ? waveform->cutoff : WAVEFORM_CUTOFF, square = -log(cutoff);

	if (waveform->kind != WAVEFORM_RICKER)
		return width_of(waveform) * sqrt(2.0 * square);
	/* (2 x - 1) exp(-x) = cutoff for the larger x = a v^2: the iteration contracts from x = 2 on, where the left
	 * side is above 0.4 */
	square = fmax(square, 2.0);
	for (int n = 0; n < 60; ++n)
		square = log((2.0 * square - 1.0) / cutoff);
	return 2.0 * sqrt(square) / waveform->omega;
}

static double ramp_of(const struct waveform *waveform)
{
	return waveform->ramp * 2.0 * PI / waveform->omega;
}

static bool is_pulse(const struct waveform *waveform)
{
	return waveform->kind == WAVEFORM_PULSE || waveform->kind == WAVEFORM_GAUSSIAN ||
	       waveform->kind == WAVEFORM_RICKER;
}

static bool has_carrier(const struct waveform *waveform)
{
	return waveform->kind == WAVEFORM_PULSE || waveform->kind == WAVEFORM_CONTINUOUS;
}

/* Checks ---------------------------------------------------------------------------------------- */

static sonde_status check_frequency(const struct waveform *waveform)
{
	if (!(waveform->omega > 0.0 && waveform->omega < PI))
		return status_fail(SONDE_INVALID,
				   "the frequency of a source is %.6g radians per step: it must be above 0, and "
				   "below pi (half an oscillation per step)",
				   waveform->omega);
	return SONDE_OK;
}

static sonde_status check_bandwidth(const struct waveform *waveform)
{
	double center = waveform->kind == WAVEFORM_PULSE ? waveform->omega : 0.0;

	if (!(waveform->bandwidth > 0.0 && center + 0.5 * waveform->bandwidth < PI))
		return status_fail(SONDE_INVALID,
				   "the bandwidth of a source is %.6g radians per step around %.6g: it must be above "
				   "0, and its upper end below pi",
				   waveform->bandwidth, center);
	return SONDE_OK;
}

static sonde_status check_continuous(const struct waveform *waveform)
{
	if (!(waveform->ramp > 0.0 && isfinite(waveform->ramp)))
		return status_fail(SONDE_INVALID, "a continuous source rises over %.6g periods: this must be above 0",
				   waveform->ramp);
	if (!(waveform->duration >= 0.0) ||
	    (waveform->duration > 0.0 && waveform->duration < 2.0 * ramp_of(waveform) * (1.0 - 1e-12)))
		return status_fail(
		    SONDE_INVALID,
		    "a source lasts %.6g steps, its two ramps take %.6g: use a longer duration, or fewer cycles",
		    waveform->duration, 2.0 * ramp_of(waveform));
	return SONDE_OK;
}

static sonde_status check_samples(const struct waveform *waveform)
{
	if (waveform->samples.count < 2 || waveform->samples.times == NULL || waveform->samples.values == NULL)
		return status_fail(SONDE_INVALID, "a source of samples needs at least two of them");
	return SONDE_OK;
}

sonde_status waveform_check(const struct waveform *waveform)
{
	if (!isfinite(waveform->amplitude) || !isfinite(waveform->delay) || !isfinite(waveform->phase))
		return status_fail(SONDE_INVALID,
				   "amplitude, delay or phase of a source is not a number: %.6g, %.6g, %.6g",
				   waveform->amplitude, waveform->delay, waveform->phase);
	if (!has_carrier(waveform) && waveform->phase != 0.0)
		return status_fail(SONDE_INVALID, "a source without a carrier has no phase: %.6g", waveform->phase);
	if (is_pulse(waveform) && !(waveform->cutoff >= 0.0 && waveform->cutoff <= 0.1))
		return status_fail(SONDE_INVALID, "a pulse is cut off at %.6g of its peak: this must be 0 to 0.1",
				   waveform->cutoff);
	if (has_carrier(waveform) || waveform->kind == WAVEFORM_RICKER)
		CHECK(check_frequency(waveform));
	if (waveform->kind == WAVEFORM_PULSE || waveform->kind == WAVEFORM_GAUSSIAN)
		CHECK(check_bandwidth(waveform));
	if (waveform->kind == WAVEFORM_CONTINUOUS)
		CHECK(check_continuous(waveform));
	return waveform->kind == WAVEFORM_SAMPLES ? check_samples(waveform) : SONDE_OK;
}

sonde_status waveform_make_samples(const double *times, const double *values, size_t count, bool cubic,
				   struct waveform *waveform)
{
	*waveform = (struct waveform){.kind = WAVEFORM_SAMPLES, .amplitude = 1.0};
	return samples_make(times, values, count, cubic, &waveform->samples);
}

void waveform_free(struct waveform *waveform)
{
	samples_free(&waveform->samples);
	*waveform = (struct waveform){0};
}

/* Values ------------------------------------------------------------------------------------------ */

double waveform_begin(const struct waveform *waveform)
{
	return waveform->delay + (waveform->kind == WAVEFORM_SAMPLES ? waveform->samples.times[0] : 0.0);
}

double waveform_end(const struct waveform *waveform)
{
	if (is_pulse(waveform))
		return waveform->delay + 2.0 * peak_of(waveform);
	if (waveform->kind == WAVEFORM_CONTINUOUS)
		return waveform->duration > 0.0 ? waveform->delay + waveform->duration : INFINITY;
	return waveform->delay + waveform->samples.times[waveform->samples.count - 1];
}

/* sin^2 at either end. */
static double ramped(const struct waveform *waveform, double time)
{
	double ramp = ramp_of(waveform), left = waveform->duration > 0.0 ? waveform->duration - time : INFINITY,
	       nearest = fmin(time, left);
	double sine = nearest < ramp ? sin(0.5 * PI * nearest / ramp) : 1.0;

	return sine * sine;
}

/* Envelope and argument of the carrier at a time between begin and end. */
static double envelope_at(const struct waveform *waveform, double time, double *argument)
{
	double past = time - waveform->delay;

	if (waveform->kind == WAVEFORM_CONTINUOUS) {
		*argument = waveform->omega * past + waveform->phase;
		return waveform->amplitude * ramped(waveform, past);
	}
	double v = past - peak_of(waveform);
	*argument = waveform->omega * v + waveform->phase;
	if (waveform->kind == WAVEFORM_RICKER) {
		double square = 0.25 * waveform->omega * waveform->omega * v * v;
		return waveform->amplitude * (1.0 - 2.0 * square) * exp(-square);
	}
	double part = v / width_of(waveform);
	return waveform->amplitude * exp(-0.5 * part * part);
}

static bool is_over(const struct waveform *waveform, double time)
{
	return !(time >= waveform_begin(waveform) && time <= waveform_end(waveform));
}

double waveform_value(const void *user, double time)
{
	const struct waveform *waveform = user;
	double argument, envelope;

	if (is_over(waveform, time))
		return 0.0;
	if (waveform->kind == WAVEFORM_SAMPLES)
		return waveform->amplitude * samples_value(&waveform->samples, time - waveform->delay);
	envelope = envelope_at(waveform, time, &argument);
	return has_carrier(waveform) ? envelope * cos(argument) : envelope;
}

double waveform_quadrature(const void *user, double time)
{
	const struct waveform *waveform = user;
	double argument, envelope;

	if (!has_carrier(waveform))
		return (double)NAN;
	if (is_over(waveform, time))
		return 0.0;
	envelope = envelope_at(waveform, time, &argument);
	return envelope * sin(argument);
}

double waveform_largest_after(const struct waveform *waveform, double time)
{
	const double begin = fmax(time, waveform_begin(waveform)), end = waveform_end(waveform);
	double argument, largest = 0.0;

	if (begin > end)
		return 0.0;
	if (waveform->kind != WAVEFORM_SAMPLES) {
		/* a pulse lasts only a few envelope widths, so that this many places are close to each other, for any number of
		 * steps; between its ramps a sine is constant */
		for (int n = 0; n <= PLACES; ++n)
			largest =
			    fmax(largest, fabs(envelope_at(waveform, begin + (end - begin) * n / PLACES, &argument)));
		return largest;
	}
	largest = fabs(waveform_value(waveform, begin));
	for (size_t n = 0; n < waveform->samples.count; ++n)
		if (waveform->delay + waveform->samples.times[n] >= begin)
			largest = fmax(largest, fabs(waveform->amplitude * waveform->samples.values[n]));
	return largest;
}

bool waveform_has_quadrature(const struct waveform *waveform)
{
	return waveform->kind == WAVEFORM_CONTINUOUS ||
	       (waveform->kind == WAVEFORM_PULSE && waveform->omega * width_of(waveform) > NARROW);
}

/* Spectra ---------------------------------------------------------------------------------------- */

static double sinc(double x)
{
	return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : sin(x) / x;
}

/* Spectrum of the slope of a ramp, (pi/2T) sin(pi u/T), over its length: cos(pi x/2)/(1 - x^2) except for a phase, x
 * = nu T/pi. */
static double ramp_spectrum(double x)
{
	x = fabs(x);
	return 0.5 * PI * sinc(0.5 * PI * (1.0 - x)) / (1.0 + x);
}

/* Spectrum of the envelope, from the origin of the carrier's phase on. */
static double complex envelope_spectrum(const struct waveform *waveform, double nu)
{
	if (waveform->kind == WAVEFORM_PULSE) {
		double s = width_of(waveform);
		return s * sqrt(2.0 * PI) * exp(-0.5 * nu * nu * s * s);
	}
	/* -1/(i nu) times the spectrum of the slopes, of the rise and of the fall */
	double ramp = ramp_of(waveform), between = waveform->duration - ramp;
	double complex rise = ramp_spectrum(nu * ramp / PI) * cexp(0.5 * I * nu * ramp);
	if (waveform->duration > 0.0)
		return rise * between * sinc(0.5 * nu * between) * cexp(0.5 * I * nu * between);
	return nu != 0.0 ? rise * I / nu : (double complex)INFINITY;
}

static double complex pulse_spectrum(const struct waveform *waveform, double omega)
{
	if (waveform->kind == WAVEFORM_RICKER) {
		double x = omega / waveform->omega;
		return 4.0 * sqrt(PI) / waveform->omega * x * x * exp(-x * x);
	}
	double s = width_of(waveform);
	return s * sqrt(2.0 * PI) * exp(-0.5 * omega * omega * s * s);
}

double complex waveform_spectrum(const struct waveform *waveform, double omega)
{
	double origin = waveform->delay + (is_pulse(waveform) ? peak_of(waveform) : 0.0);
	double complex spectrum;

	if (waveform->kind == WAVEFORM_SAMPLES)
		spectrum = samples_spectrum(&waveform->samples, omega);
	else if (has_carrier(waveform))
		spectrum = 0.5 * (cexp(I * waveform->phase) * envelope_spectrum(waveform, omega + waveform->omega) +
				  cexp(-I * waveform->phase) * envelope_spectrum(waveform, omega - waveform->omega));
	else
		spectrum = pulse_spectrum(waveform, omega);
	return waveform->amplitude * cexp(I * omega * origin) * spectrum;
}

/* The point between low and high where a falling function reaches a level. */
static double find_level(double (*function)(double), double low, double high, double level)
{
	for (int n = 0; n < 100; ++n) {
		double middle = 0.5 * (low + high);
		if (function(middle) > level)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Spectrum of Ricker's wavelet relative to its largest value, x = omega/peak. */
static double ricker_part(double x)
{
	return x * x * exp(1.0 - x * x);
}

/* Upper bound of the spectrum at x = nu T/pi beyond 1, for an envelope of length T between its ramps: |cos|, |sin| <=
 * 1, and negative frequencies add no more. */
static double ramps_part(double x)
{
	return 4.0 / (PI * x * (x * x - 1.0));
}

double waveform_highest_frequency(const struct waveform *waveform, double level)
{
	double highest, lowest, ramp;

	switch (waveform->kind) {
	case WAVEFORM_PULSE:
	case WAVEFORM_GAUSSIAN:
		highest = (waveform->kind == WAVEFORM_PULSE ? waveform->omega : 0.0) +
			  sqrt(-2.0 * log(level)) / width_of(waveform);
		break;
	case WAVEFORM_RICKER:
		highest = waveform->omega * find_level(ricker_part, 1.0, 40.0, level);
		break;
	case WAVEFORM_CONTINUOUS:
		/* a longer one has a higher peak, and the same flanks */
		ramp = ramp_of(waveform);
		if (waveform->duration > 0.0)
			level *= (waveform->duration - ramp) / ramp;
		highest = waveform->omega + PI / ramp * find_level(ramps_part, 1.0 + 1e-9, 1e6, level);
		break;
	default:
		samples_band(&waveform->samples, level, &lowest, &highest);
	}
	return fmin(highest, PI);
}

double waveform_lowest_frequency(const struct waveform *waveform, double level)
{
	double highest, lowest, most = 0.0;
	struct waveform form = *waveform;

	if (waveform->kind == WAVEFORM_GAUSSIAN)
		return 0.0;
	if (waveform->kind == WAVEFORM_SAMPLES) {
		samples_band(&waveform->samples, level, &lowest, &highest);
		return lowest;
	}
	/* as far below the carrier as above it, where negative frequencies are negligible */
	highest = waveform_highest_frequency(waveform, level);
	if (has_carrier(waveform) && highest < 1.5 * waveform->omega)
		return 2.0 * waveform->omega - highest;
	if (waveform->kind == WAVEFORM_CONTINUOUS && !(waveform->duration > 0.0))
		form.duration = 2.0 * ramp_of(waveform);
	for (int n = 0; n <= SCANNED; ++n)
		most = fmax(most, cabs(waveform_spectrum(&form, waveform->omega * n / SCANNED)));
	for (int n = 0; n <= SCANNED; ++n)
		if (cabs(waveform_spectrum(&form, waveform->omega * n / SCANNED)) > level * most)
			return waveform->omega * fmax(0.0, n - 1.0) / SCANNED;
	return waveform->omega;
}
