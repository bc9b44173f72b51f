/* Digits written without printf are those of printf. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "unit/support.h"

/* Compares with printf and strtod; false if decimal_write() leaves x to printf. */
static bool is_like_printf(double x)
{
	char text[64] = "", wanted[64];
	const size_t size = decimal_write(x, text);

	if (size == 0)
		return false;
	assert_true(size <= DECIMAL_SIZE);
	text[size] = '\0';
	snprintf(wanted, sizeof wanted, "%.15g", x);
	if (strtod(wanted, NULL) != x)
		snprintf(wanted, sizeof wanted, "%.17g", x);
	if (strcmp(text, wanted) != 0)
		fail_msg("%a is %s instead of %s", x, text, wanted);
	return true;
}

static void assert_both_signs(double x)
{
	assert_true(is_like_printf(x));
	assert_true(is_like_printf(-x));
}

/* Coordinates of files, crystals and computations: few decimals, multiples of an edge, all bits. */
static void test_random_numbers(void **unused)
{
	static const double units[] = {1.0, 10.0, 1e3, 1e5, 1e6, 1e10};
	const int count = is_thorough() ? 4000000 : 60000;
	uint64_t state = 7;

	(void)unused;
	for (int k = 0; k < count; ++k) {
		const double uniform = test_random_real(&state), unit = units[k % 6];
		assert_both_signs(rint(uniform * unit * 1e6) / unit + 1e-4);
		assert_both_signs(4.0782 * (double)(1 + test_random(&state) % 1000) / 4.0);
		assert_both_signs(1e-4 * pow(9.99e17, uniform));
	}
}

/* Numbers with 2^-k as last bit end in a 5: where the digits are cut there, they are ties. */
static void test_ties_go_to_the_even_digit(void **unused)
{
	uint64_t state = 8;

	(void)unused;
	for (int k = 0; k < 100000; ++k) {
		const int bits = 1 + k % 44;
		const uint64_t mantissa = (test_random(&state) >> 11) | 1;
		const double x = ldexp((double)mantissa, -bits);
		if (x >= 1e-4 && x < 1e14)
			assert_both_signs(x);
	}
}

static void test_neighbors_of_powers(void **unused)
{
	(void)unused;
	for (int k = -4; k <= 14; ++k) {
		const double power = strtod(
		    (char[]){'1', 'e', k < 0 ? '-' : '+', (char)('0' + abs(k) / 10), (char)('0' + abs(k) % 10), '\0'},
		    NULL);
		double below = power, above = power;
		for (int n = 0; n < 1000; ++n) {
			if (above >= 1e-4 && above < 1e14)
				assert_both_signs(above);
			if (below >= 1e-4 && below < 1e14)
				assert_both_signs(below);
			above = nextafter(above, INFINITY);
			below = nextafter(below, 0.0);
		}
	}
	for (int k = -13; k <= 46; ++k) {
		assert_both_signs(ldexp(1.0, k));
		assert_both_signs(nextafter(ldexp(1.0, k), INFINITY));
		if (k > -13)
			assert_both_signs(nextafter(ldexp(1.0, k), 0.0));
	}
}

static void test_zeros_keep_their_sign(void **unused)
{
	(void)unused;
	assert_true(is_like_printf(0.0));
	assert_true(is_like_printf(-0.0));
}

static void test_the_rest_is_left_to_printf(void **unused)
{
	const double others[] = {
	    1e14, 1e300, INFINITY, NAN, 9.9999999e-5, 1e-300, 5e-324, -1e15, nextafter(1e-4, 0.0)};

	(void)unused;
	for (size_t k = 0; k < COUNT(others); ++k)
		assert_false(is_like_printf(others[k]));
}

static void test_fixed_decimals(void **unused)
{
	static const double numbers[] = {0.0,      -0.0,   0.5,      1.5,    0.0005,    0.0015,
					 -0.0005,  9.9995, 999.9995, 1e-300, 5e-324,    0.125,
					 9999.999, -1e-9,  1e13,     0.1,    123456.75, 2.5e-3};
	char text[64], wanted[64];
	uint64_t state = 9;

	(void)unused;
	for (int k = 0; k < 100000; ++k) {
		const double x = k < 17 * (int)COUNT(numbers)
				     ? numbers[k / 17]
				     : ldexp((double)(test_random(&state) >> 11) * (k % 2 == 0 ? 1 : -1), -(k % 90));
		const int decimals = k % 17;
		const size_t size = decimal_write_fixed(x, decimals, text);
		assert_true(size <= DECIMAL_SIZE);
		text[size] = '\0';
		snprintf(wanted, sizeof wanted, "%.*f", decimals, x);
		if (size > 0 && strcmp(text, wanted) != 0)
			fail_msg("%a with %d decimals is %s instead of %s", x, decimals, text, wanted);
		assert_true(size > 0 || fabs(x) * pow(10.0, decimals) > 0.99e17 ||
			    fabs(x) >= 0x1p52 / pow(2.0, decimals));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_numbers),
	    cmocka_unit_test(test_ties_go_to_the_even_digit),
	    cmocka_unit_test(test_neighbors_of_powers),
	    cmocka_unit_test(test_zeros_keep_their_sign),
	    cmocka_unit_test(test_the_rest_is_left_to_printf),
	    cmocka_unit_test(test_fixed_decimals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
