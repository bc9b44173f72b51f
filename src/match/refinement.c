#include "match/refinement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/least_squares.h"
#include "base/memory.h"
#include "match/refined_fit.h"
#include "run/context.h"

#define USUAL_STEPS 20.0 /* for the progress */

struct work {
	sonde_context *context;
	struct common *common;
	sonde_match_options options; /* without sparsity */
	const sonde_match_options *given;
	const struct refine_choice *choice;
	const struct ranked *ranking;
	struct refinement *refinement;
	struct stage stage;
};

void refinement_free(struct refinement *refinement)
{
	refined_items_free(&refinement->items);
	free(refinement->chosen);
	free(refinement->parameters);
	free(refinement->weight_errors);
	free(refinement->correlations);
	free(refinement->alone);
	*refinement = (struct refinement){0};
}

/* Candidates ------------------------------------------------------------------------------------------------------------------ */

static bool is_item(const struct refined_items *items, int64_t candidate)
{
	for (int k = 0; k < items->count; ++k)
		if (items->items[k].candidate == candidate)
			return true;
	return false;
}

static sonde_status add_candidate(struct work *work, const bool *member_of, int families, int64_t candidate)
{
	struct refined_items *items = &work->refinement->items;

	if (items->count - families >= work->given->refined || member_of[candidate] || is_item(items, candidate))
		return SONDE_OK;
	return refined_items_add(items, candidate);
}

struct weighed {
	double weight;
	int64_t candidate;
};

