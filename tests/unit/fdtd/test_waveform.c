/* Waveforms of sources: spectra compared with quadrature, beginnings and ends, invalid parameters, files of samples. */
#include "unit/support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/sources/waveform.h"
#include "fdtd/sources/waveform_file.h"

#define PI 3.14159265358979323846

/* Five-point Gauss and Legendre's quadrature of value exp(i omega t), in pieces of `piece`. */
static double complex integrate(const struct waveform *waveform, double omega, double piece)
{
	static const double nodes[5] = {-0.90617984593866399, -0.53846931010568309, 0.0, 0.53846931010568309,
					0.90617984593866399},
			    weights[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
					  0.47862867049936647, 0.23692688505618909};
	double begin = waveform_begin(waveform), length = waveform_end(waveform) - begin;
	int pieces = (int)ceil(length / piece - 1e-9);
	double complex sum = 0.0;

	piece = length / pieces;
	for (int n = 0; n < pieces; ++n)
		for (int k = 0; k < 5; ++k) {
			double t = begin + (n + 0.5 * (1.0 + nodes[k])) * piece;
			sum += 0.5 * piece * weights[k] * waveform_value(waveform, t) * cexp(I * omega * t);
		}
	return sum;
}

static const struct waveform forms[] = {
    {.kind = WAVEFORM_PULSE,
     .amplitude = 2.0,
     .delay = 3.5,
     .omega = 0.3,
     .phase = 0.4,
     .bandwidth = 0.1,
     .cutoff = 1e-14},
    {.kind = WAVEFORM_PULSE, .amplitude = -1.0, .omega = 0.2, .phase = -1.5, .bandwidth = 0.3, .cutoff = 1e-14},
    {.kind = WAVEFORM_GAUSSIAN, .amplitude = 0.7, .delay = -5.0, .bandwidth = 0.2, .cutoff = 1e-14},
    {.kind = WAVEFORM_RICKER, .amplitude = 1.5, .delay = 20.0, .omega = 0.25, .cutoff = 1e-14},
    {.kind = WAVEFORM_CONTINUOUS,
     .amplitude = 1.0,
     .delay = 7.0,
     .omega = 0.3,
     .phase = 1.0,
     .ramp = 3.0,
     .duration = 300.0},
    {.kind = WAVEFORM_CONTINUOUS, .amplitude = 1.0, .omega = 0.5, .ramp = 2.5, .duration = 20.0 * PI}};

static void spectra_are_integrals(void **state)
{
	(void)state;
	for (size_t f = 0; f < COUNT(forms); ++f) {
		double most = 0.0, worst = 0.0;
		assert_status(SONDE_OK, waveform_check(&forms[f]));
		for (int n = -10; n <= 20; ++n) {
			double omega = 0.05 * n;
			double complex sum = integrate(&forms[f], omega, 0.5),
				       spectrum = waveform_spectrum(&forms[f], omega);
			most = fmax(most, cabs(sum));
			worst = fmax(worst, cabs(spectrum - sum));
		}
		if (!(worst < 1e-10 * most))
			fail_msg("form %zu: the spectrum is off by %g of %g", f, worst, most);
	}
}

/* The part omitted at the beginning is below the cutoff. */
static void omitted_beginning_is_below_the_cutoff(void **state)
{
	(void)state;
	for (size_t f = 0; f < 4; ++f) {
		struct waveform form = forms[f];
		double center = form.kind == WAVEFORM_GAUSSIAN ? 0.0 : form.omega, peak = fabs(form.amplitude);
		form.cutoff = 0.0;
		double off = cabs(waveform_spectrum(&form, center) - integrate(&form, center, 0.5));
		assert_true(off < WAVEFORM_CUTOFF * cabs(waveform_spectrum(&form, center)));
		double begin = waveform_begin(&form), end = waveform_end(&form);
		assert_within(begin, form.delay, 0.0, "begin");
		assert_true(waveform_value(&form, begin - 1e-9) == 0.0 && waveform_value(&form, end + 1e-9) == 0.0);
		assert_within(waveform_value(&form, begin), 0.0, 1.0001 * WAVEFORM_CUTOFF * peak, "waveform value");
		if (form.kind == WAVEFORM_RICKER)
			assert_true(fabs(waveform_value(&form, begin)) > 0.999 * WAVEFORM_CUTOFF * peak);
	}
}

