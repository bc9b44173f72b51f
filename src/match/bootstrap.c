#include "match/bootstrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/curve_loop.h"
#include "match/synthetic_curves.h"
#include "run/context.h"

/* The fit that synthetic curves are made of, and from which their fits start. */
struct origin {
	struct synthetic_curves curves;
	int *active, active_count;
	bool only_active; /* others have no weight in the synthetic curves, either */
	double *scales;   /* [set] */
};

static sonde_status begin(const struct mixture *mixture, const sonde_match_options *options, int64_t row,
			  struct origin *origin)
{
	const struct nnls_solution *solution = &mixture->solution;
	const size_t count = (size_t)solution->active_count, sets = (size_t)mixture->common->set_count;

	*origin = (struct origin){.active_count = solution->active_count,
				  .only_active = options->sparsity != SONDE_MATCH_SPARSITY_NONE};
	CHECK(synthetic_curves_begin(mixture, options->seed, row, &origin->curves));
	CHECK(memory_allocate(&origin->active, count, sizeof *origin->active, "candidates"));
	memcpy(origin->active, solution->active, count * sizeof *origin->active);
	CHECK(memory_allocate(&origin->scales, sets, sizeof(double), "scales"));
	memcpy(origin->scales, mixture->scales, sets * sizeof(double));
	return SONDE_OK;
}

static void end(struct origin *origin)
{
	synthetic_curves_free(&origin->curves);
	free(origin->active);
	free(origin->scales);
}

/* The solution of a worker becomes that of a synthetic curve. */
static sonde_status solve_synthetic(const struct origin *origin, int64_t number, struct mixture_worker *worker)
{
	struct mixture *mixture = &worker->mixture;

	if (mixture->common->set_count > 1) {
		memcpy(mixture->scales, origin->scales, (size_t)mixture->common->set_count * sizeof(double));
		mixture_weigh(mixture, 1);
	}
	synthetic_curve(&origin->curves, number, mixture->y);
	CHECK(mixture_worker_start(origin->active, origin->active_count, worker));
	return origin->only_active ? mixture_solve_allowed(origin->active, origin->active_count, 1, mixture)
				   : mixture_solve_allowed(NULL, 0, 1, mixture);
}

/* One fit -------------------------------------------------------------------------------------------------------------------- */

struct bootstrap {
	const struct mixture *mixture;
	struct origin origin;
	struct mixture_worker *workers;
	double *weights; /* [active][curve] */
	int64_t count;
};

static sonde_status solve(void *state, int64_t curve, int number)
{
	struct bootstrap *bootstrap = state;
	struct mixture_worker *worker = &bootstrap->workers[number];
	const struct origin *origin = &bootstrap->origin;

	if (!worker->ready)
		CHECK(mixture_worker_begin(bootstrap->mixture, bootstrap->mixture->common->set_count > 1, worker));
	CHECK(solve_synthetic(origin, curve, worker));
	for (int k = 0; k < origin->active_count; ++k)
		bootstrap->weights[k * bootstrap->count + curve] = worker->mixture.solution.x[origin->active[k]];
	return SONDE_OK;
}

sonde_status bootstrap_intervals(sonde_context *context, const struct mixture *mixture,
				 const sonde_match_options *options, double *low, double *high)
{
	const int active = mixture->solution.active_count, threads = context_threads(context);
	struct bootstrap bootstrap = {.mixture = mixture, .count = options->bootstrap};

	sonde_status status = begin(mixture, options, 0, &bootstrap.origin);
	if (status == SONDE_OK)
		status = memory_allocate(&bootstrap.weights, (size_t)active * (size_t)options->bootstrap,
					 sizeof(double), "weights");
	if (status == SONDE_OK)
		status = memory_allocate(&bootstrap.workers, (size_t)threads, sizeof *bootstrap.workers,
					 "synthetic curves");
	if (status == SONDE_OK)
		status = curve_loop(context, "synthetic curves", bootstrap.count, 1, solve, &bootstrap,
				    "synthetic curves");
	for (int k = 0; status == SONDE_OK && k < active; ++k)
		synthetic_interval(bootstrap.weights + k * bootstrap.count, bootstrap.count, &low[k], &high[k]);
	for (int k = 0; bootstrap.workers != NULL && k < threads; ++k)
		mixture_worker_end(&bootstrap.workers[k]);
	free(bootstrap.workers);
	free(bootstrap.weights);
	end(&bootstrap.origin);
	return status;
}

/* A row of a series ---------------------------------------------------------------------------------------------------------- */

/* Weights of the candidates that have one in some synthetic curve; those of others are 0. */
struct table {
	int64_t count; /* curves */
	int *places;   /* [candidate]: its row of the weights, from 1; 0: none */
	int rows;
	size_t capacity;
	double *weights; /* [row][curve] */
};

static sonde_status take(const struct nnls_solution *solution, int64_t curve, struct table *table)
{
	for (int k = 0; k < solution->active_count; ++k) {
		const int candidate = solution->active[k];
		if (table->places[candidate] == 0) {
			CHECK(memory_grow(&table->weights, &table->capacity, (size_t)table->rows + 1,
					  (size_t)table->count * sizeof(double), "weights"));
			memset(table->weights + table->rows * table->count, 0, (size_t)table->count * sizeof(double));
			table->places[candidate] = ++table->rows;
		}
		table->weights[(table->places[candidate] - 1) * table->count + curve] = solution->x[candidate];
	}
	return SONDE_OK;
}

sonde_status bootstrap_row(struct mixture_worker *worker, const sonde_match_options *options, int64_t row,
			   double *low, double *high)
{
	const struct mixture *mixture = &worker->mixture;
	struct table table = {.count = options->bootstrap};
	struct origin origin;

	sonde_status status = begin(mixture, options, row, &origin);
	if (status == SONDE_OK)
		status = memory_allocate(&table.places, (size_t)mixture->count, sizeof *table.places, "weights");
	for (int64_t curve = 0; status == SONDE_OK && curve < table.count; ++curve) {
		status = solve_synthetic(&origin, curve, worker);
		if (status == SONDE_OK)
			status = take(&mixture->solution, curve, &table);
	}
	for (int k = 0; status == SONDE_OK && k < mixture->count; ++k) {
		low[k] = high[k] = 0.0;
		if (table.places[k] > 0)
			synthetic_interval(table.weights + (table.places[k] - 1) * table.count, table.count, &low[k],
					   &high[k]);
	}
	free(table.places);
	free(table.weights);
	end(&origin);
	return status;
}
