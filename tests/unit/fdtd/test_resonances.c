/* Resonances of time series: clean, close to each other, very sharp, in noise, near strong neighbors. */
#include "unit/support.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/monitors/resonances.h"

#define MOST_SAMPLES 40000
#define TAU 6.28318530717958647692

static double signal[MOST_SAMPLES];

/* A uniform number between 0 and 1: the middle bits of a linear congruence. */
static double draw(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) * 0x1p-53;
}

static double normal(void)
{
	double radius = sqrt(-2.0 * log(1.0 - draw()));

	return radius * cos(TAU * draw());
}

struct tone {
	double frequency, quality;
	double complex amplitude;
};

static void ring(const struct tone *tone, size_t tones, size_t count, double step, double noise)
{
	for (size_t n = 0; n < count; ++n) {
		double t = (double)n * step;
		signal[n] = noise > 0.0 ? noise * normal() : 0.0;
		for (size_t k = 0; k < tones; ++k) {
			double cycles = tone[k].frequency * t, decay = M_PI * tone[k].frequency / tone[k].quality;
			signal[n] +=
			    creal(tone[k].amplitude * cexp(-I * TAU * (cycles - floor(cycles)))) * exp(-decay * t);
		}
	}
}

static struct resonance *list;
static size_t found;

static void find(size_t count, double step, double lowest, double highest)
{
	free(list);
	assert_status(SONDE_OK, resonances_find(signal, count, step, lowest, highest, &list, &found));
	for (size_t k = 0; k < found; ++k) {
		assert_true(list[k].frequency >= lowest * 0.999 && list[k].frequency <= highest * 1.001);
		assert_true(list[k].frequency_error > 0.0 && list[k].decay_error > 0.0);
		assert_true(k == 0 || list[k].frequency > list[k - 1].frequency);
	}
}

static void show(void)
{
	for (size_t k = 0; k < found; ++k)
		print_message("  f %.12g +- %.2g  Q %.9g  decay +- %.2g  A %.6g%+.6gi +- %.2g\n", list[k].frequency,
			      list[k].frequency_error, list[k].quality, list[k].decay_error, creal(list[k].amplitude),
			      cimag(list[k].amplitude), list[k].amplitude_error);
}

/* All tones and nothing else, with relative errors of frequency, quality and amplitude, and within the errors that are claimed. */
static void assert_tones(const struct tone *tone, size_t tones, double frequency, double quality, double amplitude)
{
	if (found != tones) {
		show();
		fail_msg("%zu resonances instead of %zu", found, tones);
	}
	for (size_t k = 0; k < tones; ++k) {
		double decay = M_PI * tone[k].frequency / tone[k].quality;
		if (!(fabs(list[k].frequency / tone[k].frequency - 1.0) < frequency &&
		      fabs(list[k].quality / tone[k].quality - 1.0) < quality &&
		      cabs(list[k].amplitude - tone[k].amplitude) < amplitude * cabs(tone[k].amplitude))) {
			show();
			fail_msg("tone %zu: f %.15g Q %.15g A %g%+gi", k, tone[k].frequency, tone[k].quality,
				 creal(tone[k].amplitude), cimag(tone[k].amplitude));
		}
		if (fabs(list[k].frequency - tone[k].frequency) > 6.0 * list[k].frequency_error ||
		    fabs(list[k].decay - decay) > 6.0 * list[k].decay_error) {
			show();
			fail_msg("tone %zu is farther off than six of its errors: %g, %g", k,
				 list[k].frequency - tone[k].frequency, list[k].decay - decay);
		}
	}
}

/* 2000 samples, two modes: nine digits and more. */
static void two_modes_are_found_to_nine_digits(void **unused)
{
	const struct tone tones[] = {{0.0517, 80.0, 1.0 + 0.3 * I}, {0.0634, 250.0, 0.2 - 0.5 * I}};

	(void)unused;
	ring(tones, 2, 2000, 1.0, 0.0);
	find(2000, 1.0, 0.04, 0.08);
	assert_tones(tones, 2, 1e-11, 1e-9, 1e-9);
	/* in a window many times as wide, with SI's small time steps, and in windows without one or both modes */
	find(2000, 1.0, 0.001, 0.499);
	assert_tones(tones, 2, 1e-11, 1e-9, 1e-9);
	find(2000, 1.0, 0.055, 0.08);
	assert_tones(tones + 1, 1, 1e-11, 1e-9, 1e-9);
	find(2000, 1.0, 0.2, 0.21);
	assert_int_equal(found, 0);
	struct tone light[2] = {tones[0], tones[1]};
	light[0].frequency *= 1e16;
	light[1].frequency *= 1e16;
	find(2000, 1e-16, 4e14, 8e14);
	assert_tones(light, 2, 1e-11, 1e-9, 1e-9);
}

