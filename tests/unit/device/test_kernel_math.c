/* lanes_sincos(), lanes_exp() and lanes_erfc() of device/kernel_math.h, for every instruction set of this machine. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>

#include "unit/device/kernel_math_isa.h"

#define BATCH 1024

static const struct {
	const char *name;
	sincos_function *run;
} sets[] = {
    {"baseline", sincos_baseline}, {"baseline, fused", sincos_fused_baseline},
#if defined(__x86_64__)
    {"avx2", sincos_avx2},         {"avx2, fused", sincos_fused_avx2},
    {"avx512", sincos_avx512},     {"avx512, fused", sincos_fused_avx512},
#endif
};

static bool is_here(size_t set)
{
#if defined(__x86_64__)
	if (set / 2 == 1)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	if (set / 2 == 2)
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
	return set / 2 == 0;
}

/* Largest errors seen, absolute and relative. */
struct errors {
	double absolute, relative, worst_x;
};

static void compare(sincos_function *run, const double *x, struct errors *errors)
{
	double sine[BATCH], cosine[BATCH];

	run(x, sine, cosine, BATCH);
	for (int k = 0; k < BATCH; ++k) {
		long double s = sinl(x[k]), c = cosl(x[k]);
		double off = (double)fmaxl(fabsl(sine[k] - s), fabsl(cosine[k] - c));
		if (!(off <= errors->absolute)) {
			errors->absolute = off;
			errors->worst_x = x[k];
		}
		if (s != 0)
			errors->relative = fmax(errors->relative, (double)fabsl((sine[k] - s) / s));
	}
}

/* Random x of magnitudes from `low` to `high`, both signs. */
static struct errors sweep(size_t set, double low, double high, int batches)
{
	struct errors errors = {0};
	uint64_t state = 17;
	double x[BATCH];

	for (int b = 0; b < batches; ++b) {
		for (int k = 0; k < BATCH; ++k) {
			x[k] = low > 0 ? low * pow(high / low, test_random_real(&state))
				       : high * test_random_real(&state);
			if (test_random(&state) % 2)
				x[k] = -x[k];
		}
		compare(sets[set].run, x, &errors);
	}
	return errors;
}

static void test_absolute_error_is_within_bounds(void **unused)
{
	static const double ranges[][2] = {{0, 1},   {0, 10},  {0, 1e3},   {1e-3, 1e6},
					   {0, 1e6}, {0, 1e7}, {1e7, 1e8}, {0, 1e8}};

	(void)unused;
	for (size_t set = 0; set < COUNT(sets); ++set) {
		double worst = 0;
		for (size_t k = 0; is_here(set) && k < COUNT(ranges); ++k) {
			struct errors errors = sweep(set, ranges[k][0], ranges[k][1], 150);
			worst = fmax(worst, errors.absolute);
			if (!(errors.absolute < 3e-16))
				fail_msg("%s: error %g at x = %.17g", sets[set].name, errors.absolute,
					 errors.worst_x);
		}
		print_message("%s: largest error below 1e8: %.3g\n", sets[set].name, worst);
	}
}

/* The header promises |x| < 2e8. */
static void test_the_last_octave(void **unused)
{
	(void)unused;
	for (size_t set = 0; set < COUNT(sets); ++set) {
		if (!is_here(set))
			continue;
		struct errors errors = sweep(set, 1e8, 2e8, 300);
		print_message("%s: largest error from 1e8 to 2e8: %.3g\n", sets[set].name, errors.absolute);
		if (!(errors.absolute < 3e-16))
			fail_msg("%s: error %g at x = %.17g", sets[set].name, errors.absolute, errors.worst_x);
	}
}

static void test_relative_error_of_small_arguments(void **unused)
{
	(void)unused;
	for (size_t set = 0; set < COUNT(sets); ++set) {
		if (!is_here(set))
			continue;
		assert_true(sweep(set, 1e-300, 1e-2, 300).relative < 2.3e-16);
		assert_true(sweep(set, 1e-6, 0.78, 300).relative < 3e-16);
	}
}

/* Doubles next to multiples of pi/2 and of pi/4, where quadrants change and sines vanish. */
static void test_round_multiples_of_a_quarter_turn(void **unused)
{
	const double quarter = 0.78539816339744830962;

	(void)unused;
	for (size_t set = 0; set < COUNT(sets) && is_here(set); ++set) {
		struct errors errors = {0};
		double x[BATCH];
		for (int64_t n = 0; n < 120000000; n = n * 17 / 16 + 1) {
			double start = (double)n * quarter;
			for (int k = 0; k < BATCH / 2; ++k)
				start = nextafter(start, -1e9);
			for (int k = 0; k < BATCH; ++k, start = nextafter(start, 1e9))
				x[k] = start;
			compare(sets[set].run, x, &errors);
		}
		if (!(errors.absolute < 3e-16))
			fail_msg("%s: error %g at x = %.17g", sets[set].name, errors.absolute, errors.worst_x);
	}
}

