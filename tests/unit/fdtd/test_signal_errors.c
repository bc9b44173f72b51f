/* Errors of fields against time: of waves whose phases are wrong by known amounts. */
#include "unit/support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fdtd/signal_errors.h"

#define SAMPLES 4000
#define HIGHEST 2.0 /* rad/s: signals have lower frequencies */

static const struct signal_causes causes = {
    .dispersion = 1e-3, .rounding = 1e-7, .highest = HIGHEST, .typical = 1.0, .crossing = 20.0, .middle = 30.0};

/* A pulse of angular frequency `omega` around time 120, complex if there are two. */
static double complex pulse(double omega, double t)
{
	return exp(-pow((t - 120.0) / 15.0, 2.0)) * cexp(-I * omega * (t - 120.0));
}

static void sample(double interval, double omega, double late, double *times, double *real, double *imaginary)
{
	for (int k = 0; k < SAMPLES; ++k) {
		times[k] = interval * (k + 1);
		const double complex value = pulse(omega, times[k] - late);
		real[k] = creal(value);
		imaginary[k] = cimag(value);
	}
}

static void waves_travel_since_the_middle_of_the_pulse(void **state)
{
	struct signal_causes endless = causes;

	(void)state;
	endless.middle = INFINITY;
	assert_float_equal(signal_travel_time(&causes, 5.0), 5.0, 0.0);
	assert_float_equal(signal_travel_time(&causes, 40.0), 20.0, 0.0);
	assert_float_equal(signal_travel_time(&causes, 90.0), 60.0, 0.0);
	assert_float_equal(signal_travel_time(&endless, 90.0), 20.0, 0.0);
}

/* Waves of frequency omega are late by dispersion (omega/highest)^2 times the time of their way, as in Yee's scheme. The
 * stated error is that of the largest deviation nearby, and so is never far from it. */
static void estimates_match_dispersion(void **state)
{
	static double times[SAMPLES], real[SAMPLES], imaginary[SAMPLES], late[3][SAMPLES], errors[SAMPLES];

	(void)state;
	for (int is_complex = 0; is_complex < 2; ++is_complex)
		for (int k = 0; k < 3; ++k) {
			const double omega = 0.6 * (k + 1), travel = 120.0 - causes.middle,
				     delay = causes.dispersion * pow(omega / HIGHEST, 2.0) * travel;
			double largest = 0.0, stated = 0.0;
			sample(0.08, omega, 0.0, times, real, imaginary);
			sample(0.08, omega, delay, late[0], late[1], late[2]);
			const struct signal signal = {times, real, is_complex ? imaginary : NULL, SAMPLES};
			assert_int_equal(signal_error_estimates(&causes, &signal, 1.0, errors), SONDE_OK);
			for (int n = 0; n < SAMPLES; ++n) {
				const double error = is_complex
							 ? hypot(late[1][n] - real[n], late[2][n] - imaginary[n])
							 : fabs(late[1][n] - real[n]);
				assert_true(error <= 1.5 * errors[n] + 1e-6);
				largest = fmax(largest, error);
				stated = fmax(stated, errors[n]);
			}
			assert_in_range(1000.0 * stated / largest, 800, 1500);
			assert_true(errors[0] < 1e-6 && errors[SAMPLES - 1] < 1e-6); /* far from the pulse */
		}
}

/* Of sparse samples and of few, by the typical frequency. */
static void estimates_of_sparse_signals(void **state)
{
	static double times[SAMPLES], real[SAMPLES], imaginary[SAMPLES], errors[SAMPLES];
	const double phase = causes.dispersion * HIGHEST * 90.0 * pow(causes.typical / HIGHEST, 3.0);

	(void)state;
	sample(1.0, 1.0, 0.0, times, real, imaginary);
	const struct signal sparse = {times, real, NULL, SAMPLES}, one = {times + 119, real + 119, NULL, 1},
			    none = {times, real, NULL, 0};
	assert_int_equal(signal_error_estimates(&causes, &sparse, 1.0, errors), SONDE_OK);
	assert_float_equal(errors[119], phase, 0.1 * phase);
	assert_int_equal(signal_error_estimates(&causes, &one, 1.0, errors), SONDE_OK);
	assert_float_equal(errors[0], phase, 0.1 * phase);
	assert_int_equal(signal_error_estimates(&causes, &none, 1.0, errors), SONDE_OK);
}

/* A deviation of phase by more than 2 makes no larger error; numbers that are not finite have neighbors' errors. */
static void estimates_are_limited(void **state)
{
	static double times[SAMPLES], real[SAMPLES], imaginary[SAMPLES], errors[SAMPLES];
	struct signal_causes large = causes;
	const struct signal signal = {times, real, NULL, SAMPLES};

	(void)state;
	large.dispersion = 10.0;
	large.surfaces = 1.0;
	sample(0.08, HIGHEST, 0.0, times, real, imaginary);
	real[1499] = NAN;
	assert_int_equal(signal_error_estimates(&large, &signal, 1.0, errors), SONDE_OK);
	for (int n = 0; n < SAMPLES; ++n)
		assert_true(errors[n] >= 0.0 && errors[n] <= 4.0);
	assert_true(errors[1499] > 1.0);
	for (int n = 0; n < SAMPLES; ++n)
		real[n] = NAN;
	assert_int_equal(signal_error_estimates(&large, &signal, 1.0, errors), SONDE_OK);
	assert_true(isnan(errors[0]) && isnan(errors[SAMPLES - 1]));
}

static void companions_give_differences(void **state)
{
	static double times[SAMPLES], real[SAMPLES], imaginary[SAMPLES], others[SAMPLES], coarse[2][SAMPLES],
	    errors[SAMPLES];
	double largest;

	(void)state;
	sample(0.08, 1.0, 0.0, times, real, imaginary);
	/* nothing but a delay by 0.01: the values between samples are exact */
	sample(0.12, 1.0, 0.01, others, coarse[0], coarse[1]);
	const struct signal signal = {times, real, imaginary, SAMPLES};
	struct signal companion = {others, coarse[0], coarse[1], SAMPLES / 2};
	for (int n = 0; n < SAMPLES; ++n)
		errors[n] = 7.0;
	assert_int_equal(signal_errors_by_companion(HIGHEST, 0.8, &signal, &companion, errors, &largest), SONDE_OK);
	assert_float_equal(errors[1499], 0.8 * 0.01, 2e-5);
	assert_float_equal(largest, 0.8 * 0.01, 2e-5);
	assert_float_equal(errors[SAMPLES - 1], 7.0, 0.0); /* the companion ended before */
	/* samples that are too far apart say nothing about values between them */
	companion.times = times;
	companion.count = 5;
	errors[10] = 7.0;
	assert_int_equal(signal_errors_by_companion(HIGHEST, 0.8, &signal, &companion, errors, &largest), SONDE_OK);
	companion.count = SAMPLES;
	assert_int_equal(signal_errors_by_companion(20.0, 0.8, &signal, &companion, errors, &largest), SONDE_OK);
	assert_float_equal(errors[10], 7.0, 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(waves_travel_since_the_middle_of_the_pulse),
	    cmocka_unit_test(estimates_match_dispersion),
	    cmocka_unit_test(estimates_of_sparse_signals),
	    cmocka_unit_test(estimates_are_limited),
	    cmocka_unit_test(companions_give_differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