/* Ten linewidths apart, f/Q being the width, and nearer; in the time that they take to die. */
static void close_modes_are_resolved(void **unused)
{
	const double linewidths[] = {10.0, 3.0, 1.0, 0.3};

	(void)unused;
	for (size_t k = 0; k < COUNT(linewidths); ++k) {
		double width = 0.1 / 500.0;
		const struct tone tones[] = {{0.1, 500.0, 1.0}, {0.1 + linewidths[k] * width, 500.0, -0.7 + 0.2 * I}};
		ring(tones, 2, 8000, 1.0, 0.0);
		find(8000, 1.0, 0.09, 0.11);
		assert_tones(tones, 2, 1e-10, 1e-7, 1e-6);
		if (linewidths[k] < 3.0)
			continue;
		ring(tones, 2, 8000, 1.0, 1e-4);
		find(8000, 1.0, 0.09, 0.11);
		assert_tones(tones, 2, 1e-6, 1e-2, 1e-2);
	}
}

/* Q of a million from 20000 samples: the mode loses a thousandth. */
static void quality_of_a_million_is_found(void **unused)
{
	const struct tone tones[] = {{0.0501234, 1e6, 0.8 - 0.1 * I}, {0.0517, 3e4, 0.1}};

	(void)unused;
	ring(tones, 2, 20000, 1.0, 0.0);
	find(20000, 1.0, 0.04, 0.06);
	assert_tones(tones, 2, 1e-12, 1e-6, 1e-9);
	ring(tones, 2, 20000, 1.0, 1e-4);
	find(20000, 1.0, 0.04, 0.06);
	assert_tones(tones, 2, 1e-8, 1e-2, 1e-3);
}

/* No loss at all. */
static void lossless_mode_has_an_infinite_quality(void **unused)
{
	(void)unused;
	for (int n = 0; n < 4096; ++n)
		signal[n] = cos(0.3 * n);
	find(4096, 1.0, 0.01, 0.2);
	assert_int_equal(found, 1);
	assert_within(list[0].frequency, 0.3 / TAU, 1e-14, "frequency");
	assert_true(fabs(list[0].quality) > 1e9);
	assert_within(creal(list[0].amplitude), 1.0, 1e-10, "creal");
}

/* Broad resonances, in a record that is far longer than they are. */
static void broad_modes_are_found_in_long_records(void **unused)
{
	const struct tone tones[] = {{0.08, 5.0, 1.0}, {0.11, 12.0, 0.6 * I}};

	(void)unused;
	ring(tones, 2, 600, 1.0, 0.0);
	find(600, 1.0, 0.04, 0.16);
	assert_tones(tones, 2, 1e-9, 1e-8, 1e-8);
}

/* Many modes in many windows, some at their borders. */
static void many_modes_in_many_windows_are_found(void **unused)
{
	/* fewer of them are as dense in each window */
	enum { MOST_TONES = 30 };
	const int used = is_thorough() ? MOST_TONES : 12;
	const double highest = 0.02 + 0.006 * used;
	struct tone tones[MOST_TONES];

	(void)unused;
	for (int k = 0; k < MOST_TONES; ++k)
		tones[k] = (struct tone){0.02 + 0.005 * k + 0.003 * draw(), 300.0 * pow(10.0, 2.0 * draw()),
					 (0.1 + draw()) * cexp(I * TAU * draw())};
	ring(tones, (size_t)used, 20000, 1.0, 0.0);
	find(20000, 1.0, 0.01, highest);
	assert_tones(tones, (size_t)used, 1e-9, 1e-6, 1e-6);
	ring(tones, (size_t)used, 20000, 1.0, 1e-4);
	find(20000, 1.0, 0.01, highest);
	assert_tones(tones, (size_t)used, 1e-6, 2e-2, 2e-2);
}

/* A weak mode next to one that is a million times as strong, within the interval and outside of it. */
static void weak_mode_next_to_a_strong_one_is_found(void **unused)
{
	const struct tone tones[] = {{0.05, 2000.0, 1.0}, {0.056, 900.0, 1e-6}};

	(void)unused;
	ring(tones, 2, 10000, 1.0, 0.0);
	find(10000, 1.0, 0.04, 0.06);
	assert_tones(tones, 2, 1e-7, 1e-4, 1e-4);
	find(10000, 1.0, 0.052, 0.06);
	assert_tones(tones + 1, 1, 1e-7, 1e-4, 1e-4);
}