static int compare_weighed(const void *a, const void *b)
{
	const struct weighed *p = a, *q = b;

	return p->weight != q->weight ? (p->weight < q->weight) - (p->weight > q->weight)
				      : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

/* Single candidates in their order, some of which have strains. */
static sonde_status add_single(struct work *work, const struct ranked *ranking, const bool *member_of, int families,
			       int64_t most)
{
	for (int64_t k = 0; k < work->common->count && k < most; ++k)
		CHECK(add_candidate(work, member_of, families, ranking[k].candidate));
	return SONDE_OK;
}

static sonde_status rank_strained(struct work *work, struct ranked **strained)
{
	double strains[REFINED_MOST_STRAINS];
	const int count = refined_fit_strains(work->given->strain_limit, strains);

	return ranking_make_strained(work->context, work->common, strains, count, strained);
}

/* All families; the best single candidates, half of those that are wanted; those of the mixture, the largest parts of the curves first; and
 * further single ones. */
static sonde_status choose_items(struct work *work, const struct mixture *mixture)
{
	const struct nnls_solution *solution = &mixture->solution;
	const int active = solution->active_count;
	struct refined_items *items = &work->refinement->items;
	const int64_t wanted = work->given->refined;
	struct ranked *strained = NULL;
	struct weighed *order;
	bool *member_of;

	CHECK(refined_items_begin(work->common, items));
	CHECK(memory_allocate(&member_of, (size_t)work->common->count, sizeof *member_of, "candidates"));
	sonde_status status = memory_allocate(&order, (size_t)active, sizeof *order, "candidates");
	if (status == SONDE_OK)
		status = refined_items_add_families(work->given->sizes, items, member_of);
	const int families = items->count;
	for (int k = 0; status == SONDE_OK && k < active; ++k)
		order[k] = (struct weighed){solution->x[solution->active[k]] * solution->norms[k],
					    mixture->candidates[solution->active[k]]};
	if (status == SONDE_OK)
		qsort(order, (size_t)active, sizeof *order, compare_weighed);
	if (status == SONDE_OK && work->choice->strain)
		status = rank_strained(work, &strained);
	const struct ranked *ranking = strained != NULL ? strained : work->ranking;
	if (status == SONDE_OK)
		status = add_single(work, ranking, member_of, families, (wanted + 1) / 2);
	for (int k = 0; status == SONDE_OK && k < active; ++k)
		status = add_candidate(work, member_of, families, order[k].candidate);
	if (status == SONDE_OK)
		status = add_single(work, ranking, member_of, families, 2 * wanted);
	free(strained);
	free(member_of);
	free(order);
	return status;
}

/* Alone ----------------------------------------------------------------------------------------------------------------------- */

static int compare_alone(const void *a, const void *b)
{
	const struct refined_alone *p = a, *q = b;

	return p->chi_square != q->chi_square ? (p->chi_square > q->chi_square) - (p->chi_square < q->chi_square)
					      : (p->item > q->item) - (p->item < q->item);
}

static double reported(const struct refined_parameter *parameter)
{
	const bool squared = parameter->kind == REFINED_QDAMP || parameter->kind == REFINED_QBROAD;

	return squared ? sqrt(parameter->value) : parameter->value;
}

static sonde_status fit_alone(struct work *work, int item, struct refined_alone *alone)
{
	struct refined_fit fit;

	*alone = (struct refined_alone){.item = item};
	for (int k = 0; k < REFINED_KINDS; ++k)
		alone->values[k] = NAN;
	sonde_status status =
	    refined_fit_begin(work->context, &work->refinement->items, &work->options, work->choice, &item, 1, &fit);
	if (status == SONDE_OK)
		status = refined_fit_find(&fit);
	if (status == SONDE_OK) {
		alone->chi_square = fit.mixture.solution.square;
		alone->scale = fit.mixture.solution.x[0];
		for (int p = 0; p < fit.parameter_count; ++p)
			if (fit.parameters[p].set <= 0)
				alone->values[fit.parameters[p].kind] = reported(&fit.parameters[p]);
	}
	refined_fit_end(&fit);
	return status;
}

static sonde_status fit_all_alone(struct work *work)
{
	struct refinement *refinement = work->refinement;
	const int count = refinement->items.count;

	CHECK(memory_allocate(&refinement->alone, (size_t)count, sizeof *refinement->alone, "a ranking"));
	for (int k = 0; k < count; ++k) {
		CHECK(fit_alone(work, k, &refinement->alone[k]));
		++refinement->alone_count;
		CHECK(stage_advance(&work->stage, (double)k + 1.0));
	}
	qsort(refinement->alone, (size_t)count, sizeof *refinement->alone, compare_alone);
	return SONDE_OK;
}

/* Together ------------------------------------------------------------------------------------------------------------------ */

/* Without some of the items of another fit, from its parameters. */
static sonde_status fit_fewer(struct work *work, const struct refined_fit *before, const int *chosen, int count,
			      struct refined_fit *fit)
{
	CHECK(refined_fit_begin(work->context, &work->refinement->items, &work->options, work->choice, chosen, count,
				fit));
	fit->weighs = fit->started = true;
	for (int p = 0; p < fit->parameter_count; ++p)
		for (int q = 0; q < before->parameter_count; ++q) {
			const struct refined_parameter *from = &before->parameters[q];
			if (from->kind == fit->parameters[p].kind && from->item == fit->parameters[p].item &&
			    from->set == fit->parameters[p].set)
				fit->parameters[p].value = from->value;
		}
	return refined_fit_find(fit);
}

/* Values of the items alone as a possible start of all together. */
static void start_as_alone(const struct refinement *refinement, struct refined_fit *fit)
{
	for (int p = 0; p < fit->parameter_count; ++p)
		for (int k = 0; k < refinement->alone_count; ++k)
			if (refinement->alone[k].item == fit->parameters[p].item)
				fit->parameters[p].value = refinement->alone[k].values[fit->parameters[p].kind];
}

static bool is_uniform(const struct common *common)
{
	for (int d = 0; d < common->set_count; ++d)
		if (common->sets[d].weights != SONDE_MATCH_WEIGHTS_UNIFORM)
			return false;
	return true;
}

static int count_free(const struct refined_fit *fit)
{
	int count = 0;

	for (int p = 0; p < fit->parameter_count; ++p)
		count += fit->parameters[p].free;
	return count;
}

/* Parameters of the candidates with a weight, those at bounds, too. */
static int count_used(const struct refined_fit *fit)
{
	int count = 0;

	for (int p = 0; p < fit->parameter_count; ++p)
		count += refined_fit_matters(fit, &fit->parameters[p]);
	return count;
}

/* Bayesian information criterion, up to a constant. */
static double criterion(const struct refined_fit *fit)
{
	const double points = (double)fit->mixture.rows, square = fit->mixture.solution.square,
		     part = (double)(fit->mixture.solution.active_count + count_used(fit)) * log(points);

	return is_uniform(fit->items->common) ? points * log(fmax(square, 1e-300)) + part : square + part;
}

/* The items with a weight, without the `left_out`-th of these; their number. */
static int keep_active(const struct refined_fit *fit, int left_out, int *kept)
{
	const struct nnls_solution *solution = &fit->mixture.solution;
	int count = 0;

	for (int k = 0; k < solution->active_count; ++k)
		if (k != left_out)
			kept[count++] = fit->chosen[solution->active[k]];
	return count;
}

/* Leaves out one candidate after the other while that lowers the criterion. `chosen` and `other` are lists for as many as there are. */
static sonde_status eliminate(struct work *work, struct refined_fit *fit, int **chosen, int **other)
{
	while (work->given->sparsity == SONDE_MATCH_SPARSITY_BIC && fit->mixture.solution.active_count > 1) {
		struct refined_fit next = {0};
		const int count = keep_active(fit, nnls_least_active(&fit->mixture.solution), *other);
		const sonde_status status = fit_fewer(work, fit, *other, count, &next);
		if (status != SONDE_OK || !(criterion(&next) < criterion(fit))) {
			refined_fit_end(&next);
			/* standard deviations of counts are again those of this fit */
			fit->started = true;
			return status == SONDE_OK ? refined_fit_find(fit) : status;
		}
		refined_fit_end(fit);
		*fit = next;
		int *swap = *chosen;
		*chosen = *other;
		*other = swap;
	}
	return SONDE_OK;
}

/* Errors ------------------------------------------------------------------------------------------------------------------------ */

/* Columns of the parameters, the active weights, and the scales of further sets. */
static sonde_status fill_columns(struct refined_fit *fit, double *columns)
{
	const struct mixture *mixture = &fit->mixture;
	const struct nnls_solution *solution = &mixture->solution;
	const int64_t rows = mixture->rows;

	for (int p = 0; p < fit->parameter_count; ++p)
		CHECK(refined_fit_derivative(fit, p, columns + p * rows));
	double *weights = columns + fit->parameter_count * rows, *scales = weights + solution->active_count * rows;
	for (int k = 0; k < solution->active_count; ++k)
		memcpy(weights + k * rows, mixture->a + solution->active[k] * rows, (size_t)rows * sizeof *weights);
	for (int d = 1; d < mixture->common->set_count; ++d)
		for (int64_t i = mixture->begin[d]; i < mixture->begin[d + 1]; ++i)
			scales[(d - 1) * rows + i] = (mixture->y[i] - solution->residual[i]) / mixture->scales[d];
	return SONDE_OK;
}

static void take_errors(struct refinement *refinement, const struct refined_fit *fit, const double *covariance,
			int stride)
{
	const int parameters = fit->parameter_count, active = fit->mixture.solution.active_count,
		  size = parameters + active;

	for (int i = 0; i < size; ++i)
		for (int j = 0; j < size; ++j) {
			const double product = covariance[i * stride + i] * covariance[j * stride + j];
			refinement->correlations[i * size + j] =
			    product > 0.0 && isfinite(product) ? covariance[i * stride + j] / sqrt(product) : 0.0;
		}
	for (int p = 0; p < parameters; ++p) {
		struct refined_parameter *parameter = &refinement->parameters[p];
		const double error = sqrt(fit->mixture.variance * covariance[p * stride + p]);
		const bool squared = parameter->kind == REFINED_QDAMP || parameter->kind == REFINED_QBROAD;
		/* d sqrt(v) = dv/(2 sqrt(v)) */
		parameter->error = squared && parameter->value > 0.0 ? error / (2.0 * sqrt(parameter->value)) : error;
		parameter->value = reported(parameter);
		parameter->low = squared ? sqrt(parameter->low) : parameter->low;
		parameter->high = squared ? sqrt(parameter->high) : parameter->high;
	}
	for (int k = 0; k < active; ++k)
		refinement->weight_errors[k] =
		    sqrt(fit->mixture.variance * covariance[(parameters + k) * (stride + 1)]);
}

static sonde_status find_errors(struct refinement *refinement, struct refined_fit *fit)
{
	const int active = fit->mixture.solution.active_count, size = fit->parameter_count + active,
		  count = size + fit->items->common->set_count - 1;
	const size_t all = (size_t)count;
	double *columns = NULL, *covariance = NULL;
	bool *use = NULL;

	CHECK(memory_allocate(&refinement->parameters, (size_t)fit->parameter_count, sizeof *refinement->parameters,
			      "parameters"));
	memcpy(refinement->parameters, fit->parameters,
	       (size_t)fit->parameter_count * sizeof *refinement->parameters);
	refinement->parameter_count = fit->parameter_count;
	CHECK(memory_allocate(&refinement->weight_errors, (size_t)active, sizeof(double), "errors"));
	CHECK(
	    memory_allocate(&refinement->correlations, (size_t)size * (size_t)size, sizeof(double), "correlations"));
	sonde_status status =
	    memory_allocate(&columns, all * (size_t)fit->mixture.rows, sizeof *columns, "a covariance");
	if (status == SONDE_OK)
		status = memory_allocate(&covariance, all * all, sizeof *covariance, "a covariance");
	if (status == SONDE_OK)
		status = memory_allocate(&use, all, sizeof *use, "a covariance");
	if (status == SONDE_OK)
		status = fill_columns(fit, columns);
	for (int k = 0; status == SONDE_OK && k < count; ++k)
		use[k] = k >= fit->parameter_count || fit->parameters[k].free;
	if (status == SONDE_OK)
		status = least_squares_covariance(columns, count, fit->mixture.rows, use, covariance);
	if (status == SONDE_OK)
		take_errors(refinement, fit, covariance, count);
	free(columns);
	free(covariance);
	free(use);
	return status;
}

/* The whole ------------------------------------------------------------------------------------------------------------------- */

static sonde_status check_room(const struct refined_fit *fit)
{
	const int64_t parameters = fit->parameter_count + fit->count;

	return parameters < fit->mixture.rows
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "refine",
					"the fit has %lld parameters and %lld points: it needs more points",
					(long long)parameters, (long long)fit->mixture.rows);
}

