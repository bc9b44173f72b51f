#include "bench.h"

#include <math.h>
#include <stdlib.h>

void baseline_histogram(const double *positions, int64_t n, double width, uint64_t *counts, int64_t bins)
{
	double scale = 1.0 / width;

	for (int64_t i = 0; i < n; ++i) {
		for (int64_t j = i + 1; j < n; ++j) {
			double dx = positions[3 * i] - positions[3 * j];
			double dy = positions[3 * i + 1] - positions[3 * j + 1];
			double dz = positions[3 * i + 2] - positions[3 * j + 2];
			int64_t bin = (int64_t)(sqrt(dx * dx + dy * dy + dz * dz) * scale);
			if (bin < bins)
				++counts[bin];
		}
	}
}

void baseline_pattern(const double *x, const double *y, const double *z, int64_t n, const double *vectors,
		      int64_t count, double *real, double *imaginary)
{
	for (int64_t k = 0; k < count; ++k) {
		const double *q = vectors + 3 * k;
		double c = 0.0, s = 0.0;
		for (int64_t j = 0; j < n; ++j) {
			double phase = q[0] * x[j] + q[1] * y[j] + q[2] * z[j];
			c += sin(
			    phase +
			    1.5707963267948966); /* gcc makes one call of sin and cos, which it does not vectorize */
			s += sin(phase);
		}
		real[k] = c;
		imaginary[k] = s;
	}
}

void baseline_debye(const double *positions, int64_t n, double q_first, double q_step, int64_t q_count, double *sums)
{
	for (int64_t k = 0; k < q_count; ++k)
		sums[k] = 0.0;
	for (int64_t i = 0; i < n; ++i) {
		for (int64_t j = i + 1; j < n; ++j) {
			double dx = positions[3 * i] - positions[3 * j];
			double dy = positions[3 * i + 1] - positions[3 * j + 1];
			double dz = positions[3 * i + 2] - positions[3 * j + 2];
			double r = sqrt(dx * dx + dy * dy + dz * dz);
			for (int64_t k = 0; k < q_count; ++k) {
				double x = (q_first + q_step * (double)k) * r;
				sums[k] += sin(x) / x;
			}
		}
	}
}