/* Noise alone rings nowhere; and it does not add to what rings. */
static void noise_has_no_resonances(void **unused)
{
	const struct tone tones[] = {{0.1, 1000.0, 1.0}};
	size_t spurious = 0;

	(void)unused;
	for (int k = 0; k < 5; ++k) {
		ring(tones, 0, 10000, 1.0, 1.0);
		find(10000, 1.0, 0.05, 0.15);
		spurious += found;
		ring(tones, 1, 10000, 1.0, 1e-2);
		find(10000, 1.0, 0.05, 0.15);
		spurious += found - 1;
		assert_true(found >= 1);
	}
	if (spurious > 1)
		fail_msg("%zu spurious resonances of ten spectra", spurious);
}

/* The errors that are claimed are those that are made: chi of many draws. */
static void stated_errors_are_the_true_ones(void **unused)
{
	const struct tone tones[] = {{0.1, 800.0, 1.0}, {0.102, 400.0, 0.5}};
	double sum = 0.0;
	enum { DRAWS = 40 };

	(void)unused;
	for (int k = 0; k < DRAWS; ++k) {
		ring(tones, 2, 3000, 1.0, 1e-3);
		find(3000, 1.0, 0.09, 0.11);
		assert_tones(tones, 2, 1e-4, 2e-2, 2e-2);
		for (int i = 0; i < 2; ++i)
			sum +=
			    pow((list[i].frequency - tones[i].frequency) / list[i].frequency_error, 2) +
			    pow((list[i].decay - M_PI * tones[i].frequency / tones[i].quality) / list[i].decay_error,
				2);
	}
	assert_within(sqrt(sum / (4 * DRAWS)), 1.0, 0.25, "sum DRAWS");
}

/* A mode that grows: Q is negative. */
static void growing_mode_has_a_negative_quality(void **unused)
{
	const struct tone tones[] = {{0.1, -3000.0, 1e-3}, {0.13, 500.0, 1.0}};

	(void)unused;
	ring(tones, 2, 4000, 1.0, 0.0);
	find(4000, 1.0, 0.05, 0.2);
	assert_tones(tones, 2, 1e-9, 1e-6, 1e-6);
	assert_true(list[0].decay < 0.0);
}

/* Few samples, odd and even, and scales near the ends of float64. */
static void any_number_and_scale_of_samples_is_accepted(void **unused)
{
	const struct tone tones[] = {{0.15, 30.0, 1.0}};

	(void)unused;
	for (size_t count = 32; count < 60; ++count) {
		ring(tones, 1, count, 1.0, 0.0);
		find(count, 1.0, 0.05, 0.3);
		assert_tones(tones, 1, 1e-9, 1e-8, 1e-8);
	}
	for (int n = 0; n < 500; ++n)
		signal[n] = 1e-290 * cos(0.7 * n) * exp(-0.01 * n);
	find(500, 1.0, 0.05, 0.3);
	assert_int_equal(found, 1);
	assert_within(list[0].frequency, 0.7 / TAU, 1e-12, "frequency");
	for (int n = 0; n < 500; ++n)
		signal[n] = 0.0;
	find(500, 1.0, 0.05, 0.3);
	assert_int_equal(found, 0);
}

/* Of a complex signal those of positive frequency; one of the same, negative frequency, and stronger, is no mirror image. */
static void complex_signal_has_only_positive_frequencies(void **unused)
{
	enum { COUNT = 3000 };
	static const struct tone tone[] = {{0.071, 400.0, 0.3 - 0.8 * I}, {0.093, 1e5, 0.02 * I}};
	static double complex sum[COUNT];
	(void)unused;

	for (int n = 0; n < COUNT; ++n) {
		sum[n] = 2.5 * cexp(I * TAU * 0.071 * n) + 0.7 * cexp(I * TAU * 0.08 * n);
		for (int k = 0; k < 2; ++k)
			sum[n] += tone[k].amplitude * cexp(-I * TAU * tone[k].frequency * n -
							   M_PI * tone[k].frequency / tone[k].quality * n);
	}
	free(list);
	assert_status(SONDE_OK, resonances_find_complex(sum, COUNT, false, 1.0, 0.05, 0.12, &list, &found));
	show();
	assert_tones(tone, 2, 1e-9, 1e-6, 1e-6);
}

