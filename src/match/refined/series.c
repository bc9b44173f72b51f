#include "match/refined/series.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "match/refined/best.h"
#include "match/refined/worker.h"
#include "run/context.h"

#define PIECE 8 /* curves for each thread between two messages on the progress */

struct series {
	sonde_context *context;
	const struct refinement *refinement;
	const char *const *paths;
	struct refined_worker *workers;
	struct refined_series_values *values;
	int64_t begin;       /* of the present piece */
	atomic_llong failed; /* a curve that failed; -1: none */
};

/* The curve's square, and R. */
static void judge(const struct data_set *set, const struct refined_fit *fit, int64_t curve,
		  const struct series_weights *to)
{
	const double square = fit->mixture.solution.square;
	double whole = 0.0;

	for (int64_t k = 0; k < set->measured.count; ++k)
		whole += pow(set->measured.y[k] * set->inverse_sigma[k], 2.0);
	to->chi_square[curve] = square;
	to->rwp[curve] = whole > 0.0 ? sqrt(square / whole) : NAN;
}

static void take_parameters(const struct series *series, const struct refined_fit *fit,
			    const struct refined_values *found, int64_t curve)
{
	const struct refinement *refinement = series->refinement;

	for (int p = 0; p < refinement->all_count; ++p) {
		const int64_t place = curve * refinement->all_count + p;
		series->values->parameters[place] = series->values->errors[place] = NAN;
		for (int q = 0; q < found->parameter_count; ++q)
			if (refined_parameter_is(&refinement->all[p], &found->parameters[q]) &&
			    refined_fit_matters(fit, &found->parameters[q])) {
				series->values->parameters[place] = found->parameters[q].value;
				series->values->errors[place] = found->parameters[q].error;
			}
	}
}

static sonde_status take(const struct series *series, struct refined_fit *fit, int64_t curve)
{
	const struct series_weights *to = &series->values->weights;
	const struct nnls_solution *solution = &fit->mixture.solution;
	struct refined_values found;

	const sonde_status status = refined_values_find(fit, &found);
	if (status == SONDE_OK) {
		for (int k = 0; k < solution->active_count; ++k) {
			const int64_t place =
			    curve * series->refinement->items.count + fit->chosen[solution->active[k]];
			to->weights[place] = solution->x[solution->active[k]];
			to->errors[place] = found.weight_errors[k];
		}
		take_parameters(series, fit, &found, curve);
	}
	refined_values_free(&found);
	return status;
}

/* `lists` has the numbers of all items, and room for 2 * items more. */
static sonde_status fit_curve(const struct series *series, struct refined_worker *worker, int *lists, int64_t curve)
{
	const struct refinement *refinement = series->refinement;
	const int count = refinement->items.count;
	struct refined_fit fit;

	for (int k = 0; k < count; ++k)
		lists[k] = k;
	sonde_status status = refined_fit_begin(series->context, &worker->items, &refinement->options,
						refinement->choice, lists, count, &fit);
	fit.threads = 1;
	fit.weighs = true;
	if (status == SONDE_OK) {
		refined_fit_take(&fit, refinement->all, refinement->all_count);
		status = refined_fit_find(&fit);
	}
	if (status == SONDE_OK && refinement->given->sparsity == SONDE_MATCH_SPARSITY_BIC)
		status = refined_best_eliminate(&fit, lists + count);
	if (status == SONDE_OK)
		status = take(series, &fit, curve);
	if (status == SONDE_OK)
		judge(&worker->sets[0], &fit, curve, &series->values->weights);
	refined_fit_end(&fit);
	return status;
}

static sonde_status solve(const struct series *series, struct refined_worker *worker, int64_t curve)
{
	const struct refinement *refinement = series->refinement;
	int *lists;

	if (!worker->ready)
		CHECK(refined_worker_begin(&refinement->items, worker));
	CHECK(data_set_replace(series->paths[curve], refinement->given, &worker->sets[0]));
	CHECK(memory_allocate(&lists, 3 * (size_t)refinement->items.count, sizeof *lists, "candidates"));
	const sonde_status status = fit_curve(series, worker, lists, curve);
	free(lists);
	return status;
}

static void body(void *state, int64_t first, int64_t end, int worker)
{
	struct series *series = state;

	for (int64_t curve = series->begin + first; curve < series->begin + end; ++curve)
		if (atomic_load(&series->failed) >= 0 || solve(series, &series->workers[worker], curve) != SONDE_OK) {
			long long none = -1;
			atomic_compare_exchange_strong(&series->failed, &none, curve);
			return;
		}
}

static sonde_status solve_all(struct series *series, int threads, int64_t count)
{
	const int64_t piece = PIECE * threads;
	struct stage stage;
	sonde_status status = SONDE_OK;

	stage_begin(&stage, series->context, "series", "curves", (double)count);
	threads_end_when(context_cancel_flag(series->context));
	for (; series->begin < count && status == SONDE_OK && atomic_load(&series->failed) < 0;
	     series->begin += piece) {
		const int64_t left = count - series->begin;
		threads_for(threads, left < piece ? left : piece, 1, body, series);
		status = threads_completed();
		if (status == SONDE_OK && atomic_load(&series->failed) < 0)
			status = stage_advance(&stage, (double)(left < piece ? count : series->begin + piece));
	}
	threads_end_when(NULL);
	const int64_t failed = atomic_load(&series->failed);
	/* again, for the message: those of other threads are theirs */
	if (failed >= 0)
		status = solve(series, &series->workers[0], failed);
	return failed >= 0 && status == SONDE_OK ? memory_missing("a series") : status;
}

sonde_status refined_series_solve(sonde_context *context, const struct refinement *refinement,
				  const char *const *paths, int64_t count, struct refined_series_values *values)
{
	const int threads = context_threads(context);
	struct series series = {
	    .context = context, .refinement = refinement, .paths = paths, .values = values, .failed = -1};

	CHECK(memory_allocate(&series.workers, (size_t)threads, sizeof *series.workers, "a series"));
	const sonde_status status = solve_all(&series, threads, count);
	for (int k = 0; k < threads; ++k)
		refined_worker_end(&series.workers[k]);
	free(series.workers);
	return status;
}
