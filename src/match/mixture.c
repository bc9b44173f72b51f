#include "match/mixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"
#include "base/threads.h"
#include "match/dot_product.h"
#include "match/scan.h"
#include "run/context.h"

#define SCALE_TOLERANCE 1e-10
#define SCALE_STEPS 300
#define POISSON_STEPS 4
#define ENTERING 200 /* candidates that join at a time */

/* Columns ----------------------------------------------------------------------------------------------------------------------- */

sonde_status mixture_begin(struct common *common, struct mixture *mixture)
{
	const size_t sets = (size_t)common->set_count;

	*mixture = (struct mixture){.common = common, .variance = 1.0};
	CHECK(memory_allocate(&mixture->begin, sets + 1, sizeof *mixture->begin, "a mixture"));
	CHECK(memory_allocate(&mixture->scales, sets, sizeof *mixture->scales, "a mixture"));
	for (size_t d = 0; d < sets; ++d) {
		mixture->scales[d] = 1.0;
		mixture->begin[d + 1] = mixture->begin[d] + common->sets[d].measured.count;
		mixture->independent += common->sets[d].independent;
	}
	mixture->rows = mixture->begin[sets];
	return memory_allocate(&mixture->y, (size_t)mixture->rows, sizeof *mixture->y, "a mixture");
}

void mixture_free(struct mixture *mixture)
{
	free(mixture->begin);
	free(mixture->scales);
	free(mixture->candidates);
	free(mixture->raw);
	free(mixture->a);
	free(mixture->y);
	free(mixture->gram);
	nnls_free(&mixture->solution);
	*mixture = (struct mixture){0};
}

/* Curves of candidates, on the points of set d; numbers that follow each other are read at once. */
static sonde_status read_set(struct mixture *mixture, int d, int first, int64_t count)
{
	struct data_set *set = &mixture->common->sets[d];
	float *rows = NULL;
	size_t capacity = 0;
	sonde_status status = SONDE_OK;

	for (int64_t k = 0, run; k < count && status == SONDE_OK; k += run) {
		const int64_t begin = common_number(mixture->common, d, mixture->candidates[first + k]);
		struct candidate_source *source = candidates_source(&set->candidates, begin);
		const int64_t most =
		    source->library.reader != NULL ? library_piece(&source->library, set->candidates.curve) : 64;
		run = 1;
		while (k + run < count && run < most && begin + run < source->first + source->count &&
		       common_number(mixture->common, d, mixture->candidates[first + k + run]) == begin + run)
			++run;
		status = memory_grow(&rows, &capacity, (size_t)(run * source->points), sizeof *rows, "candidates");
		if (status == SONDE_OK)
			status = candidates_read(source, set->candidates.curve, begin - source->first, run, rows);
		for (int64_t n = 0; status == SONDE_OK && n < run; ++n)
			data_set_resample(set, (size_t)(source - set->candidates.sources), rows + n * source->points,
					  mixture->raw + (first + k + n) * mixture->rows + mixture->begin[d]);
	}
	free(rows);
	return status;
}

sonde_status mixture_add(struct mixture *mixture, const int64_t *candidates, int64_t count)
{
	const size_t needed = (size_t)mixture->count + (size_t)count, bytes = (size_t)mixture->rows * sizeof(double);
	size_t capacity[2] = {mixture->capacity, mixture->capacity};

	CHECK(memory_grow(&mixture->candidates, &mixture->capacity, needed, sizeof(int64_t), "a mixture"));
	CHECK(memory_grow(&mixture->raw, &capacity[0], needed, bytes, "the curves of candidates"));
	CHECK(memory_grow(&mixture->a, &capacity[1], needed, bytes, "the curves of candidates"));
	for (int k = 0; k < 2; ++k)
		mixture->capacity = capacity[k] < mixture->capacity ? capacity[k] : mixture->capacity;
	memcpy(mixture->candidates + mixture->count, candidates, (size_t)count * sizeof(int64_t));
	for (int d = 0; d < mixture->common->set_count; ++d)
		CHECK(read_set(mixture, d, mixture->count, count));
	mixture->count += (int)count;
	return SONDE_OK;
}