/* Against a fine walk; and at once for a pulse of 1e20 steps, where a walk would not end. */
static void largest_value_after_a_time_is_found(void **state)
{
	(void)state;
	for (size_t f = 0; f < COUNT(forms); ++f) {
		const double begin = waveform_begin(&forms[f]), end = waveform_end(&forms[f]);
		const bool carrier = !isnan(waveform_quadrature(&forms[f], begin));
		for (int n = -1; n <= 11; ++n) {
			const double after = begin + 0.1 * n * (end - begin);
			double most = 0.0;
			for (int k = 0; k <= 20000; ++k) {
				const double t = after + (end - after) * k / 20000;
				most = fmax(most, hypot(waveform_value(&forms[f], t),
							carrier ? waveform_quadrature(&forms[f], t) : 0.0));
			}
			assert_within(waveform_largest_after(&forms[f], after), n > 10 ? 0.0 : most,
				      2e-3 * fabs(forms[f].amplitude), "waveform largest after");
		}
	}
	const struct waveform slow = {.kind = WAVEFORM_PULSE, .amplitude = 2.0, .omega = 1e-19, .bandwidth = 1e-20};
	assert_within(waveform_largest_after(&slow, 100.0), 2.0, 1e-3, "waveform largest after");
	assert_true(waveform_largest_after(&slow, 0.999 * waveform_end(&slow)) < 1e-3);
}

static void continuous_wave_rises_and_lasts(void **state)
{
	struct waveform form = {
	    .kind = WAVEFORM_CONTINUOUS, .amplitude = 2.0, .delay = 4.0, .omega = 0.2, .phase = 0.3, .ramp = 3.0};
	double ramp = 30.0 * PI;
	(void)state;

	assert_true(isinf(waveform_end(&form)) && waveform_value(&form, 3.9) == 0.0);
	assert_within(waveform_value(&form, 4.0 + 0.5 * ramp), 0.5 * 2.0 * cos(0.1 * ramp + 0.3), 1e-12,
		      "waveform value");
	for (int n = 0; n < 140; ++n) {
		double t = 4.0 + ramp + 13.7 * n;
		assert_within(waveform_value(&form, t), 2.0 * cos(0.2 * (t - 4.0) + 0.3), 1e-12, "waveform value");
		assert_within(waveform_quadrature(&form, t), 2.0 * sin(0.2 * (t - 4.0) + 0.3), 1e-12,
			      "waveform quadrature");
	}
	/* both ends of a long one are those of two endless ones, one of them taken away */
	struct waveform ended = form, later = form;
	ended.duration = 400.0 * PI + ramp; /* whole periods between both ramps' beginnings */
	later.delay += 400.0 * PI;
	for (int n = -7; n < 8; ++n) {
		double omega = 0.0731 * n + 0.01;
		double complex expected = waveform_spectrum(&form, omega) - waveform_spectrum(&later, omega);
		assert_true(cabs(waveform_spectrum(&ended, omega) - expected) < 1e-9);
	}
	assert_true(isinf(cabs(waveform_spectrum(&form, 0.2))));
}

static void bandwidth_is_the_width_at_half_power(void **state)
{
	struct waveform form = forms[0];
	(void)state;

	double middle = cabs(waveform_spectrum(&form, 0.3));
	assert_within(cabs(waveform_spectrum(&form, 0.25)) / middle, sqrt(0.5), 1e-6,
		      "waveform spectrum form middle");
	assert_within(cabs(waveform_spectrum(&form, 0.35)) / middle, sqrt(0.5), 1e-6,
		      "waveform spectrum form middle");
	/* the peak is at the middle, with the phase of the carrier */
	double peak = 0.5 * (waveform_begin(&form) + waveform_end(&form));
	assert_within(waveform_value(&form, peak), 2.0 * cos(0.4), 1e-12, "waveform value");
	assert_within(waveform_quadrature(&form, peak), 2.0 * sin(0.4), 1e-12, "waveform quadrature");
	assert_true(waveform_has_quadrature(&form) && !waveform_has_quadrature(&forms[1]) &&
		    !waveform_has_quadrature(&forms[3]) && isnan(waveform_quadrature(&forms[3], 30.0)));
	/* of a narrow one, the spectrum of the partner is the form's, turned by 90 degrees */
	struct waveform turned = form;
	turned.phase -= 0.5 * PI;
	assert_within(waveform_quadrature(&form, 40.0), waveform_value(&turned, 40.0), 1e-12, "waveform quadrature");
	assert_true(cabs(waveform_spectrum(&turned, 0.3) - waveform_spectrum(&form, 0.3) * I) < 1e-6 * middle);
	assert_within(waveform_highest_frequency(&forms[3], 1.0), 0.25, 1e-6, "waveform highest frequency");
}

