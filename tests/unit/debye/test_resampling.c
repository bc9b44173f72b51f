/* Sums at any points of q from those at uniform ones: as exact as summing there. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "debye/points/resampling.h"

#define DISTANCES 300
#define LARGEST 143.0

static double distance(int n)
{
	return n == 0 ? LARGEST : LARGEST * fmod(0.618033988749895 * n, 1.0);
}

/* sum of sin(q r)/(q r), of like weights: all in phase at q = 0. */
static double sum_at(double q)
{
	double sum = 0.0;

	for (int n = 0; n < DISTANCES; ++n)
		sum += q == 0.0 ? 1.0 : sin(q * distance(n)) / (q * distance(n));
	return sum;
}

/* Points between two ends, and the number of uniform ones. */
static void check(double first, double last, int64_t points)
{
	struct resampling resampling;
	double *uniform, *q = calloc((size_t)points, sizeof *q), *values = calloc((size_t)points, sizeof *values);

	assert_non_null(q);
	assert_non_null(values);
	for (int64_t k = 0; k < points; ++k)
		q[k] = first + (last - first) * pow((double)k / (double)(points - 1), 3.0);
	assert_true(resampling_choose(q, points, LARGEST, &resampling));
	uniform = calloc((size_t)resampling.grid.points, sizeof *uniform);
	assert_non_null(uniform);
	for (int64_t n = 0; n < resampling.grid.points; ++n)
		uniform[n] = sum_at(((double)(resampling.first + n) + 0.5) * resampling.step);
	resampling_add(&resampling, uniform, q, points, values);
	for (int64_t k = 0; k < points; ++k)
		assert_within(values[k], sum_at(q[k]), 1e-14 * DISTANCES, "sum");
	/* added, not set */
	resampling_add(&resampling, uniform, q, points, values);
	assert_within(values[points / 2], 2.0 * sum_at(q[points / 2]), 2e-14 * DISTANCES, "twice");
	free(uniform);
	free(q);
	free(values);
}

static void sums_follow_from_uniform_ones(void **state)
{
	(void)state;
	check(0.0, 20.0, 500);
	check(1e-7, 0.01, 100); /* below the first uniform point */
	check(7.0, 7.5, 40);
}

static void other_points_are_summed_one_by_one(void **state)
{
	const double few[] = {0.1, 7.0, 20.0}, uniform[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
	struct resampling resampling;
	(void)state;

	assert_false(resampling_choose(few, 3, LARGEST, &resampling));
	assert_false(resampling_choose(uniform, 8, LARGEST, &resampling));
	assert_false(resampling_choose(few, 3, 0.0, &resampling));
	assert_false(resampling_choose(few, 3, 1e9, &resampling));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sums_follow_from_uniform_ones),
					   cmocka_unit_test(other_points_are_summed_one_by_one)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
