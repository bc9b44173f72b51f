/* Tables of smooth functions. */
#include <math.h>

#include "base/piecewise.h"
#include "unit/support.h"

static double bell(const void *of, double x)
{
	return 3.0 + 10.0 * exp(-*(const double *)of * x * x);
}

static double corner(const void *of, double x)
{
	(void)of;
	return fabs(x - 1.0 / 3.0);
}

static void test_values_have_the_error_that_is_asked_for(void **state)
{
	static const double tolerances[] = {1e-8, 1e-11, 1e-14}, widths[] = {0.1, 1.0, 30.0};
	(void)state;

	for (int t = 0; t < 3; ++t)
		for (int w = 0; w < 3; ++w) {
			struct piecewise table;
			double error = 0.0;
			assert_int_equal(piecewise_make(bell, &widths[w], 0.2, 6.0, tolerances[t], &table), SONDE_OK);
			assert_true(table.parts > 0);
			for (double x = 0.2; x <= 6.0; x += 0.00037)
				error = fmax(error, fabs(piecewise_value(&table, x) - bell(&widths[w], x)));
			/* 1.5: the largest error may be elsewhere than where it is looked for */
			assert_true(error <= 1.5 * 13.0 * tolerances[t]);
			piecewise_free(&table);
		}
}

static void test_a_corner_has_no_table(void **state)
{
	struct piecewise table;
	(void)state;

	assert_int_equal(piecewise_make(corner, NULL, 0.0, 1.0, 1e-10, &table), SONDE_OK);
	assert_int_equal(table.parts, 0);
	assert_int_equal(piecewise_make(corner, NULL, 1.0, 1.0, 1e-10, &table), SONDE_OK);
	assert_int_equal(table.parts, 0);
	piecewise_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values_have_the_error_that_is_asked_for),
	    cmocka_unit_test(test_a_corner_has_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