static sonde_status refine_together(struct work *work, struct refined_fit *fit)
{
	const size_t count = (size_t)work->refinement->items.count;
	int *lists, *chosen, *other;

	CHECK(memory_allocate(&lists, 2 * count, sizeof *lists, "candidates"));
	chosen = lists;
	other = lists + count;
	for (int k = 0; k < work->refinement->items.count; ++k)
		chosen[k] = k;
	sonde_status status = refined_fit_begin(work->context, &work->refinement->items, &work->options, work->choice,
						chosen, (int)count, fit);
	if (status == SONDE_OK)
		status = check_room(fit);
	start_as_alone(work->refinement, fit);
	fit->weighs = true;
	fit->stage = &work->stage;
	fit->steps = (int)count;
	if (status == SONDE_OK)
		status = refined_fit_find(fit);
	if (status == SONDE_OK)
		status = eliminate(work, fit, &chosen, &other);
	if (status == SONDE_OK)
		status = memory_allocate(&work->refinement->chosen, count, sizeof(int), "candidates");
	if (status == SONDE_OK)
		memcpy(work->refinement->chosen, chosen, (size_t)fit->count * sizeof(int));
	fit->chosen = work->refinement->chosen;
	free(lists);
	return status;
}

/* Takes the mixture of the fit over. */
static void replace_mixture(struct refined_fit *fit, struct mixture *mixture)
{
	const int parameters = count_free(fit);

	fit->mixture.degrees_of_freedom -= parameters;
	if (is_uniform(fit->items->common))
		fit->mixture.variance =
		    fit->mixture.solution.square / fmax(1.0, (double)fit->mixture.degrees_of_freedom);
	fit->mixture.passes = mixture->passes;
	fit->mixture.improvement = mixture->improvement;
}