/* At a frequency and above there is no more than a level; below it there is, where the spectrum has no zeros. */
static void check_highest(const struct waveform *form, double most, double level)
{
	double highest = waveform_highest_frequency(form, level);

	for (int n = 0; highest + 0.003 * n < PI; ++n)
		if (!(cabs(waveform_spectrum(form, highest + 0.003 * n)) < 1.01 * level * most))
			fail_msg("there is more than %g of the peak at %g", level, highest + 0.003 * n);
	if (form->kind != WAVEFORM_CONTINUOUS && highest < PI)
		assert_true(cabs(waveform_spectrum(form, 0.97 * highest)) > level * most);
}

static void spectrum_is_below_the_level_beyond_its_band(void **state)
{
	(void)state;
	for (size_t f = 0; f < COUNT(forms); ++f) {
		struct waveform form = forms[f];
		double most = 0.0, level = 0.1;
		form.phase = 0.0;
		for (int n = 0; n < 3141; ++n)
			most = fmax(most, cabs(waveform_spectrum(&form, 0.001 * n)));
		for (int n = 0; n < 4; ++n, level /= 10.0)
			check_highest(&form, most, level);
	}
}

static void samples_are_interpolated_exactly(void **state)
{
	enum { COUNT_OF_SAMPLES = 400 };
	struct waveform form;
	double times[COUNT_OF_SAMPLES], values[COUNT_OF_SAMPLES];
	(void)state;

	/* a cubic is itself, also where the samples are unequally far apart */
	for (int n = 0; n < COUNT_OF_SAMPLES; ++n) {
		times[n] = 10.0 + n + 0.3 * sin(5.0 * n);
		values[n] = 1.0 + times[n] * (0.2 - 0.001 * times[n]);
	}
	assert_status(SONDE_OK, waveform_make_samples(times, values, COUNT_OF_SAMPLES, true, &form));
	form.delay = 2.0;
	form.amplitude = 3.0;
	assert_status(SONDE_OK, waveform_check(&form));
	for (int n = 0; n < 280; ++n) {
		double t = 11.0 + 1.37 * n;
		assert_within(waveform_value(&form, t + 2.0), 3.0 * (1.0 + t * (0.2 - 0.001 * t)), 1e-9,
			      "waveform value");
	}
	assert_true(waveform_value(&form, 11.9) == 0.0 && waveform_value(&form, 500.0) == 0.0);
	waveform_free(&form);
	/* lines and cubics; pieces of the quadrature end where those of the form do */
	for (int cubic = 0; cubic < 2; ++cubic) {
		for (int n = 0; n < 40; ++n) {
			times[n] = 2.0 * n;
			values[n] = sin(0.4 * n) * exp(-0.01 * (n - 20) * (n - 20));
		}
		assert_status(SONDE_OK, waveform_make_samples(times, values, 40, cubic != 0, &form));
		form.delay = -3.0;
		double most = 0.0, worst = 0.0;
		for (int n = -18; n < 19; ++n) {
			double omega = 0.17 * n;
			double complex sum = integrate(&form, omega, 0.25);
			most = fmax(most, cabs(sum));
			worst = fmax(worst, cabs(sum - waveform_spectrum(&form, omega)));
		}
		assert_true(worst < 1e-10 * most);
		assert_within(waveform_value(&form, 4.0), 0.5 * (values[3] + values[4]), cubic ? 0.1 : 1e-12,
			      "waveform value");
		waveform_free(&form);
	}
	/* those of a pulse have its spectrum */
	struct waveform pulse = forms[0];
	for (int n = 0; n < COUNT_OF_SAMPLES; ++n) {
		times[n] = n;
		values[n] = waveform_value(&pulse, n);
	}
	assert_status(SONDE_OK, waveform_make_samples(times, values, COUNT_OF_SAMPLES, true, &form));
	double scale = cabs(waveform_spectrum(&pulse, 0.3));
	for (int n = 2; n < 10; ++n) {
		double omega = 0.05 * n;
		assert_true(cabs(waveform_spectrum(&form, omega) - waveform_spectrum(&pulse, omega)) < 1e-3 * scale);
	}
	assert_within(waveform_highest_frequency(&form, 1e-2), waveform_highest_frequency(&pulse, 1e-2), 0.01,
		      "waveform highest frequency");
	waveform_free(&form);
}

