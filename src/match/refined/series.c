#include "match/refined/series.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "match/curve_loop.h"
#include "match/refined/best.h"
#include "match/refined/bootstrap.h"
#include "match/refined/worker.h"
#include "run/context.h"

struct series {
	sonde_context *context;
	const struct refinement *refinement;
	const struct series_files *files;
	struct refined_worker *workers;
	struct refined_series_values *values;
};

/* The row's square, and R. */
static void judge(const struct refined_fit *fit, int64_t row, const struct series_weights *to)
{
	const double square = fit->mixture.solution.square, whole = series_whole(fit->mixture.common);

	to->chi_square[row] = square;
	to->rwp[row] = whole > 0.0 ? sqrt(square / whole) : NAN;
}

static void take_parameters(const struct series *series, const struct refined_fit *fit,
			    const struct refined_values *found, int64_t row)
{
	const struct refinement *refinement = series->refinement;

	for (int p = 0; p < refinement->all_count; ++p) {
		const int64_t place = row * refinement->all_count + p;
		series->values->parameters[place] = series->values->errors[place] = NAN;
		for (int q = 0; q < found->parameter_count; ++q)
			if (refined_parameter_is(&refinement->all[p], &found->parameters[q]) &&
			    refined_fit_matters(fit, &found->parameters[q])) {
				series->values->parameters[place] = found->parameters[q].value;
				series->values->errors[place] = found->parameters[q].error;
			}
	}
}

static sonde_status take(const struct series *series, struct refined_fit *fit, int64_t row)
{
	const struct series_weights *to = &series->values->weights;
	const struct nnls_solution *solution = &fit->mixture.solution;
	struct refined_values found;

	const sonde_status status = refined_values_find(fit, &found);
	if (status == SONDE_OK) {
		for (int k = 0; k < solution->active_count; ++k) {
			const int64_t place =
			    row * series->refinement->items.count + fit->chosen[solution->active[k]];
			to->weights[place] = solution->x[solution->active[k]];
			to->errors[place] = found.weight_errors[k];
		}
		take_parameters(series, fit, &found, row);
	}
	refined_values_free(&found);
	return status;
}

/* Intervals of the row, if they are wanted. */
static sonde_status take_intervals(const struct series *series, const struct refined_fit *fit,
				   struct refined_worker *worker, int64_t row)
{
	const struct refinement *refinement = series->refinement;
	const struct refined_series_values *values = series->values;
	const int64_t item = row * refinement->items.count, parameter = row * refinement->all_count;

	if (values->weights.low == NULL)
		return SONDE_OK;
	const struct refined_intervals intervals = {values->weights.low + item, values->weights.high + item,
						    values->low + parameter, values->high + parameter};
	return refined_bootstrap_row(series->context, refinement, fit, worker, row, &intervals);
}

/* `lists` has the numbers of all items, and room for 2 * items more. */
static sonde_status fit_row(const struct series *series, struct refined_worker *worker, int *lists, int64_t row)
{
	const struct refinement *refinement = series->refinement;
	const int count = refinement->items.count;
	struct refined_fit fit;

	for (int k = 0; k < count; ++k)
		lists[k] = k;
	sonde_status status = refined_fit_begin(series->context, &worker->items, &refinement->options,
						refinement->choice, lists, count, &fit);
	fit.threads = 1;
	fit.weighs = fit.levels = true;
	if (status == SONDE_OK) {
		refined_fit_take(&fit, refinement->all, refinement->all_count);
		status = refined_fit_find(&fit);
	}
	if (status == SONDE_OK && refinement->given->sparsity == SONDE_MATCH_SPARSITY_BIC)
		status = refined_best_eliminate(&fit, lists + count);
	if (status == SONDE_OK)
		status = take(series, &fit, row);
	if (status == SONDE_OK) {
		judge(&fit, row, &series->values->weights);
		status = take_intervals(series, &fit, worker, row);
	}
	refined_fit_end(&fit);
	return status;
}

static sonde_status solve(void *state, int64_t row, int number)
{
	const struct series *series = state;
	const struct refinement *refinement = series->refinement;
	struct refined_worker *worker = &series->workers[number];
	int *lists;

	if (!worker->ready)
		CHECK(refined_worker_begin(&refinement->items, worker));
	CHECK(series_files_replace(series->files, row, refinement->given, refinement->items.common->sets,
				   worker->common.sets));
	CHECK(memory_allocate(&lists, 3 * (size_t)refinement->items.count, sizeof *lists, "candidates"));
	const sonde_status status = fit_row(series, worker, lists, row);
	free(lists);
	return status;
}

sonde_status refined_series_solve(sonde_context *context, const struct refinement *refinement,
				  const struct series_files *files, struct refined_series_values *values)
{
	const int threads = context_threads(context);
	struct series series = {.context = context, .refinement = refinement, .files = files, .values = values};

	CHECK(memory_allocate(&series.workers, (size_t)threads, sizeof *series.workers, "a series"));
	const sonde_status status = curve_loop(context, "series", files->rows, 1, solve, &series, "a series");
	for (int k = 0; k < threads; ++k)
		refined_worker_end(&series.workers[k]);
	free(series.workers);
	return status;
}
