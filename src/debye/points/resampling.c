#include "debye/points/resampling.h"

#include <math.h>

#include "base/constants.h"
#include "debye/points/points.h"

#define HALF_WIDTH RESAMPLING_HALF_WIDTH
#define OVERSAMPLING RESAMPLING_OVERSAMPLING
#define MOST_POINTS 1e7

bool resampling_choose(const double *q, int64_t points, double largest_distance, struct resampling *resampling)
{
	const double step = PI / (OVERSAMPLING * largest_distance);
	double q_first = INFINITY, q_last = 0.0;

	for (int64_t k = 0; k < points; ++k) {
		q_first = fmin(q_first, q[k]);
		q_last = fmax(q_last, q[k]);
	}
	const double below = floor(q_first / step - 0.5) - HALF_WIDTH, above = ceil(q_last / step - 0.5) + HALF_WIDTH;

	if (!(largest_distance > 0.0) || !(above - below < MOST_POINTS))
		return false;
	const double first = fmax(below, 0.0), last = fmax(above, -below - 1.0);
	const int64_t count = (int64_t)(last - first) + 1;
	*resampling = (struct resampling){
	    .step = step, .first = (int64_t)first, .grid = {(first + 0.5) * step, (last + 0.5) * step, count}};
	return (double)count < points_cost(q, points);
}

static double window(double t)
{
	const double b = HALF_WIDTH * PI * (1.0 - 1.0 / OVERSAMPLING), x = t / HALF_WIDTH;

	return fabs(x) < 1.0 ? sinh(b * sqrt(1.0 - x * x)) / sinh(b) : 0.0;
}

void resampling_find_weights(double place, int64_t *nearest, double weights[RESAMPLING_WEIGHTS])
{
	const double offset = place - rint(place), sine = sin(PI * offset) / PI;

	*nearest = (int64_t)rint(place);
	for (int k = -HALF_WIDTH; k <= HALF_WIDTH; ++k) {
		const double t = offset - k, sinc = t == 0.0 ? 1.0 : (k % 2 == 0 ? sine : -sine) / t;
		weights[HALF_WIDTH + k] = sinc * window(t);
	}
}

static double value_at(const struct resampling *resampling, const double *uniform, double q)
{
	const double place = q / resampling->step - 0.5, nearest = rint(place), offset = place - nearest;
	const double sine = sin(PI * offset) / PI;
	double sum = 0.0;

	for (int k = -HALF_WIDTH; k <= HALF_WIDTH; ++k) {
		const double t = offset - k, sinc = t == 0.0 ? 1.0 : (k % 2 == 0 ? sine : -sine) / t;
		const int64_t n = (int64_t)nearest + k;
		sum += uniform[(n < 0 ? -n - 1 : n) - resampling->first] * sinc * window(t);
	}
	return sum;
}

void resampling_add(const struct resampling *resampling, const double *uniform, const double *q, int64_t points,
		    double *values)
{
	for (int64_t k = 0; k < points; ++k)
		values[k] += value_at(resampling, uniform, q[k]);
}