static void weigh_body(void *state, int64_t first, int64_t end, int worker)
{
	struct mixture *mixture = state;

	(void)worker;
	for (int64_t j = first; j < end; ++j)
		for (int d = 0; d < mixture->common->set_count; ++d) {
			const int64_t begin = j * mixture->rows + mixture->begin[d],
				      points = mixture->common->sets[d].measured.count;
			double *a = mixture->a + begin;
			memcpy(a, mixture->raw + begin, (size_t)points * sizeof *a);
			data_set_project(&mixture->common->sets[d], a);
			for (int64_t k = 0; k < points; ++k)
				a[k] *= mixture->scales[d];
		}
}

static void gram_body(void *state, int64_t first, int64_t end, int worker)
{
	struct mixture *mixture = state;

	(void)worker;
	for (int64_t i = first; i < end; ++i)
		for (int64_t j = 0; j <= i; ++j) {
			const double product = dot_product(mixture->a + i * mixture->rows,
							   mixture->a + j * mixture->rows, mixture->rows);
			mixture->gram[i * mixture->count + j] = mixture->gram[j * mixture->count + i] = product;
		}
}

void mixture_weigh(struct mixture *mixture, int threads)
{
	for (int d = 0; d < mixture->common->set_count; ++d)
		memcpy(mixture->y + mixture->begin[d], mixture->common->sets[d].y,
		       (size_t)mixture->common->sets[d].measured.count * sizeof(double));
	threads_for(threads, mixture->count, threads_grain(threads, mixture->count), weigh_body, mixture);
	if (mixture->gram != NULL && mixture->gram_follows)
		threads_for(threads, mixture->count, 1, gram_body, mixture);
}

sonde_status mixture_make_gram(struct mixture *mixture, int threads)
{
	CHECK(memory_allocate(&mixture->gram, (size_t)mixture->count * (size_t)mixture->count, sizeof(double),
			      "a matrix"));
	threads_for(threads, mixture->count, 1, gram_body, mixture);
	return SONDE_OK;
}

/* Solution ---------------------------------------------------------------------------------------------------------------------- */

/* Free parameters of the backgrounds and scales. */
static int64_t count_free(const struct mixture *mixture)
{
	int64_t count = mixture->common->set_count - 1;

	for (int d = 0; d < mixture->common->set_count; ++d)
		count += mixture->common->sets[d].basis_count;
	return count;
}

static bool is_uniform(const struct mixture *mixture)
{
	for (int d = 0; d < mixture->common->set_count; ++d)
		if (mixture->common->sets[d].weights != SONDE_MATCH_WEIGHTS_UNIFORM)
			return false;
	return true;
}

static sonde_status solve_once(const int *allowed, int allowed_count, double penalty, int threads,
			       struct mixture *mixture)
{
	struct nnls_solution before = mixture->solution;
	const struct nnls_problem problem = {.columns = mixture->count,
					     .rows = mixture->rows,
					     .a = mixture->a,
					     .y = mixture->y,
					     .gram = mixture->gram,
					     .penalty = penalty,
					     .allowed = allowed,
					     .allowed_count = allowed_count,
					     .start = before.active,
					     .start_count = before.active_count,
					     .threads = threads};

	const sonde_status status = nnls_solve(&problem, &mixture->solution);
	nnls_free(&before);
	if (status == SONDE_OK) {
		mixture->degrees_of_freedom =
		    mixture->independent - mixture->solution.active_count - count_free(mixture);
		const double freedom = fmax(1.0, (double)mixture->degrees_of_freedom);
		mixture->variance = is_uniform(mixture) ? mixture->solution.square / freedom : 1.0;
	}
	return status;
}

