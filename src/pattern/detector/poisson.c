#include "pattern/detector/poisson.h"

#include <math.h>

#include "base/constants.h"
#include "matter/generate/keyed_random.h"

#define LARGE_MEAN 10.0 /* from which rejection is faster than a sum */
#define MOST_DRAWS 1000 /* of a rejection that accepts nine of ten: never reached */

/* k! = sqrt(2 pi k) (k/e)^k exp(r): r, Stirling's series, or exactly below 16. */
static double stirling_rest(double k)
{
	if (k < 16.0) {
		double factorial = 1.0;
		for (int n = 2; n <= (int)k; ++n)
			factorial *= n;
		return log(factorial) - (k + 0.5) * log(k) + k - 0.5 * log(2.0 * PI);
	}
	const double s = 1.0 / (k * k);
	return (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s / 1680.0))) / k;
}

/* k ln(k/m) + m - k, which is small where its terms are large: C. Loader, "Fast and accurate computation of binomial probabilities"
 * (2000), by a series in v = (k - m)/(k + m) near the mean. */
static double deviance(double k, double mean)
{
	const double difference = k - mean, v = difference / (k + mean);

	if (fabs(v) > 0.1)
		return k * log(k / mean) - difference;
	double power = 2.0 * k * v, sum = difference * v;
	for (int j = 1; j < 100; ++j) {
		power *= v * v;
		const double next = sum + power / (2.0 * j + 1.0);
		if (next == sum)
			break;
		sum = next;
	}
	return sum;
}

double poisson_log_probability(double k, double mean)
{
	return k > 0.0 ? -deviance(k, mean) - stirling_rest(k) - 0.5 * log(2.0 * PI * k) : -mean;
}

/* The inverse of the cumulative probability. */
static int64_t draw_by_sum(double mean, struct random_key key, int64_t index)
{
	double uniform[2], probability = exp(-mean), sum = probability;
	int64_t count = 0;

	keyed_uniforms(key, index, 0, uniform);
	while (uniform[0] > sum && count < 200) {
		++count;
		probability *= mean / (double)count;
		sum += probability;
	}
	return count;
}

/* Transformed rejection: W. Hormann, Insurance: Mathematics and Economics 12 (1993) 39, algorithm PTRS. */
static int64_t draw_by_rejection(double mean, struct random_key key, int64_t index)
{
	const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b,
		     inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), accepted = 0.9277 - 3.6224 / (b - 2.0);

	for (uint32_t draw = 0; draw < MOST_DRAWS; ++draw) {
		double uniform[2];
		keyed_uniforms(key, index, draw, uniform);
		const double u = uniform[0] - 0.5, v = uniform[1], us = 0.5 - fabs(u),
			     k = floor((2.0 * a / us + b) * u + mean + 0.43);
		if (us >= 0.07 && v <= accepted)
			return (int64_t)k;
		if (k < 0.0 || (us < 0.013 && v > us))
			continue;
		if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <= poisson_log_probability(k, mean))
			return (int64_t)k;
	}
	return (int64_t)mean;
}

int64_t poisson_draw(double mean, int64_t seed, int64_t index)
{
	const struct random_key key = {seed, RANDOM_COUNTS};

	return mean < LARGE_MEAN ? draw_by_sum(mean, key, index) : draw_by_rejection(mean, key, index);
}
