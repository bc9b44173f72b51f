#include "fdtd/sources/waveform_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"

#define CUBIC 4                   /* coefficients */
#define LONGEST ((size_t)1 << 22) /* transformed steps */

/* Slope at sample n of the parabola through it and its neighbors, at an end of that through the three there. */
static double slope_at(const double *t, const double *y, size_t count, size_t n)
{
	size_t first = n == 0 ? 0 : n == count - 1 ? count - 3 : n - 1;
	double before = t[first + 1] - t[first], behind = t[first + 2] - t[first + 1],
	       rise = (y[first + 1] - y[first]) / before, next = (y[first + 2] - y[first + 1]) / behind;
	double curvature = (next - rise) / (before + behind);

	return rise + curvature * (2.0 * t[n] - t[first] - t[first + 1]);
}

static sonde_status check(const double *times, const double *values, size_t count)
{
	if (count < 2)
		return status_fail(SONDE_INVALID, "a source of samples needs at least two of them");
	for (size_t n = 0; n < count; ++n) {
		if (!isfinite(times[n]) || !isfinite(values[n]))
			return status_fail(SONDE_INVALID, "sample %zu of a source is not a number: %.9g, %.9g", n + 1,
					   times[n], values[n]);
		if (n > 0 && !(times[n] > times[n - 1]))
			return status_fail(
			    SONDE_INVALID,
			    "sample %zu of a source is at %.9g steps, not after the one before at %.9g", n + 1,
			    times[n], times[n - 1]);
	}
	return SONDE_OK;
}

sonde_status samples_make(const double *times, const double *values, size_t count, bool cubic,
			  struct waveform_samples *samples)
{
	*samples = (struct waveform_samples){0};
	CHECK(check(times, values, count));
	samples->count = count;
	CHECK(memory_allocate(&samples->times, count, sizeof *times, "the samples of a source"));
	CHECK(memory_allocate(&samples->values, count, sizeof *values, "the samples of a source"));
	memcpy(samples->times, times, count * sizeof *times);
	memcpy(samples->values, values, count * sizeof *values);
	if (!cubic || count < 3)
		return SONDE_OK;
	CHECK(memory_allocate(&samples->slopes, count, sizeof *values, "the samples of a source"));
	for (size_t n = 0; n < count; ++n)
		samples->slopes[n] = slope_at(times, values, count, n);
	return SONDE_OK;
}

void samples_free(struct waveform_samples *samples)
{
	free(samples->times);
	free(samples->values);
	free(samples->slopes);
	*samples = (struct waveform_samples){0};
}

/* After sample n: the sum of c x^k over the fraction x of the way to the next one (Hermite's cubic). */
static void coefficients(const struct waveform_samples *samples, size_t n, double c[CUBIC])
{
	double from = samples->values[n], rise = samples->values[n + 1] - from,
	       length = samples->times[n + 1] - samples->times[n];

	c[0] = from;
	c[1] = rise;
	c[2] = c[3] = 0.0;
	if (samples->slopes == NULL)
		return;
	double at_begin = length * samples->slopes[n], at_end = length * samples->slopes[n + 1];
	c[1] = at_begin;
	c[2] = 3.0 * rise - 2.0 * at_begin - at_end;
	c[3] = at_begin + at_end - 2.0 * rise;
}

double samples_value(const struct waveform_samples *samples, double time)
{
	size_t low = 0, high = samples->count - 1;
	double c[CUBIC];

	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (samples->times[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	coefficients(samples, low, c);
	double x = (time - samples->times[low]) / (samples->times[high] - samples->times[low]);
	return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

/* Integrals of x^k exp(i theta x) from 0 to 1. Their recurrence loses digits where theta is small; there the series does not. */
static void moments(double theta, double complex m[CUBIC])
{
	if (fabs(theta) > 4.0) {
		double complex end = cexp(I * theta);
		m[0] = (end - 1.0) / (I * theta);
		for (int k = 1; k < CUBIC; ++k)
			m[k] = (end - k * m[k - 1]) / (I * theta);
		return;
	}
	for (int k = 0; k < CUBIC; ++k) {
		double complex power = 1.0;
		m[k] = 0.0;
		for (int n = 0; n < 32; ++n) {
			m[k] += power / (n + k + 1);
			power *= I * theta / (n + 1);
		}
	}
}

double complex samples_spectrum(const struct waveform_samples *samples, double omega)
{
	double complex sum = 0.0, m[CUBIC];
	double c[CUBIC], last = 0.0;

	for (size_t n = 0; n + 1 < samples->count; ++n) {
		double length = samples->times[n + 1] - samples->times[n];
		/* most samples are equally spaced */
		if (n == 0 || length != last)
			moments(omega * length, m);
		last = length;
		coefficients(samples, n, c);
		sum += length * cexp(I * omega * samples->times[n]) *
		       (c[0] * m[0] + c[1] * m[1] + c[2] * m[2] + c[3] * m[3]);
	}
	return sum;
}

/* Fourier transform of 2^k numbers in place (Cooley and Tukey). */
static void transform(double complex *x, size_t count)
{
	for (size_t n = 1, mirrored = 0; n < count; ++n) {
		size_t bit = count >> 1;
		for (; mirrored & bit; bit >>= 1)
			mirrored ^= bit;
		mirrored ^= bit;
		if (n < mirrored) {
			double complex other = x[n];
			x[n] = x[mirrored];
			x[mirrored] = other;
		}
	}
	for (size_t half = 1; half < count; half *= 2)
		for (size_t k = 0; k < half; ++k) {
			double complex turn = cexp(I * PI * (double)k / (double)half);
			for (size_t n = k; n < count; n += 2 * half) {
				double complex other = turn * x[n + half];
				x[n + half] = x[n] - other;
				x[n] += other;
			}
		}
}

void samples_band(const struct waveform_samples *samples, double level, double *lowest, double *highest)
{
	double begin = samples->times[0], length = samples->times[samples->count - 1] - begin, most = 0.0;
	size_t count = 1024, first = 0, last;
	double complex *x;

	*lowest = 0.0;
	*highest = PI;
	/* twice as long as the samples, so that no peak of the spectrum is between two of its numbers */
	while (count < LONGEST && (double)count < 2.0 * length)
		count *= 2;
	if (memory_allocate(&x, count, sizeof *x, "the spectrum of a source") != SONDE_OK)
		return;
	for (size_t n = 0; n < count && (double)n <= length; ++n)
		x[n] = samples_value(samples, begin + (double)n);
	transform(x, count);
	for (size_t n = 0; n <= count / 2; ++n)
		most = fmax(most, cabs(x[n]));
	for (last = count / 2; last > 0 && cabs(x[last]) <= level * most;)
		--last;
	while (first < last && cabs(x[first]) <= level * most)
		++first;
	free(x);
	*lowest = 2.0 * PI * (first > 0 ? (double)first - 1.0 : 0.0) / (double)count;
	*highest = 2.0 * PI * (double)(last + 1) / (double)count;
}