/* The penalty as a part of the largest gradient without candidates. */
static double find_penalty(const sonde_match_options *options, const struct mixture *mixture)
{
	double largest = 0.0;

	if (options->sparsity != SONDE_MATCH_SPARSITY_L1)
		return 0.0;
	for (int j = 0; j < mixture->count; ++j) {
		const double *a = mixture->a + j * mixture->rows;
		const double norm = sqrt(dot_product(a, a, mixture->rows));
		if (norm > 0.0)
			largest = fmax(largest, dot_product(a, mixture->y, mixture->rows) / norm);
	}
	return options->penalty * largest;
}

/* Bayesian information criterion, up to a constant. */
static double criterion(const struct mixture *mixture, double square, int parameters)
{
	const double points = (double)mixture->independent, part = (double)parameters * log(points);

	return is_uniform(mixture) ? points * log(fmax(square, 1e-300)) + part : square + part;
}

/* Scales of the further sets for the present weights: *change is the largest relative one. */
static void update_scales(struct mixture *mixture, double *change)
{
	const struct nnls_solution *solution = &mixture->solution;
	double first = 1.0;

	*change = 0.0;
	for (int d = 0; d < mixture->common->set_count; ++d) {
		double square = 0.0, product = 0.0;
		for (int64_t k = mixture->begin[d]; k < mixture->begin[d + 1]; ++k) {
			double fit = 0.0;
			for (int n = 0; n < solution->active_count; ++n)
				fit += solution->x[solution->active[n]] *
				       mixture->a[solution->active[n] * mixture->rows + k];
			square += fit * fit;
			product += fit * mixture->y[k];
		}
		const double factor = square > 0.0 && product > 0.0 ? product / square : 1.0;
		first = d == 0 ? factor : first;
		/* the weights take the factor of the first set over in the next solution */
		const double next = d == 0 ? 1.0 : mixture->scales[d] * factor / first,
			     ratio = next / mixture->scales[d];
		*change = fmax(*change, fabs(ratio - 1.0));
		for (int j = 0; ratio != 1.0 && j < mixture->count; ++j)
			for (int64_t k = mixture->begin[d]; k < mixture->begin[d + 1]; ++k)
				mixture->a[j * mixture->rows + k] *= ratio;
		mixture->scales[d] = next;
	}
}

/* With the scales of several sets; `allowed` null: among all columns. */
static sonde_status solve_scaled(const int *allowed, int allowed_count, double penalty, int threads,
				 struct mixture *mixture)
{
	double change = 0.0;

	CHECK(solve_once(allowed, allowed_count, penalty, threads, mixture));
	for (int step = 0; mixture->common->set_count > 1 && step < SCALE_STEPS; ++step) {
		update_scales(mixture, &change);
		CHECK(solve_once(allowed, allowed_count, penalty, threads, mixture));
		if (!(change > SCALE_TOLERANCE))
			break;
	}
	return SONDE_OK;
}

/* Leaves out one active candidate after the other while that lowers the criterion. */
static sonde_status eliminate(double penalty, int threads, struct mixture *mixture)
{
	while (mixture->solution.active_count > 1) {
		const int count = mixture->solution.active_count, gone = nnls_least_active(&mixture->solution);
		const double before = criterion(mixture, mixture->solution.square, count);
		int *kept, *all;
		CHECK(memory_allocate(&kept, (size_t)count, sizeof *kept, "candidates"));
		sonde_status status = memory_allocate(&all, (size_t)count, sizeof *all, "candidates");
		if (status == SONDE_OK) {
			memcpy(all, mixture->solution.active, (size_t)count * sizeof *all);
			for (int k = 0, n = 0; k < count; ++k)
				if (k != gone)
					kept[n++] = all[k];
			status = solve_scaled(kept, count - 1, penalty, threads, mixture);
		}
		const bool better = status == SONDE_OK && criterion(mixture, mixture->solution.square,
								    mixture->solution.active_count) < before;
		if (status == SONDE_OK && !better)
			status = solve_scaled(all, count, penalty, threads, mixture);
		free(kept);
		free(all);
		CHECK(status);
		if (!better)
			break;
	}
	return SONDE_OK;
}