static void test_small_arguments_are_exact(void **unused)
{
	double x[8] = {0, 0x1p-1000, -0x1p-1074, 1e-200, 0x1p-30, -0x1p-30, 0, 0}, sine[8], cosine[8];

	(void)unused;
	for (size_t set = 0; set < COUNT(sets) && is_here(set); ++set) {
		sets[set].run(x, sine, cosine, 8);
		for (int k = 0; k < 4; ++k)
			assert_true(sine[k] == x[k] && cosine[k] == 1.0);
		assert_true(sine[4] == -sine[5] && sine[4] > 0 && cosine[4] == 1.0);
	}
}

static void test_sine_is_odd_and_cosine_even(void **unused)
{
	double x[BATCH], minus[BATCH], s[BATCH], c[BATCH], s_minus[BATCH], c_minus[BATCH];
	uint64_t state = 19;

	(void)unused;
	for (int k = 0; k < BATCH; ++k) {
		x[k] = 1e5 * test_random_real(&state);
		minus[k] = -x[k];
	}
	for (size_t set = 0; set < COUNT(sets) && is_here(set); ++set) {
		sets[set].run(x, s, c, BATCH);
		sets[set].run(minus, s_minus, c_minus, BATCH);
		for (int k = 0; k < BATCH; ++k)
			assert_true(s[k] == -s_minus[k] && c[k] == c_minus[k]);
	}
}

/* Without fused multiply-adds every instruction set has the same bits. */
static void test_same_bits_everywhere(void **unused)
{
	double x[BATCH], expected[2][BATCH], got[2][BATCH];
	uint64_t state = 29;

	(void)unused;
	for (int k = 0; k < BATCH; ++k)
		x[k] = pow(10, 12 * test_random_real(&state) - 4);
	sets[0].run(x, expected[0], expected[1], BATCH);
	for (size_t set = 2; set < COUNT(sets) && is_here(set); set += 2) {
		sets[set].run(x, got[0], got[1], BATCH);
		assert_memory_equal(got, expected, sizeof got);
	}
}

/* Of each instruction set. */
static pairs_function *const of_sums[] = {sincos_of_sum_baseline,
#if defined(__x86_64__)
					  sincos_of_sum_avx2, sincos_of_sum_avx512
#endif
};
static pairs_function *const losses[] = {lost_baseline,
#if defined(__x86_64__)
					 lost_avx2, lost_avx512
#endif
};

/* Random sums, and those next to multiples of pi/4, where what is left of the reduction is not much more than its low part: within
 * 1.2e-16 of the sine and cosine in extended precision, of the low part to first order, and with the same bits everywhere. */
static void test_sine_and_cosine_of_sums(void **unused)
{
	static const double largest[] = {1.0, 10.0, 1e3, 1e5, 1e6};
	double high[BATCH], low[BATCH], expected[2][BATCH], got[2][BATCH], worst = 0.0;
	uint64_t state = 37;

	(void)unused;
	for (int batch = 0; batch < 400; ++batch) {
		for (int k = 0; k < BATCH; ++k) {
			const double x = largest[batch % 5] * (2.0 * test_random_real(&state) - 1.0);
			high[k] = batch % 2 == 0 ? x : 0.78539816339744830962 * rint(x);
			low[k] = high[k] * 0x1p-53 * (2.0 * test_random_real(&state) - 1.0);
		}
		of_sums[0](high, low, expected[0], expected[1], BATCH);
		for (int k = 0; k < BATCH; ++k) {
			const long double s = sinl(high[k]), c = cosl(high[k]), l = low[k];
			worst = fmax(worst, (double)fabsl(expected[0][k] - (s + l * c)));
			worst = fmax(worst, (double)fabsl(expected[1][k] - (c - l * s)));
		}
		for (size_t set = 1; set < COUNT(of_sums) && is_here(2 * set); ++set) {
			of_sums[set](high, low, got[0], got[1], BATCH);
			assert_memory_equal(got, expected, sizeof got);
		}
	}
	print_message("sine and cosine of sums: largest error %.3g\n", worst);
	assert_true(worst < 1.2e-16);
}

