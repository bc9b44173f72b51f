#include "match/bootstrap.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "match/synthetic_curves.h"
#include "run/context.h"

struct bootstrap {
	const struct mixture *mixture;
	const int *allowed; /* null: all */
	struct synthetic_curves curves;
	double *weights; /* [active][curve] */
	int64_t count;
	atomic_int failed;
};

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
		synthetic_curve(&bootstrap->curves, curve, y);
		if (nnls_solve(&problem, &solution) != SONDE_OK)
			atomic_store(&bootstrap->failed, 1);
		else
			for (int k = 0; k < found->active_count; ++k)
				bootstrap->weights[k * bootstrap->count + curve] = solution.x[found->active[k]];
		nnls_free(&solution);
	}
	free(y);
}

sonde_status bootstrap_intervals(sonde_context *context, const struct mixture *mixture,
				 const sonde_match_options *options, double *low, double *high)
{
	const struct nnls_solution *solution = &mixture->solution;
	struct bootstrap bootstrap = {.mixture = mixture,
				      .allowed =
					  options->sparsity != SONDE_MATCH_SPARSITY_NONE ? solution->active : NULL,
				      .count = options->bootstrap};

	sonde_status status = synthetic_curves_begin(mixture, options->seed, &bootstrap.curves);
	if (status == SONDE_OK)
		status =
		    memory_allocate(&bootstrap.weights, (size_t)solution->active_count * (size_t)options->bootstrap,
				    sizeof(double), "weights");
	if (status == SONDE_OK) {
		threads_end_when(context_cancel_flag(context));
		threads_for(context_threads(context), bootstrap.count, 1, body, &bootstrap);
		status = threads_completed();
		threads_end_when(NULL);
	}
	if (status == SONDE_OK && atomic_load(&bootstrap.failed) != 0)
		status = memory_missing("synthetic curves");
	for (int k = 0; status == SONDE_OK && k < solution->active_count; ++k)
		synthetic_interval(bootstrap.weights + k * bootstrap.count, bootstrap.count, &low[k], &high[k]);
	synthetic_curves_free(&bootstrap.curves);
	free(bootstrap.weights);
	return status;
}