sonde_status mixture_solve(const sonde_match_options *options, int threads, struct mixture *mixture)
{
	const double penalty = find_penalty(options, mixture);

	CHECK(solve_scaled(NULL, 0, penalty, threads, mixture));
	return options->sparsity == SONDE_MATCH_SPARSITY_BIC ? eliminate(penalty, threads, mixture) : SONDE_OK;
}

sonde_status mixture_solve_allowed(const int *allowed, int count, int threads, struct mixture *mixture)
{
	return solve_scaled(allowed, count, 0.0, threads, mixture);
}

void mixture_fit(const struct mixture *mixture, int set, double *fit)
{
	const struct nnls_solution *solution = &mixture->solution;
	const int64_t points = mixture->common->sets[set].measured.count;

	memset(fit, 0, (size_t)points * sizeof *fit);
	for (int n = 0; n < solution->active_count; ++n) {
		const int j = solution->active[n];
		const double factor = solution->x[j] * mixture->scales[set],
			     *raw = mixture->raw + j * mixture->rows + mixture->begin[set];
		for (int64_t k = 0; k < points; ++k)
			fit[k] += factor * raw[k];
	}
}

/* Standard deviations of counts by the fit, until these no longer change: the weights become those of largest likelihood. */
static sonde_status weigh_counts(const sonde_match_options *options, int threads, struct mixture *mixture)
{
	const struct common *common = mixture->common;
	bool any = false;

	for (int d = 0; d < common->set_count; ++d)
		any = any || common->sets[d].weights == SONDE_MATCH_WEIGHTS_POISSON;
	for (int step = 0; any && step < POISSON_STEPS; ++step) {
		for (int d = 0; d < common->set_count; ++d) {
			struct data_set *set = &common->sets[d];
			const int64_t points = set->measured.count;
			double *fit, *background;
			if (set->weights != SONDE_MATCH_WEIGHTS_POISSON)
				continue;
			CHECK(memory_allocate(&fit, 2 * (size_t)points, sizeof *fit, "a curve"));
			background = fit + points;
			mixture_fit(mixture, d, fit);
			for (int64_t k = 0; k < points; ++k)
				fit[k] = set->measured.y[k] - fit[k];
			data_set_background(set, fit, background);
			for (int64_t k = 0; k < points; ++k)
				fit[k] = set->measured.y[k] - fit[k] + background[k];
			const sonde_status status = data_set_weigh(set, fit);
			free(fit);
			CHECK(status);
		}
		mixture_weigh(mixture, threads);
		CHECK(mixture_solve(options, threads, mixture));
	}
	return SONDE_OK;
}

/* Uniform weights of several sets: each by the residual of its own best mixture. */
sonde_status mixture_find_levels(int threads, struct mixture *mixture)
{
	struct common *common = mixture->common;

	for (int d = 0; common->set_count > 1 && d < common->set_count; ++d) {
		struct data_set *set = &common->sets[d];
		const int64_t points = set->measured.count;
		struct nnls_solution solution;
		double *a;
		if (set->weights != SONDE_MATCH_WEIGHTS_UNIFORM)
			continue;
		CHECK(memory_allocate(&a, (size_t)(mixture->count * points), sizeof *a, "the curves of candidates"));
		for (int j = 0; j < mixture->count; ++j)
			memcpy(a + j * points, mixture->a + j * mixture->rows + mixture->begin[d],
			       (size_t)points * sizeof *a);
		const struct nnls_problem problem = {
		    .columns = mixture->count, .rows = points, .a = a, .y = set->y, .threads = threads};
		sonde_status status = nnls_solve(&problem, &solution);
		free(a);
		if (status == SONDE_OK) {
			const double freedom =
			    fmax(1.0, (double)(set->independent - solution.active_count - set->basis_count));
			set->level = fmax(set->level * sqrt(solution.square / freedom), 1e-300);
		}
		nnls_free(&solution);
		CHECK(status);
		CHECK(data_set_weigh(set, NULL));
	}
	if (common->set_count > 1)
		mixture_weigh(mixture, threads);
	return SONDE_OK;
}

