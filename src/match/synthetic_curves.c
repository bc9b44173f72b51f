#include "match/synthetic_curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "match/dot_product.h"
#include "matter/generate/keyed_random.h"

#define PURPOSE 0x42000000U /* of random numbers; the curve is added */
#define NUMBERS 3           /* normally distributed ones per index */
#define ROW_BITS 32         /* of an index: points of a curve */
#define TAIL 0.025

sonde_status synthetic_curves_begin(const struct mixture *mixture, int64_t seed, int64_t row,
				    struct synthetic_curves *curves)
{
	const struct nnls_solution *solution = &mixture->solution;

	*curves = (struct synthetic_curves){
	    .mixture = mixture, .seed = seed, .row = row, .deviation = sqrt(mixture->variance)};
	CHECK(memory_allocate(&curves->fit, (size_t)mixture->rows, sizeof(double), "a curve"));
	for (int k = 0; k < solution->active_count; ++k) {
		const double *a = mixture->a + solution->active[k] * mixture->rows,
			     x = solution->x[solution->active[k]];
		for (int64_t i = 0; i < mixture->rows; ++i)
			curves->fit[i] += x * a[i];
	}
	return SONDE_OK;
}

void synthetic_curves_free(struct synthetic_curves *curves)
{
	free(curves->fit);
	*curves = (struct synthetic_curves){0};
}

void synthetic_curve(const struct synthetic_curves *curves, int64_t number, double *y)
{
	const struct mixture *mixture = curves->mixture;
	const struct random_key key = {curves->seed, PURPOSE + (uint32_t)number};

	for (int64_t k = 0; k < mixture->rows; k += NUMBERS) {
		double normal[NUMBERS];
		keyed_normals(key, (curves->row << ROW_BITS) + k / NUMBERS, normal);
		for (int64_t n = 0; n < NUMBERS && k + n < mixture->rows; ++n)
			y[k + n] = curves->deviation * normal[n];
	}
	for (int d = 0; d < mixture->common->set_count; ++d) {
		const struct data_set *set = &mixture->common->sets[d];
		double *part = y + mixture->begin[d];
		for (int n = 0; n < set->basis_count; ++n) {
			const double *of = set->basis + n * set->measured.count,
				     factor = dot_product(of, part, set->measured.count);
			for (int64_t k = 0; k < set->measured.count; ++k)
				part[k] -= factor * of[k];
		}
	}
	for (int64_t k = 0; k < mixture->rows; ++k)
		y[k] += curves->fit[k];
}

static int compare(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Between the values in their order, of which value k is the quantile (k + 1/2)/count. */
static double quantile(const double *sorted, int64_t count, double part)
{
	const double place = part * (double)count - 0.5;
	const int64_t below = (int64_t)floor(place);

	if (below < 0)
		return sorted[0];
	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

void synthetic_interval(double *values, int64_t count, double *low, double *high)
{
	qsort(values, (size_t)count, sizeof *values, compare);
	*low = quantile(values, count, TAIL);
	*high = quantile(values, count, 1.0 - TAIL);
}
