/* Compensated sums. */
#include "unit/support.h"

#include <stdlib.h>

#include "run/ordered_sum.h"

static double sum_of(const double *x, size_t count)
{
	struct ordered_sum sum = {0};

	for (size_t k = 0; k < count; ++k)
		ordered_sum_add(&sum, x[k]);
	return ordered_sum_value(&sum);
}

static void test_cancelling_numbers_are_summed_exactly(void **unused)
{
	static const double neumaier[] = {1, 1e100, 1, -1e100}, large_first[] = {1e100, 1, -1e100, 1},
			    small[] = {1, 1e-17, -1, 1e-17};

	(void)unused;
	assert_true(sum_of(NULL, 0) == 0.0);
	assert_true(sum_of(neumaier, 4) == 2.0);
	assert_true(sum_of(large_first, 4) == 2.0);
	assert_true(sum_of(small, 4) == 2e-17);
}

static void test_many_small_numbers(void **unused)
{
	struct ordered_sum sum = {0};
	double plain = 0;

	(void)unused;
	for (int k = 0; k < 10000000; ++k) {
		ordered_sum_add(&sum, 0.1);
		plain += 0.1;
	}
	/* ten million times the double that is called 0.1 */
	assert_within(ordered_sum_value(&sum), 1000000.0000000000555, 1.2e-10, "ordered sum value");
	assert_true(fabs(plain - 1000000) > 1e-5); /* so the test can tell them apart */
}

/* Integers times 2^-40 with exponents up to 2^60: the exact sum fits into 128 bits. */
static void test_random_numbers_are_summed_exactly(void **unused)
{
	uint64_t state = 11;

	(void)unused;
	for (int round = 0; round < 2000; ++round) {
		struct ordered_sum sum = {0};
		__int128 exact = 0;
		double size = 0;
		for (int k = 0; k < 500; ++k) {
			int64_t digits = (int64_t)(test_random(&state) >> 24) - ((int64_t)1 << 39); /* 40 bits */
			int shift = (int)(test_random(&state) % 60);
			double x = ldexp((double)digits, shift - 40);
			exact += (__int128)digits * ((__int128)1 << shift);
			size += fabs(x);
			ordered_sum_add(&sum, x);
		}
		double expected = ldexp((double)exact, -40);
		/* Neumaier's bound: one rounding of the sum, and n^2 eps^2 of the sum of magnitudes */
		if (fabs(ordered_sum_value(&sum) - expected) > 0x1p-52 * fabs(expected) + 250000 * 0x1p-104 * size)
			fail_msg("round %d: %.17g instead of %.17g", round, ordered_sum_value(&sum), expected);
	}
}

static void test_sum_is_independent_of_parts(void **unused)
{
	enum { PARTS = 37, N = 19 };
	double arrays[PARTS * N];
	struct ordered_sum whole[N] = {{0}}, pieces[N] = {{0}}, single[N] = {{0}};
	uint64_t state = 12;

	(void)unused;
	for (int k = 0; k < PARTS * N; ++k)
		arrays[k] = ldexp(test_random_real(&state) - 0.5, (int)(test_random(&state) % 80));
	ordered_sum_add_arrays(whole, arrays, PARTS, N);
	ordered_sum_add_arrays(pieces, arrays, 5, N);
	ordered_sum_add_arrays(pieces, arrays + 5 * N, 0, N);
	ordered_sum_add_arrays(pieces, arrays + 5 * N, PARTS - 5, N);
	for (int part = 0; part < PARTS; ++part)
		for (int k = 0; k < N; ++k)
			ordered_sum_add(&single[k], arrays[part * N + k]);
	assert_memory_equal(whole, pieces, sizeof whole);
	assert_memory_equal(whole, single, sizeof whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cancelling_numbers_are_summed_exactly),
	    cmocka_unit_test(test_many_small_numbers),
	    cmocka_unit_test(test_random_numbers_are_summed_exactly),
	    cmocka_unit_test(test_sum_is_independent_of_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