static sonde_status refine(struct work *work, struct mixture *mixture)
{
	struct refinement *refinement = work->refinement;
	struct refined_fit fit = {0};

	/* the factors of G are those of the parameters */
	for (int d = 0; work->choice->qdamp && d < work->common->set_count; ++d) {
		free(work->common->sets[d].factors);
		work->common->sets[d].factors = NULL;
	}
	CHECK(choose_items(work, mixture));
	stage_begin(&work->stage, work->context, "refinement", "steps",
		    (double)work->refinement->items.count + USUAL_STEPS);
	CHECK(fit_all_alone(work));
	sonde_status status = refine_together(work, &fit);
	if (status == SONDE_OK) {
		replace_mixture(&fit, mixture);
		status = find_errors(refinement, &fit);
	}
	if (status == SONDE_OK) {
		refinement->steps = fit.steps - refinement->items.count;
		refinement->converged = fit.converged;
		mixture_free(mixture);
		*mixture = fit.mixture;
		fit.mixture = (struct mixture){0};
	}
	refined_fit_end(&fit);
	return status;
}

sonde_status refinement_make(sonde_context *context, struct common *common, const sonde_match_options *options,
			     const struct refine_choice *choice, const struct ranked *ranking,
			     struct mixture *mixture, struct refinement *refinement)
{
	struct work work = {.context = context,
			    .common = common,
			    .options = *options,
			    .given = options,
			    .choice = choice,
			    .ranking = ranking,
			    .refinement = refinement};

	*refinement = (struct refinement){0};
	work.options.sparsity = SONDE_MATCH_SPARSITY_NONE;
	return refine(&work, mixture);
}
