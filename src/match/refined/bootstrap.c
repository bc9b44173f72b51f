#include "match/refined/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/curve_loop.h"
#include "match/synthetic_curves.h"
#include "run/context.h"

/* The fit that synthetic curves are made of, and from which their fits start. */
struct origin {
	sonde_context *context;
	const struct refinement *refinement;
	const struct mixture *mixture;
	const int *chosen; /* [mixture->count] */
	const struct refined_parameter *parameters;
	int parameter_count;
	struct synthetic_curves curves;
};

/* Fits a synthetic curve; `fit` is freed by the caller, also after a failure. */
static sonde_status fit_synthetic(const struct origin *origin, int64_t curve, struct refined_worker *worker,
				  struct refined_fit *fit)
{
	const struct refinement *refinement = origin->refinement;
	const struct mixture *mixture = origin->mixture;
	double *y;

	*fit = (struct refined_fit){0};
	CHECK(memory_allocate(&y, (size_t)mixture->rows, sizeof *y, "a curve"));
	synthetic_curve(&origin->curves, curve, y);
	for (int d = 0; d < worker->common.set_count; ++d) {
		const struct data_set *set = &worker->common.sets[d];
		memcpy(set->y, y + mixture->begin[d], (size_t)set->measured.count * sizeof *y);
	}
	free(y);
	CHECK(refined_fit_begin(origin->context, &worker->items, &refinement->options, refinement->choice,
				origin->chosen, mixture->count, fit));
	fit->threads = 1;
	fit->started = true;
	refined_fit_take(fit, origin->parameters, origin->parameter_count);
	return refined_fit_find(fit);
}

/* The interval of the values that are numbers; NaN without any. */
static void find_interval(double *values, int64_t count, double *low, double *high)
{
	int64_t kept = 0;

	for (int64_t k = 0; k < count; ++k)
		if (!isnan(values[k]))
			values[kept++] = values[k];
	*low = *high = NAN;
	if (kept > 0)
		synthetic_interval(values, kept, low, high);
}

static double value_or_nan(const struct refined_fit *fit, const struct refined_parameter *parameter)
{
	return refined_fit_matters(fit, parameter) ? refined_value(parameter) : NAN;
}

/* One fit -------------------------------------------------------------------------------------------------------------------- */

struct bootstrap {
	struct origin origin;
	struct refined_worker *workers;
	int64_t count;
	double *weights;    /* [active][curve] */
	double *parameters; /* [parameter][curve]; NaN: no weight */
};

static sonde_status solve(void *state, int64_t curve, int number)
{
	struct bootstrap *bootstrap = state;
	struct refined_worker *worker = &bootstrap->workers[number];
	const struct nnls_solution *found = &bootstrap->origin.mixture->solution;
	struct refined_fit fit;

	if (!worker->ready)
		CHECK(refined_worker_begin(&bootstrap->origin.refinement->items, worker));
	const sonde_status status = fit_synthetic(&bootstrap->origin, curve, worker, &fit);
	for (int k = 0; status == SONDE_OK && k < found->active_count; ++k)
		bootstrap->weights[k * bootstrap->count + curve] = fit.mixture.solution.x[found->active[k]];
	for (int p = 0; status == SONDE_OK && p < fit.parameter_count; ++p)
		bootstrap->parameters[p * bootstrap->count + curve] = value_or_nan(&fit, &fit.parameters[p]);
	refined_fit_end(&fit);
	return status;
}

static sonde_status solve_all(struct bootstrap *bootstrap)
{
	const int threads = context_threads(bootstrap->origin.context);

	CHECK(memory_allocate(&bootstrap->workers, (size_t)threads, sizeof *bootstrap->workers, "synthetic curves"));
	const sonde_status status = curve_loop(bootstrap->origin.context, "synthetic curves", bootstrap->count, 1,
					       solve, bootstrap, "synthetic curves");
	for (int k = 0; k < threads; ++k)
		refined_worker_end(&bootstrap->workers[k]);
	free(bootstrap->workers);
	return status;
}

