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
