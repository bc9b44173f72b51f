#include "match/series.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "run/context.h"

/* A thread's own copies; candidates and their curves are shared. */
struct worker {
	struct data_set set;
	struct common common;
	struct mixture mixture;
	double *own, *shared; /* weighted curves: those of the thread, and of the first curve */
	double *gram;         /* products of the former */
	bool ready;
};

struct series {
	const struct mixture *first;
	const char *const *paths;
	const sonde_match_options *options;
	struct worker *workers;
	struct series_weights *weights;
	atomic_llong failed; /* a curve that failed; -1: none */
};

static sonde_status prepare(const struct series *series, struct worker *worker)
{
	const struct mixture *first = series->first;
	const struct data_set *set = &first->common->sets[0];
	const size_t numbers = (size_t)first->count * (size_t)first->rows;

	CHECK(data_set_copy(set, &worker->set));
	worker->common = (struct common){
	    .sets = &worker->set, .set_count = 1, .count = first->common->count, .maps = first->common->maps};
	worker->mixture = *first;
	worker->mixture.common = &worker->common;
	worker->mixture.y = NULL;
	worker->mixture.solution = (struct nnls_solution){0};
	CHECK(memory_allocate(&worker->mixture.y, (size_t)first->rows, sizeof(double), "a curve"));
	worker->shared = first->a;
	if (set->weights != SONDE_MATCH_WEIGHTS_UNIFORM)
		CHECK(memory_allocate(&worker->own, numbers, sizeof(double), "the curves of candidates"));
	if (set->weights != SONDE_MATCH_WEIGHTS_UNIFORM)
		CHECK(memory_allocate(&worker->gram, (size_t)first->count * (size_t)first->count, sizeof(double),
				      "a matrix"));
	worker->ready = true;
	return SONDE_OK;
}

static void release(struct worker *worker)
{
	data_set_free_copy(&worker->set);
	nnls_free(&worker->mixture.solution);
	free(worker->mixture.y);
	free(worker->own);
	free(worker->gram);
}

/* Begins with the candidates of the first curve, so that the result does not depend on the curve before. */
static sonde_status begin_as_first(const struct nnls_solution *first, struct nnls_solution *solution)
{
	const size_t count = (size_t)first->active_count;

	nnls_free(solution);
	CHECK(memory_allocate(&solution->active, count, sizeof *solution->active, "candidates"));
	memcpy(solution->active, first->active, count * sizeof *solution->active);
	solution->active_count = first->active_count;
	return SONDE_OK;
}

static sonde_status solve(const struct series *series, struct worker *worker, int64_t curve)
{
	struct mixture *mixture = &worker->mixture;
	const struct data_set *set = &worker->set;
	const struct nnls_solution *solution = &mixture->solution;
	struct series_weights *to = series->weights;
	double whole = 0.0;

	if (!worker->ready)
		CHECK(prepare(series, worker));
	CHECK(data_set_replace(series->paths[curve], series->options, &worker->set));
	CHECK(begin_as_first(&series->first->solution, &mixture->solution));
	memcpy(mixture->y, set->y, (size_t)mixture->rows * sizeof(double));
	/* equal weights: weighted curves and their products are those of the first curve */
	const bool same = set->weights != SONDE_MATCH_WEIGHTS_POISSON &&
			  memcmp(set->inverse_sigma, series->first->common->sets[0].inverse_sigma,
				 (size_t)mixture->rows * sizeof(double)) == 0;
	mixture->a = same ? worker->shared : worker->own;
	mixture->gram = same ? series->first->gram : worker->gram;
	mixture->gram_follows = !same;
	CHECK(same ? mixture_solve(series->options, 1, mixture)
		   : mixture_solve_weighted(series->options, 1, mixture));
	for (int64_t k = 0; k < mixture->rows; ++k)
		whole += pow(set->measured.y[k] * set->inverse_sigma[k], 2.0);
	to->chi_square[curve] = solution->square;
	to->rwp[curve] = whole > 0.0 ? sqrt(solution->square / whole) : NAN;
	for (int k = 0; k < solution->active_count; ++k) {
		const int64_t place = curve * mixture->count + solution->active[k];
		to->weights[place] = solution->x[solution->active[k]];
		to->errors[place] = sqrt(mixture->variance * solution->covariance[k * solution->active_count + k]);
	}
	return SONDE_OK;
}

static void body(void *state, int64_t first, int64_t end, int worker)
{
	struct series *series = state;

	for (int64_t curve = first; curve < end; ++curve)
		if (atomic_load(&series->failed) >= 0 || solve(series, &series->workers[worker], curve) != SONDE_OK) {
			long long none = -1;
			atomic_compare_exchange_strong(&series->failed, &none, curve);
			return;
		}
}

sonde_status series_solve(sonde_context *context, const struct mixture *mixture, const char *const *paths,
			  int64_t count, const sonde_match_options *options, struct series_weights *weights)
{
	const int threads = context_threads(context);
	struct series series = {
	    .first = mixture, .paths = paths, .options = options, .weights = weights, .failed = -1};
	struct stage stage;

	stage_begin(&stage, context, "series", "curves", (double)count);
	CHECK(memory_allocate(&series.workers, (size_t)threads, sizeof *series.workers, "a series"));
	threads_end_when(context_cancel_flag(context));
	threads_for(threads, count, 8, body, &series);
	sonde_status status = threads_completed();
	threads_end_when(NULL);
	const int64_t failed = atomic_load(&series.failed);
	/* again, for the message: those of other threads are theirs */
	if (failed >= 0)
		status = solve(&series, &series.workers[0], failed);
	if (failed >= 0 && status == SONDE_OK)
		status = memory_missing("a series");
	for (int k = 0; k < threads; ++k)
		release(&series.workers[k]);
	free(series.workers);
	return status == SONDE_OK ? stage_advance(&stage, (double)count) : status;
}
