#include "match/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/bootstrap.h"
#include "match/curve_loop.h"
#include "run/context.h"

#define GRAIN 8 /* rows that a thread takes at a time */

struct series {
	const struct mixture *first;
	const struct series_files *files;
	const sonde_match_options *options;
	bool fixed; /* all rows have equal weights: one set, uniform */
	struct mixture_worker *workers;
	struct series_weights *weights;
};

double series_whole(const struct common *common)
{
	double whole = 0.0;

	for (int d = 0; d < common->set_count; ++d)
		for (int64_t k = 0; k < common->sets[d].measured.count; ++k)
			whole += pow(common->sets[d].measured.y[k] * common->sets[d].inverse_sigma[k], 2.0);
	return whole;
}

/* One set with the weights of the first row: weighted curves and their products are those of that row, too. */
static bool is_like_first(const struct series *series, const struct mixture_worker *worker)
{
	const struct data_set *set = &worker->common.sets[0], *first = &series->first->common->sets[0];

	return worker->common.set_count == 1 && set->weights != SONDE_MATCH_WEIGHTS_POISSON &&
	       memcmp(set->inverse_sigma, first->inverse_sigma, (size_t)set->measured.count * sizeof(double)) == 0;
}

static sonde_status find_mixture(const struct series *series, struct mixture_worker *worker)
{
	struct mixture *mixture = &worker->mixture;
	const struct mixture *first = series->first;

	if (is_like_first(series, worker)) {
		mixture->a = first->a;
		mixture->gram = first->gram;
		memcpy(mixture->y, worker->common.sets[0].y, (size_t)mixture->rows * sizeof(double));
		return mixture_solve(series->options, 1, mixture);
	}
	mixture->a = worker->a;
	mixture->gram = worker->gram;
	memcpy(mixture->scales, first->scales, (size_t)worker->common.set_count * sizeof(double));
	if (worker->common.set_count > 1) {
		mixture_weigh(mixture, 1);
		CHECK(mixture_find_levels(1, mixture));
	}
	return mixture_solve_weighted(series->options, 1, mixture);
}

static sonde_status take(const struct series *series, const struct mixture *mixture, int64_t row)
{
	const struct nnls_solution *solution = &mixture->solution;
	const struct series_weights *to = series->weights;
	const double whole = series_whole(mixture->common);
	double *errors;

	CHECK(memory_allocate(&errors, (size_t)solution->active_count, sizeof *errors, "errors"));
	const sonde_status status = mixture_errors(mixture, errors);
	for (int k = 0; status == SONDE_OK && k < solution->active_count; ++k) {
		const int64_t place = row * mixture->count + solution->active[k];
		to->weights[place] = solution->x[solution->active[k]];
		to->errors[place] = errors[k];
	}
	free(errors);
	to->chi_square[row] = solution->square;
	to->rwp[row] = whole > 0.0 ? sqrt(solution->square / whole) : NAN;
	return status;
}

static sonde_status solve(void *state, int64_t row, int number)
{
	struct series *series = state;
	struct mixture_worker *worker = &series->workers[number];
	const struct mixture *first = series->first;
	const int64_t begin = row * first->count;

	if (!worker->ready)
		CHECK(mixture_worker_begin(first, !series->fixed, worker));
	CHECK(series_files_replace(series->files, row, series->options, first->common->sets, worker->common.sets));
	CHECK(mixture_worker_start(first->solution.active, first->solution.active_count, worker));
	CHECK(find_mixture(series, worker));
	CHECK(take(series, &worker->mixture, row));
	return series->weights->low == NULL
		   ? SONDE_OK
		   : bootstrap_row(worker, series->options, row, series->weights->low + begin,
				   series->weights->high + begin);
}

sonde_status series_solve(sonde_context *context, const struct mixture *mixture, const struct series_files *files,
			  const sonde_match_options *options, struct series_weights *weights)
{
	const int threads = context_threads(context);
	const struct common *common = mixture->common;
	struct series series = {.first = mixture,
				.files = files,
				.options = options,
				.fixed =
				    common->set_count == 1 && common->sets[0].weights == SONDE_MATCH_WEIGHTS_UNIFORM,
				.weights = weights};

	CHECK(memory_allocate(&series.workers, (size_t)threads, sizeof *series.workers, "a series"));
	const sonde_status status =
	    curve_loop(context, "series", files->rows, weights->low == NULL ? GRAIN : 1, solve, &series, "a series");
	for (int k = 0; k < threads; ++k)
		mixture_worker_end(&series.workers[k]);
	free(series.workers);
	return status;
}
