/* Poisson's distribution. */
#include "unit/support.h"

#include "pattern/detector/poisson.h"

static void test_probabilities_are_those_of_the_formula(void **unused)
{
	static const double means[] = {0.3, 10.0, 11.5, 100.0, 1234.5};

	(void)unused;
	for (size_t m = 0; m < COUNT(means); ++m)
		for (double k = 0.0; k < 2000.0; k = k * 1.3 + 1.0) {
			k = floor(k);
			assert_within(poisson_log_probability(k, means[m]),
				      k * log(means[m]) - means[m] - lgamma(k + 1.0),
				      1e-14 * (k * fabs(log(means[m])) + means[m] + lgamma(k + 1.0)) + 1e-14, "ln p");
		}
	/* where the terms of the formula cancel: with k = m, -ln(2 pi m)/2 - 1/(12 m) */
	assert_within(poisson_log_probability(1e12, 1e12), -0.5 * log(2e12 * 3.14159265358979323846), 1e-12, "ln p");
}

/* Mean and variance are both the mean, within five of their standard errors. */
static void test_moments(void **unused)
{
	static const double means[] = {0.01, 0.7, 5.0, 9.99, 10.0, 13.0, 57.3, 1e4, 1e9, 1e14};
	enum { DRAWS = 200000 };

	(void)unused;
	for (size_t m = 0; m < COUNT(means); ++m) {
		double sum = 0.0, squares = 0.0;
		for (int64_t n = 0; n < DRAWS; ++n) {
			const double from = (double)poisson_draw(means[m], 5, n) - means[m];
			sum += from;
			squares += from * from;
		}
		assert_within(sum / DRAWS / sqrt(means[m] / DRAWS), 0.0, 5.0, "mean");
		assert_within((squares / DRAWS / means[m] - 1.0) / sqrt((2.0 + 1.0 / means[m]) / DRAWS), 0.0, 5.0,
			      "variance");
	}
}

/* Pearson's chi square over all counts that are expected at least 20 times. */
static void check_frequencies(double mean)
{
	enum { DRAWS = 400000, MOST = 400 };
	static int64_t frequency[MOST];
	double chi_square = 0.0;
	int terms = 0;

	memset(frequency, 0, sizeof frequency);
	for (int64_t n = 0; n < DRAWS; ++n) {
		const int64_t k = poisson_draw(mean, 77, n);
		assert_true(k >= 0 && k < MOST);
		++frequency[k];
	}
	for (int k = 0; k < MOST; ++k) {
		const double expected = DRAWS * exp(poisson_log_probability(k, mean)),
			     difference = (double)frequency[k] - expected;
		if (expected < 20.0)
			continue;
		chi_square += difference * difference / expected;
		++terms;
	}
	assert_true(terms > 3);
	assert_within((chi_square - terms) / sqrt(2.0 * terms), 0.0, 5.0, "chi square");
}

static void test_frequencies(void **unused)
{
	(void)unused;
	check_frequencies(0.5);
	check_frequencies(9.5);
	check_frequencies(10.5);
	check_frequencies(140.0);
}

static void test_counts_depend_on_seed_and_index(void **unused)
{
	int same = 0;

	(void)unused;
	for (int64_t n = 0; n < 1000; ++n) {
		assert_true(poisson_draw(1e6, 1, n) == poisson_draw(1e6, 1, n));
		same += poisson_draw(1e6, 1, n) == poisson_draw(1e6, 2, n) ||
			poisson_draw(1e6, 1, n) == poisson_draw(1e6, 1, n + 1);
		assert_true(poisson_draw(0.0, 1, n) == 0);
	}
	assert_true(same < 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_probabilities_are_those_of_the_formula),
	    cmocka_unit_test(test_moments),
	    cmocka_unit_test(test_frequencies),
	    cmocka_unit_test(test_counts_depend_on_seed_and_index),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