sonde_status refined_bootstrap(sonde_context *context, struct refinement *refinement, const struct mixture *mixture,
			       double *low, double *high)
{
	const int active = mixture->solution.active_count, parameters = refinement->values.parameter_count;
	struct bootstrap bootstrap = {.origin = {.context = context,
						 .refinement = refinement,
						 .mixture = mixture,
						 .chosen = refinement->chosen,
						 .parameters = refinement->found,
						 .parameter_count = parameters},
				      .count = refinement->given->bootstrap};
	const size_t count = (size_t)bootstrap.count;

	sonde_status status = synthetic_curves_begin(mixture, refinement->given->seed, 0, &bootstrap.origin.curves);
	if (status == SONDE_OK)
		status = memory_allocate(&bootstrap.weights, (size_t)active * count, sizeof(double), "weights");
	if (status == SONDE_OK)
		status =
		    memory_allocate(&bootstrap.parameters, (size_t)parameters * count, sizeof(double), "parameters");
	if (status == SONDE_OK)
		status = solve_all(&bootstrap);
	for (int k = 0; status == SONDE_OK && k < active; ++k)
		find_interval(bootstrap.weights + k * bootstrap.count, bootstrap.count, &low[k], &high[k]);
	for (int p = 0; status == SONDE_OK && p < parameters; ++p)
		find_interval(bootstrap.parameters + p * bootstrap.count, bootstrap.count,
			      &refinement->values.parameters[p].interval[0],
			      &refinement->values.parameters[p].interval[1]);
	synthetic_curves_free(&bootstrap.origin.curves);
	free(bootstrap.weights);
	free(bootstrap.parameters);
	return status;
}

/* A row of a series ---------------------------------------------------------------------------------------------------------- */

/* `weights` [item][curve] and `values` [parameter][curve] of a synthetic curve. */
static void take(const struct refinement *refinement, const struct refined_fit *fit, int64_t curve, int64_t count,
		 double *weights, double *values)
{
	const struct nnls_solution *solution = &fit->mixture.solution;

	for (int k = 0; k < solution->active_count; ++k)
		weights[fit->chosen[solution->active[k]] * count + curve] = solution->x[solution->active[k]];
	for (int p = 0; p < refinement->all_count; ++p) {
		values[p * count + curve] = NAN;
		for (int q = 0; q < fit->parameter_count; ++q)
			if (refined_parameter_is(&refinement->all[p], &fit->parameters[q]))
				values[p * count + curve] = value_or_nan(fit, &fit->parameters[q]);
	}
}

static sonde_status fit_row(const struct origin *origin, struct refined_worker *worker, int64_t count,
			    double *weights, double *values)
{
	for (int64_t curve = 0; curve < count; ++curve) {
		struct refined_fit fit;
		const sonde_status status = fit_synthetic(origin, curve, worker, &fit);
		if (status == SONDE_OK)
			take(origin->refinement, &fit, curve, count, weights, values);
		refined_fit_end(&fit);
		CHECK(status);
	}
	return SONDE_OK;
}

sonde_status refined_bootstrap_row(sonde_context *context, const struct refinement *refinement,
				   const struct refined_fit *fit, struct refined_worker *worker, int64_t row,
				   const struct refined_intervals *intervals)
{
	const int items = refinement->items.count, parameters = refinement->all_count;
	const int64_t count = refinement->given->bootstrap;
	struct origin origin = {.context = context,
				.refinement = refinement,
				.mixture = &fit->mixture,
				.chosen = fit->chosen,
				.parameters = fit->parameters,
				.parameter_count = fit->parameter_count};
	double *numbers = NULL;

	sonde_status status = synthetic_curves_begin(&fit->mixture, refinement->given->seed, row, &origin.curves);
	if (status == SONDE_OK)
		status = memory_allocate(&numbers, (size_t)(items + parameters) * (size_t)count, sizeof *numbers,
					 "synthetic curves");
	double *values = status == SONDE_OK ? numbers + items * count : NULL;
	if (status == SONDE_OK)
		status = fit_row(&origin, worker, count, numbers, values);
	for (int k = 0; status == SONDE_OK && k < items; ++k)
		find_interval(numbers + k * count, count, &intervals->low[k], &intervals->high[k]);
	for (int p = 0; status == SONDE_OK && p < parameters; ++p)
		find_interval(values + p * count, count, &intervals->value_low[p], &intervals->value_high[p]);
	synthetic_curves_free(&origin.curves);
	free(numbers);
	return status;
}