sonde_status mixture_solve_weighted(const sonde_match_options *options, int threads, struct mixture *mixture)
{
	mixture_weigh(mixture, threads);
	CHECK(mixture_solve(options, threads, mixture));
	return weigh_counts(options, threads, mixture);
}

/* Further candidates ------------------------------------------------------------------------------------------------------------- */

struct entering {
	double gain; /* of chi^2, in units of the variance */
	int64_t candidate;
};

static int compare_gains(const void *a, const void *b)
{
	const struct entering *p = a, *q = b;

	return p->gain != q->gain ? (p->gain < q->gain) - (p->gain > q->gain)
				  : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

/* Weights of curves at unit length, added. */
static double sum_weights(const struct mixture *mixture)
{
	const struct nnls_solution *solution = &mixture->solution;
	double sum = 0.0;

	for (int k = 0; k < solution->active_count; ++k)
		sum += solution->x[solution->active[k]] * solution->norms[k];
	return sum;
}

/* Bounds of the reduction of chi^2 by candidates with the residual r: with weights z of curves a at unit length, chi^2 is convex, and thus more
 * than its minimum at z' by at most 2 sum (a . r) z' <= 2 max(a . r) sum z', where the sum is taken to be that of z. Products and squares of
 * the sets are added. */
static sonde_status find_gains(sonde_context *context, struct mixture *mixture, double *gains)
{
	struct common *common = mixture->common;
	double *squares = NULL, *products = NULL, *all = NULL;
	int64_t most = 0;

	for (int d = 0; d < common->set_count; ++d)
		most = common->sets[d].candidates.count > most ? common->sets[d].candidates.count : most;
	sonde_status status = memory_allocate(&squares, (size_t)most, sizeof *squares, "a scan");
	if (status == SONDE_OK)
		status = memory_allocate(&products, (size_t)most, sizeof *products, "a scan");
	if (status == SONDE_OK)
		status = memory_allocate(&all, 2 * (size_t)common->count, sizeof *all, "a scan");
	for (int d = 0; status == SONDE_OK && d < common->set_count; ++d) {
		const double scale = mixture->scales[d];
		status = scan_candidates(context, "candidates that could join", &common->sets[d],
					 mixture->solution.residual + mixture->begin[d], squares, products);
		for (int64_t j = 0; status == SONDE_OK && j < common->count; ++j) {
			const int64_t number = common_number(common, d, j);
			all[2 * j] += scale * products[number];
			all[2 * j + 1] += scale * scale * squares[number];
		}
	}
	const double sum = sum_weights(mixture);
	for (int64_t j = 0; status == SONDE_OK && j < common->count; ++j) {
		const double gradient =
		    all[2 * j] > 0.0 && all[2 * j + 1] > 0.0 ? all[2 * j] / sqrt(all[2 * j + 1]) : 0.0;
		gains[j] = (2.0 * gradient * sum + (sum == 0.0) * gradient * gradient) / mixture->variance;
	}
	free(squares);
	free(products);
	free(all);
	return status;
}

/* Adds the candidates with the largest gains; *added is their number. */
static sonde_status enter(sonde_context *context, struct mixture *mixture, int64_t *added)
{
	const int64_t count = mixture->common->count;
	struct entering *list = NULL;
	double *gains = NULL;
	int64_t chosen[ENTERING], found = 0;

	*added = 0;
	CHECK(memory_allocate(&gains, (size_t)count, sizeof *gains, "a scan"));
	sonde_status status = memory_allocate(&list, (size_t)count, sizeof *list, "a scan");
	if (status == SONDE_OK)
		status = find_gains(context, mixture, gains);
	for (int k = 0; status == SONDE_OK && k < mixture->count; ++k)
		gains[mixture->candidates[k]] = 0.0;
	mixture->improvement = 0.0;
	for (int64_t j = 0; status == SONDE_OK && j < count; ++j) {
		mixture->improvement = fmax(mixture->improvement, gains[j]);
		if (gains[j] > MATCH_IMPROVEMENT)
			list[found++] = (struct entering){gains[j], j};
	}
	if (status == SONDE_OK) {
		qsort(list, (size_t)found, sizeof *list, compare_gains);
		for (; *added < found && *added < ENTERING; ++*added)
			chosen[*added] = list[*added].candidate;
	}
	free(list);
	free(gains);
	CHECK(status);
	return *added > 0 ? mixture_add(mixture, chosen, *added) : SONDE_OK;
}

static sonde_status find(sonde_context *context, struct common *common, const sonde_match_options *options,
			 const int64_t *first, int64_t count, struct mixture *mixture)
{
	const int threads = context_threads(context);
	int64_t added;

	CHECK(mixture_begin(common, mixture));
	const double bytes = 2.0 * sizeof(double) * (double)count * (double)mixture->rows;
	if (bytes > (double)context_host_memory(context))
		return status_fail_option(
		    SONDE_RESOURCE, "most",
		    "the curves of %lld candidates at %lld points take %.3g GB, more than there is memory",
		    (long long)count, (long long)mixture->rows, bytes * 1e-9);
	CHECK(mixture_add(mixture, first, count));
	mixture_weigh(mixture, threads);
	CHECK(mixture_find_levels(threads, mixture));
	CHECK(mixture_solve_weighted(options, threads, mixture));
	while (mixture->count < common->count && mixture->passes < options->passes &&
	       options->sparsity != SONDE_MATCH_SPARSITY_L1) {
		++mixture->passes;
		CHECK(enter(context, mixture, &added));
		if (added == 0)
			break;
		CHECK(mixture_solve_weighted(options, threads, mixture));
	}
	return SONDE_OK;
}

sonde_status mixture_find(sonde_context *context, struct common *common, const sonde_match_options *options,
			  const int64_t *first, int64_t count, struct mixture *mixture)
{
	const sonde_status status = find(context, common, options, first, count, mixture);
	if (status != SONDE_OK)
		mixture_free(mixture);
	return status;
}

/* Of several sets, the scales are parameters, too: the derivatives by them are columns. */
sonde_status mixture_errors(const struct mixture *mixture, double *errors)
{
	const struct nnls_solution *solution = &mixture->solution;
	const int active = solution->active_count, sets = mixture->common->set_count, columns = active + sets - 1;
	double *a = NULL, *x = NULL;

	if (active == 0)
		return SONDE_OK;
	for (int k = 0; k < active; ++k)
		errors[k] = sqrt(mixture->variance * solution->covariance[k * active + k]);
	if (sets == 1 || mixture->rows < columns)
		return SONDE_OK;
	CHECK(memory_allocate(&a, (size_t)(columns * mixture->rows), sizeof *a, "a covariance"));
	sonde_status status = memory_allocate(&x, 2 * (size_t)columns, sizeof *x, "a covariance");
	for (int k = 0; status == SONDE_OK && k < active; ++k) {
		const double *from = mixture->a + solution->active[k] * mixture->rows;
		memcpy(a + k * mixture->rows, from, (size_t)mixture->rows * sizeof *a);
		for (int d = 1; d < sets; ++d)
			for (int64_t i = mixture->begin[d]; i < mixture->begin[d + 1]; ++i)
				a[(active + d - 1) * mixture->rows + i] +=
				    solution->x[solution->active[k]] * from[i] / mixture->scales[d];
	}
	if (status == SONDE_OK &&
	    dense_real_least_squares((int)mixture->rows, columns, a, solution->residual, x, x + columns) != DENSE_OK)
		status = memory_missing("a covariance");
	for (int k = 0; status == SONDE_OK && k < active; ++k)
		errors[k] = sqrt(mixture->variance * x[columns + k]);
	free(a);
	free(x);
	return status;
}