static void invalid_parameters_are_refused(void **state)
{
	struct waveform pulse = {.kind = WAVEFORM_PULSE, .amplitude = 1.0, .omega = 0.3, .bandwidth = 0.1};
	const double times[3] = {0.0, 2.0, 2.0}, values[3] = {0.0, 1.0, (double)NAN};
	struct waveform form;
	(void)state;

	assert_status(SONDE_OK, waveform_check(&pulse));
	form = pulse;
	form.omega = 0.0;
	assert_invalid("the frequency of a source is 0 radians per step", waveform_check(&form));
	form.omega = 3.2;
	assert_invalid("below pi", waveform_check(&form));
	form.omega = (double)NAN;
	assert_invalid("the frequency of a source is", waveform_check(&form));
	form = pulse;
	form.bandwidth = 6.0;
	assert_invalid("the bandwidth of a source is 6 radians per step around 0.3", waveform_check(&form));
	form.bandwidth = 0.0;
	assert_invalid("the bandwidth", waveform_check(&form));
	form = pulse;
	form.amplitude = (double)INFINITY;
	assert_invalid("amplitude, delay or phase", waveform_check(&form));
	form = pulse;
	form.cutoff = 0.5;
	assert_invalid("cut off at 0.5", waveform_check(&form));
	form = (struct waveform){.kind = WAVEFORM_RICKER, .amplitude = 1.0, .omega = 0.1, .phase = 1.0};
	assert_invalid("has no phase", waveform_check(&form));
	form = (struct waveform){.kind = WAVEFORM_CONTINUOUS, .amplitude = 1.0, .omega = 0.1};
	assert_invalid("rises over 0 periods", waveform_check(&form));
	form.ramp = 2.0;
	form.duration = 50.0;
	assert_invalid("a source lasts 50 steps, its two ramps take 251.327", waveform_check(&form));
	form = (struct waveform){.kind = WAVEFORM_SAMPLES, .amplitude = 1.0};
	assert_invalid("at least two", waveform_check(&form));
	assert_invalid("at least two", waveform_make_samples(times, values, 1, true, &form));
	waveform_free(&form);
	assert_invalid("sample 3 of a source is not a number", waveform_make_samples(times, values, 3, true, &form));
	waveform_free(&form);
	assert_invalid("sample 3 of a source is at 2 steps", waveform_make_samples(times, times, 3, true, &form));
	waveform_free(&form);
}

static void check_file(const char *text, const char *words)
{
	struct waveform form;

	assert_invalid(words, waveform_read(test_write_text("samples.txt", text), 1e-17, false, &form));
	waveform_free(&form);
}

static void files_of_samples_are_read(void **state)
{
	struct waveform form;
	(void)state;

	assert_status(SONDE_OK, waveform_read(test_write_text("samples.txt",
							      "# a pulse\n1e-15 0\n\n 2e-15\t1 # top\n3e-15 0\r\n"),
					      1e-17, false, &form));
	assert_int_equal(form.samples.count, 3);
	assert_within(waveform_value(&form, 150.0), 0.5, 1e-9, "waveform value");
	assert_within(waveform_end(&form), 300.0, 1e-9, "waveform end");
	waveform_free(&form);
	check_file("0 1\n1e-15 2 3\n", "samples.txt:2: expected two numbers");
	check_file("# x\n0 1\n\n1e-15\n", "samples.txt:4: expected two numbers");
	check_file("0 1\n1e-15 nan\n", "samples.txt:2: the value = 'nan' is not a finite number");
	check_file("0 1\n1x 2\n", "samples.txt:2: the time = '1x' is not a finite number");
	check_file("0 1\n1e300 2\n", "samples.txt:2: times and values must be finite");
	check_file("0 1\n2e-15 2\n1e-15 3\n", "samples.txt:3: the time 1e-15 s is not after the one before, 2e-15 s");
	check_file("# nothing\n", "at least two samples, but there are 0");
	check_file("1 1\n", "at least two samples, but there is 1");
	assert_true(waveform_read(test_path("none.txt"), 1e-17, false, &form) != SONDE_OK);
	waveform_free(&form);
	const char *path = test_write_text("samples.txt", "0 1\n1e-15 2\n2e-15 1\n");
	for (int n = 1; n < 20; ++n) {
		memory_fail_after(n);
		sonde_status status = waveform_read(path, 1e-17, true, &form);
		memory_fail_after(0);
		waveform_free(&form);
		assert_true(status == SONDE_OK || status == SONDE_RESOURCE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(spectra_are_integrals),
					   cmocka_unit_test(omitted_beginning_is_below_the_cutoff),
					   cmocka_unit_test(largest_value_after_a_time_is_found),
					   cmocka_unit_test(continuous_wave_rises_and_lasts),
					   cmocka_unit_test(bandwidth_is_the_width_at_half_power),
					   cmocka_unit_test(spectrum_is_below_the_level_beyond_its_band),
					   cmocka_unit_test(samples_are_interpolated_exactly),
					   cmocka_unit_test(invalid_parameters_are_refused),
					   cmocka_unit_test(files_of_samples_are_read)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