/* The largest arguments: those of lanes_sincos(), in which the low part counts as much as the bound on it allows for. */
static void test_sums_in_the_last_octave(void **unused)
{
	double high[BATCH], low[BATCH], got[2][BATCH], worst = 0.0;
	uint64_t state = 41;

	(void)unused;
	for (int batch = 0; batch < 100; ++batch) {
		for (int k = 0; k < BATCH; ++k) {
			high[k] = 1e8 * (1.0 + test_random_real(&state));
			low[k] = 1e-8 * (2.0 * test_random_real(&state) - 1.0);
		}
		for (size_t set = 0; set < COUNT(of_sums) && is_here(2 * set); ++set) {
			of_sums[set](high, low, got[0], got[1], BATCH);
			for (int k = 0; k < BATCH; ++k) {
				const long double s = sinl(high[k]), c = cosl(high[k]), l = low[k],
						  half = 0.5L * l * l;
				worst = fmax(worst, (double)fabsl(got[0][k] - (s + l * c - half * s)));
				worst = fmax(worst, (double)fabsl(got[1][k] - (c - l * s - half * c)));
			}
		}
	}
	print_message("sine and cosine of sums from 1e8 to 2e8: largest error %.3g\n", worst);
	assert_true(worst < 1.2e-16);
}

/* The rest of a product as the C library's fma() has it, and of a sum as integers give it. */
static void test_losses_are_exact(void **unused)
{
	double a[BATCH], b[BATCH], product[BATCH], sum[BATCH];
	uint64_t state = 43;
	int inexact = 0;

	(void)unused;
	for (int batch = 0; batch < 50; ++batch) {
		for (int k = 0; k < BATCH; ++k) {
			a[k] = ldexp((double)(test_random(&state) >> 11), (int)(test_random(&state) % 60) - 80);
			b[k] = ldexp(-(double)(test_random(&state) >> 11), (int)(test_random(&state) % 60) - 80);
		}
		for (size_t set = 0; set < COUNT(losses) && is_here(2 * set); ++set) {
			losses[set](a, b, product, sum, BATCH);
			for (int k = 0; k < BATCH; ++k) {
				assert_true(product[k] == fma(a[k], b[k], -(a[k] * b[k])));
				inexact += product[k] != 0.0 && sum[k] != 0.0;
				/* multiples of 2^-80 below 2^33: 2^113 */
				const __int128 whole = (__int128)ldexp(a[k], 80) + (__int128)ldexp(b[k], 80);
				assert_true((__int128)ldexp(a[k] + b[k], 80) + (__int128)ldexp(sum[k], 80) == whole);
			}
		}
	}
	assert_true(inexact > 1000);
}

/* exp(-x) and erfc(x) from 0 to where they end. */
static void test_decaying_functions_are_within_bounds(void **unused)
{
	static sincos_function *const runs[] = {
		decays_baseline,
#if defined(__x86_64__)
		decays_avx2,
		decays_avx512
#endif
	};
	double x[BATCH], exponential[BATCH], complement[BATCH];
	uint64_t state = 31;

	(void)unused;
	for (size_t set = 0; set < COUNT(runs) && is_here(2 * set); ++set) {
		double exp_error = 0.0, erfc_error = 0.0, erfc_beyond = 0.0;
		for (int batch = 0; batch < 50; ++batch) {
			for (int k = 0; k < BATCH; ++k)
				x[k] = k == 0 ? 0.0 : 10.0 * test_random_real(&state);
			runs[set](x, exponential, complement, BATCH);
			for (int k = 0; k < BATCH; ++k) {
				long double e = expl(-(long double)x[k]), c = erfcl((long double)x[k]);
				exp_error = fmax(exp_error, (double)fabsl((exponential[k] - e) / e));
				if (x[k] < 6.0)
					erfc_error = fmax(erfc_error, (double)fabsl((complement[k] - c) / c));
				else
					erfc_beyond = fmax(erfc_beyond, (double)fabsl(complement[k] - c));
			}
		}
		print_message("%s: exp %.1e, erfc %.1e relative below 6, %.1e beyond\n", sets[2 * set].name,
			      exp_error, erfc_error, erfc_beyond);
		assert_true(exp_error < 3e-16 && erfc_error < 1e-14 && erfc_beyond < 1e-30);
		double far[8] = {700, 800, 1e4, 1e8, 1e150, 26, 27, 40}, end[8], ended[8];
		runs[set](far, end, ended, 8);
		for (int k = 0; k < 8; ++k)
			assert_true(end[k] >= 0.0 && ended[k] >= 0.0 && end[k] < 1e-11 && ended[k] < 1e-200);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_absolute_error_is_within_bounds),
	    cmocka_unit_test(test_the_last_octave),
	    cmocka_unit_test(test_relative_error_of_small_arguments),
	    cmocka_unit_test(test_round_multiples_of_a_quarter_turn),
	    cmocka_unit_test(test_small_arguments_are_exact),
	    cmocka_unit_test(test_sine_is_odd_and_cosine_even),
	    cmocka_unit_test(test_same_bits_everywhere),
	    cmocka_unit_test(test_sine_and_cosine_of_sums),
	    cmocka_unit_test(test_sums_in_the_last_octave),
	    cmocka_unit_test(test_losses_are_exact),
	    cmocka_unit_test(test_decaying_functions_are_within_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
