#include "match/bootstrap.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/generate/keyed_random.h"
#include "match/dot_product.h"
#include "run/context.h"

#define PURPOSE 0x42000000U /* of random numbers; the curve is added */
#define NUMBERS 3           /* normally distributed ones per index */
#define TAIL 0.025

struct bootstrap {
	const struct mixture *mixture;
	const int *allowed; /* null: all */
	int64_t seed;
	double deviation; /* of a weighted point */
	double *fit;      /* [rows]: weighted, without background */
	double *weights;  /* [active][curve] */
	int64_t count;
	atomic_int failed;
};

/* Deviations, without their part in the backgrounds, added to the fit. */
static void make_curve(const struct bootstrap *bootstrap, int64_t curve, double *y)
{
	const struct mixture *mixture = bootstrap->mixture;
	const struct random_key key = {bootstrap->seed, PURPOSE + (uint32_t)curve};

	for (int64_t k = 0; k < mixture->rows; k += NUMBERS) {
		double normal[NUMBERS];
		keyed_normals(key, k / NUMBERS, normal);
		for (int64_t n = 0; n < NUMBERS && k + n < mixture->rows; ++n)
			y[k + n] = bootstrap->deviation * normal[n];
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
		y[k] += bootstrap->fit[k];
}

static void body(void *state, int64_t first, int64_t end, int worker)
{
	struct bootstrap *bootstrap = state;
	const struct mixture *mixture = bootstrap->mixture;
	const struct nnls_solution *found = &mixture->solution;
	double *y;

	(void)worker;
	if (memory_allocate(&y, (size_t)mixture->rows, sizeof *y, "a curve") != SONDE_OK) {
		atomic_store(&bootstrap->failed, 1);
		return;
	}
	for (int64_t curve = first; curve < end; ++curve) {
		struct nnls_solution solution;
		struct nnls_problem problem = {.columns = mixture->count,
					       .rows = mixture->rows,
					       .a = mixture->a,
					       .y = y,
					       .allowed = bootstrap->allowed,
					       .allowed_count = bootstrap->allowed != NULL ? found->active_count : 0,
					       .start = found->active,
					       .start_count = found->active_count,
					       .threads = 1};
		make_curve(bootstrap, curve, y);
		if (nnls_solve(&problem, &solution) != SONDE_OK)
			atomic_store(&bootstrap->failed, 1);
		else
			for (int k = 0; k < found->active_count; ++k)
				bootstrap->weights[k * bootstrap->count + curve] = solution.x[found->active[k]];
		nnls_free(&solution);
	}
	free(y);
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

static void make_fit(const struct mixture *mixture, double *fit)
{
	const struct nnls_solution *solution = &mixture->solution;

	for (int k = 0; k < solution->active_count; ++k) {
		const double *a = mixture->a + solution->active[k] * mixture->rows,
			     x = solution->x[solution->active[k]];
		for (int64_t i = 0; i < mixture->rows; ++i)
			fit[i] += x * a[i];
	}
}

sonde_status bootstrap_intervals(sonde_context *context, const struct mixture *mixture,
				 const sonde_match_options *options, double *low, double *high)
{
	const struct nnls_solution *solution = &mixture->solution;
	struct bootstrap bootstrap = {.mixture = mixture,
				      .allowed =
					  options->sparsity != SONDE_MATCH_SPARSITY_NONE ? solution->active : NULL,
				      .seed = options->seed,
				      .deviation = sqrt(mixture->variance),
				      .count = options->bootstrap};

	sonde_status status = memory_allocate(&bootstrap.fit, (size_t)mixture->rows, sizeof(double), "a curve");
	if (status == SONDE_OK)
		status =
		    memory_allocate(&bootstrap.weights, (size_t)solution->active_count * (size_t)options->bootstrap,
				    sizeof(double), "weights");
	if (status == SONDE_OK) {
		make_fit(mixture, bootstrap.fit);
		threads_end_when(context_cancel_flag(context));
		threads_for(context_threads(context), bootstrap.count, 1, body, &bootstrap);
		status = threads_completed();
		threads_end_when(NULL);
	}
	if (status == SONDE_OK && atomic_load(&bootstrap.failed) != 0)
		status = memory_missing("synthetic curves");
	for (int k = 0; status == SONDE_OK && k < solution->active_count; ++k) {
		double *of = bootstrap.weights + k * bootstrap.count;
		qsort(of, (size_t)bootstrap.count, sizeof *of, compare);
		low[k] = quantile(of, bootstrap.count, TAIL);
		high[k] = quantile(of, bootstrap.count, 1.0 - TAIL);
	}
	free(bootstrap.fit);
	free(bootstrap.weights);
	return status;
}
