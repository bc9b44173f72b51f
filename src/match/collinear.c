#include "match/collinear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/dot_product.h"

#define GROWTH 4.0 /* of chi^2: two standard deviations */
#define STEPS 2000
#define FIRST_STEPS 50 /* at least */
#define CONVERGED 1e-9

int64_t collinear_alternatives(const struct mixture *mixture, int k, int *found, int most)
{
	const int j = mixture->solution.active[k];
	const double *own = mixture->a + j * mixture->rows, norm = mixture->solution.norms[k],
		     contribution = pow(mixture->solution.x[j] * norm, 2.0) / mixture->variance;
	double growths[64];
	int64_t count = 0;
	int kept = 0;

	most = most < 64 ? most : 64;
	for (int other = 0; other < mixture->count; ++other) {
		const double *a = mixture->a + other * mixture->rows, square = dot_product(a, a, mixture->rows);
		if (other == j || !(square > 0.0))
			continue;
		const double cosine = dot_product(a, own, mixture->rows) / (norm * sqrt(square)),
			     growth = contribution * (1.0 - cosine * cosine);
		if (!(cosine > 0.0 && growth < GROWTH))
			continue;
		++count;
		int place = kept < most ? kept++ : most;
		if (place == most && (most == 0 || growth >= growths[most - 1]))
			continue;
		place = place == most ? most - 1 : place;
		for (; place > 0 && growths[place - 1] > growth; --place) {
			growths[place] = growths[place - 1];
			found[place] = found[place - 1];
		}
		growths[place] = growth;
		found[place] = other;
	}
	return count;
}

/* The largest eigenvalue of a symmetric positive matrix, by powers. */
static double largest_eigenvalue(int n, const double *matrix, double *v, double *next)
{
	double value = 0.0;

	for (int k = 0; k < n; ++k)
		v[k] = sin(1.0 + 2.3 * k * (k + 1.0)); /* not near an eigenvector */
	for (int step = 0; step < STEPS; ++step) {
		double norm = 0.0;
		for (int k = 0; k < n; ++k) {
			next[k] = dot_product(matrix + (size_t)k * (size_t)n, v, n);
			norm += next[k] * next[k];
		}
		norm = sqrt(norm);
		for (int k = 0; k < n; ++k)
			v[k] = next[k] / norm;
		if (fabs(norm - value) <= CONVERGED * norm && step > FIRST_STEPS)
			return norm;
		value = norm;
	}
	return value;
}

/* The matrix of cosines of the active columns, and its inverse, which is the covariance at unit length. */
double collinear_condition(const struct mixture *mixture)
{
	const struct nnls_solution *solution = &mixture->solution;
	const int n = solution->active_count;
	double *numbers, *inverse, condition;

	if (n < 2 ||
	    memory_allocate(&numbers, 2 * (size_t)n * (size_t)(n + 1), sizeof *numbers, "a matrix") != SONDE_OK)
		return 1.0;
	inverse = numbers + (size_t)n * (size_t)n;
	for (int k = 0; k < n; ++k)
		for (int l = 0; l < n; ++l) {
			const double product = solution->norms[k] * solution->norms[l];
			numbers[k * n + l] =
			    dot_product(mixture->a + solution->active[k] * mixture->rows,
					mixture->a + solution->active[l] * mixture->rows, mixture->rows) /
			    product;
			inverse[k * n + l] = solution->covariance[k * n + l] * product;
		}
	double *v = inverse + (size_t)n * (size_t)n;
	/* of the matrix of cosines; that of the curves is its square root */
	condition = sqrt(largest_eigenvalue(n, numbers, v, v + n) * largest_eigenvalue(n, inverse, v, v + n));
	free(numbers);
	return condition;
}
