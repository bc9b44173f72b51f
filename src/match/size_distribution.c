#include "match/size_distribution.h"

#include <math.h>

/* The integral of the standard normal distribution from a to b, without cancellation in its tails. */
static double normal_part(double a, double b)
{
	const double root = 0.70710678118654752440;

	return a > 0.0 ? 0.5 * (erfc(a * root) - erfc(b * root)) : 0.5 * (erfc(-b * root) - erfc(-a * root));
}

/* The integral of D^power n(D) from a to b: exp(power mu + power^2 s^2/2) times that of a normal distribution with its center moved by power
 * s^2. */
static double moment(double mu, double s, int power, double a, double b)
{
	const double shift = mu + power * s * s, low = a > 0.0 ? (log(a) - shift) / s : -INFINITY,
		     high = isfinite(b) ? (log(b) - shift) / s : INFINITY;

	return exp(power * mu + 0.5 * power * power * s * s) * normal_part(low, high);
}

double size_distribution_parts(double mean, double width, const double *sizes, const double *atoms, int64_t count,
			       double *parts)
{
	const double square = log1p(width * width), s = sqrt(square), mu = log(mean) - 0.5 * square;
	double sum = 0.0;

	for (int64_t k = 0; k < count; ++k)
		parts[k] = 0.0;
	for (int64_t k = 0; k + 1 < count; ++k) {
		const double a = sizes[k], b = sizes[k + 1], number = moment(mu, s, 0, a, b),
			     first = moment(mu, s, 1, a, b);
		parts[k] += fmax(b * number - first, 0.0) / (b - a);
		parts[k + 1] += fmax(first - a * number, 0.0) / (b - a);
	}
	for (int64_t k = 0; k < count; ++k) {
		parts[k] *= atoms[k];
		sum += parts[k];
	}
	for (int64_t k = 0; k < count; ++k)
		parts[k] = sum > 0.0 ? parts[k] / sum : 1.0 / (double)count;
	const double inside = moment(mu, s, 3, sizes[0], sizes[count - 1]), all = moment(mu, s, 3, 0.0, INFINITY);
	return fmax(1.0 - inside / all, 0.0);
}