static void invalid_arguments_are_refused(void **unused)
{
	(void)unused;
	free(list);
	for (int n = 0; n < 100; ++n)
		signal[n] = n % 7;
	assert_invalid("31 samples are too few", resonances_find(signal, 31, 1.0, 0.1, 0.2, &list, &found));
	assert_invalid("the time step 0", resonances_find(signal, 100, 0.0, 0.1, 0.2, &list, &found));
	assert_invalid("the time step nan", resonances_find(signal, 100, NAN, 0.1, 0.2, &list, &found));
	assert_invalid("between 0 and 0.2", resonances_find(signal, 100, 1.0, 0.0, 0.2, &list, &found));
	assert_invalid("between 0.2 and 0.2", resonances_find(signal, 100, 1.0, 0.2, 0.2, &list, &found));
	assert_invalid("half the sampling rate, 0.5", resonances_find(signal, 100, 1.0, 0.2, 0.5, &list, &found));
	signal[50] = NAN;
	assert_invalid("not finite", resonances_find(signal, 100, 1.0, 0.1, 0.2, &list, &found));
	assert_null(list);
	assert_int_equal(found, 0);
}

static void lack_of_memory_is_reported(void **unused)
{
	const struct tone tones[] = {{0.15, 30.0, 1.0}};
	sonde_status status = SONDE_RESOURCE;

	(void)unused;
	ring(tones, 1, 100, 1.0, 0.0);
	for (int n = 1; status != SONDE_OK && n < 100; ++n) {
		memory_fail_after(n);
		status = resonances_find(signal, 100, 1.0, 0.1, 0.2, &list, &found);
		assert_true(status == SONDE_OK || (status == SONDE_RESOURCE && list == NULL && found == 0));
	}
	memory_fail_after(0);
	assert_status(SONDE_OK, status);
	free(list);
	list = NULL;
}

/* Whispering-gallery modes come in pairs, which a mesh splits by less than a short signal can resolve: one is found then, or both, but never none. */
static void unresolved_pair_is_found_as_one_or_two(void **state)
{
	const struct tone pair[] = {{0.02, 2035, 1.0}, {0.02 * (1.0 + 4.1e-5), 2035, 0.6 * I}};
	const double noises[] = {1e-7, 1e-6, 1e-5, 1e-4};
	int ones = 0;
	(void)state;

	for (size_t k = 0; k < sizeof noises / sizeof *noises; ++k)
		for (size_t count = 4000; count <= MOST_SAMPLES; count += 9000) {
			ring(pair, 2, count, 1.0, noises[k]);
			find(count, 1.0, 0.0197, 0.0203);
			assert_true(found == 1 || found == 2);
			double complex sum = 0.0;
			for (size_t n = 0; n < found; ++n)
				sum += list[n].amplitude;
			assert_true(cabs(sum - pair[0].amplitude - pair[1].amplitude) < 0.1);
			if (found == 2)
				continue;
			++ones;
			/* (a s + b t)/(a + b) */
			assert_true(fabs(list[0].frequency - 0.02 - 8.2e-7 * 0.36 / 1.36) <
				    4.0 * list[0].frequency_error + 1e-8);
			assert_close(list[0].quality, 2035.0, 0.15, "quality");
		}
	assert_true(ones > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(two_modes_are_found_to_nine_digits),
					   cmocka_unit_test(close_modes_are_resolved),
					   cmocka_unit_test(quality_of_a_million_is_found),
					   cmocka_unit_test(lossless_mode_has_an_infinite_quality),
					   cmocka_unit_test(broad_modes_are_found_in_long_records),
					   cmocka_unit_test(many_modes_in_many_windows_are_found),
					   cmocka_unit_test(weak_mode_next_to_a_strong_one_is_found),
					   cmocka_unit_test(noise_has_no_resonances),
					   cmocka_unit_test(stated_errors_are_the_true_ones),
					   cmocka_unit_test(growing_mode_has_a_negative_quality),
					   cmocka_unit_test(any_number_and_scale_of_samples_is_accepted),
					   cmocka_unit_test(complex_signal_has_only_positive_frequencies),
					   cmocka_unit_test(invalid_arguments_are_refused),
					   cmocka_unit_test(lack_of_memory_is_reported),
					   cmocka_unit_test(unresolved_pair_is_found_as_one_or_two)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
