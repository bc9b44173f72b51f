#include "match/refined/bootstrap.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "match/refined/worker.h"
#include "match/synthetic_curves.h"
#include "run/context.h"

struct bootstrap {
	sonde_context *context;
	const struct refinement *refinement;
	const struct mixture *mixture;
	struct synthetic_curves curves;
	struct refined_worker *workers;
	int64_t count;
	double *weights;     /* [active][curve] */
	double *parameters;  /* [parameter][curve]; NaN: no weight */
	atomic_llong failed; /* a curve that failed; -1: none */
};

static void take(const struct bootstrap *bootstrap, const struct refined_fit *fit, int64_t curve)
{
	const struct nnls_solution *found = &bootstrap->mixture->solution;

	for (int k = 0; k < found->active_count; ++k)
		bootstrap->weights[k * bootstrap->count + curve] = fit->mixture.solution.x[found->active[k]];
	for (int p = 0; p < fit->parameter_count; ++p) {
		const struct refined_parameter *parameter = &fit->parameters[p];
		bootstrap->parameters[p * bootstrap->count + curve] =
		    refined_fit_matters(fit, parameter) ? refined_value(parameter) : NAN;
	}
}

static sonde_status solve(const struct bootstrap *bootstrap, struct refined_worker *worker, int64_t curve)
{
	const struct refinement *refinement = bootstrap->refinement;
	const struct mixture *mixture = bootstrap->mixture;
	struct refined_fit fit;
	double *y;

	if (!worker->ready)
		CHECK(refined_worker_begin(&refinement->items, worker));
	CHECK(memory_allocate(&y, (size_t)mixture->rows, sizeof *y, "a curve"));
	synthetic_curve(&bootstrap->curves, curve, y);
	for (int d = 0; d < worker->common.set_count; ++d)
		memcpy(worker->sets[d].y, y + mixture->begin[d], (size_t)worker->sets[d].measured.count * sizeof *y);
	free(y);
	sonde_status status = refined_fit_begin(bootstrap->context, &worker->items, &refinement->options,
						refinement->choice, refinement->chosen, mixture->count, &fit);
	fit.threads = 1;
	fit.started = true;
	if (status == SONDE_OK) {
		refined_fit_take(&fit, refinement->found, refinement->values.parameter_count);
		status = refined_fit_find(&fit);
	}
	if (status == SONDE_OK)
		take(bootstrap, &fit, curve);
	refined_fit_end(&fit);
	return status;
}

static void body(void *state, int64_t first, int64_t end, int worker)
{
	struct bootstrap *bootstrap = state;

	for (int64_t curve = first; curve < end; ++curve)
		if (atomic_load(&bootstrap->failed) >= 0 ||
		    solve(bootstrap, &bootstrap->workers[worker], curve) != SONDE_OK) {
			long long none = -1;
			atomic_compare_exchange_strong(&bootstrap->failed, &none, curve);
			return;
		}
}

static sonde_status solve_all(struct bootstrap *bootstrap)
{
	const int threads = context_threads(bootstrap->context);

	CHECK(memory_allocate(&bootstrap->workers, (size_t)threads, sizeof *bootstrap->workers, "synthetic curves"));
	threads_end_when(context_cancel_flag(bootstrap->context));
	threads_for(threads, bootstrap->count, 1, body, bootstrap);
	sonde_status status = threads_completed();
	threads_end_when(NULL);
	const int64_t failed = atomic_load(&bootstrap->failed);
	/* again, for the message: those of other threads are theirs */
	if (failed >= 0)
		status = solve(bootstrap, &bootstrap->workers[0], failed);
	if (failed >= 0 && status == SONDE_OK)
		status = memory_missing("synthetic curves");
	for (int k = 0; k < threads; ++k)
		refined_worker_end(&bootstrap->workers[k]);
	free(bootstrap->workers);
	return status;
}

/* The interval of the values that are numbers. */
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

sonde_status refined_bootstrap(sonde_context *context, struct refinement *refinement, const struct mixture *mixture,
			       double *low, double *high)
{
	const int active = mixture->solution.active_count, parameters = refinement->values.parameter_count;
	struct bootstrap bootstrap = {.context = context,
				      .refinement = refinement,
				      .mixture = mixture,
				      .count = refinement->given->bootstrap,
				      .failed = -1};
	const size_t count = (size_t)bootstrap.count;

	sonde_status status = synthetic_curves_begin(mixture, refinement->given->seed, &bootstrap.curves);
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
	synthetic_curves_free(&bootstrap.curves);
	free(bootstrap.weights);
	free(bootstrap.parameters);
	return status;
}
