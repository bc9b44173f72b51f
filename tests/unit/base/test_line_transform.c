/* Transforms of lines against plain sums. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/constants.h"
#include "base/line_transform.h"
#include "base/memory.h"

#define NUMBERS (2 * LINES_AT_ONCE)

static void check_size(int64_t size)
{
	struct line_transform *transform = line_transform_make((int)size);
	double *from, *to, worst = 0.0;

	assert_non_null(transform);
	assert_int_equal(memory_allocate(&from, NUMBERS * (size_t)size, sizeof *from, "numbers"), SONDE_OK);
	assert_int_equal(memory_allocate(&to, NUMBERS * (size_t)size, sizeof *to, "numbers"), SONDE_OK);
	for (int64_t n = 0; n < NUMBERS * size; ++n)
		from[n] = sin(1.3 * (double)n + 0.01 * (double)(n * n));
	line_transform_run(transform, from, to);
	for (int64_t k = 0; k < size; ++k)
		for (int l = 0; l < LINES_AT_ONCE; ++l) {
			double real = 0.0, imaginary = 0.0;
			for (int64_t n = 0; n < size; ++n) {
				const double phase = 2.0 * PI * (double)(n * k % size) / (double)size,
					     *number = from + NUMBERS * n + l;
				real += number[0] * cos(phase) - number[LINES_AT_ONCE] * sin(phase);
				imaginary += number[0] * sin(phase) + number[LINES_AT_ONCE] * cos(phase);
			}
			worst = fmax(worst, hypot(to[NUMBERS * k + l] - real,
						  to[NUMBERS * k + LINES_AT_ONCE + l] - imaginary));
		}
	assert_true(worst < 2e-15 * (double)size * sqrt((double)size));
	line_transform_free(transform);
	free(from);
	free(to);
}

static void test_lines_are_transformed(void **state)
{
	(void)state;
	for (double least = 1.0; least < 200.0; least *= 1.17)
		check_size(line_transform_size(least));
}

static void test_sizes_are_even_products_of_2_3_and_5(void **state)
{
	static const int expected[][2] = {{0, 2},   {2, 2},   {3, 4},    {7, 8},       {11, 12},
					  {13, 16}, {21, 24}, {97, 100}, {1001, 1024}, {1025, 1080}};
	(void)state;

	for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k)
		assert_int_equal(line_transform_size(expected[k][0]), expected[k][1]);
	assert_int_equal(line_transform_size(10.2), 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lines_are_transformed),
	    cmocka_unit_test(test_sizes_are_even_products_of_2_3_and_5),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
