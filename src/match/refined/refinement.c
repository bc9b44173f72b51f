#include "match/refined/refinement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/refined/best.h"
#include "match/refined/fit.h"
#include "match/refined/wanted.h"
#include "run/context.h"

#define USUAL_STEPS 20.0 /* for the progress */

struct work {
	sonde_context *context;
	struct refinement *refinement;
	struct stage stage;
};

void refinement_free(struct refinement *refinement)
{
	refined_items_free(&refinement->items);
	free(refinement->all);
	free(refinement->lists);
	free(refinement->found);
	refined_values_free(&refinement->values);
	free(refinement->alone);
	*refinement = (struct refinement){0};
}

/* Alone ----------------------------------------------------------------------------------------------------------------------- */

static int compare_alone(const void *a, const void *b)
{
	const struct refined_alone *p = a, *q = b;

	return p->chi_square != q->chi_square ? (p->chi_square > q->chi_square) - (p->chi_square < q->chi_square)
					      : (p->item > q->item) - (p->item < q->item);
}

static sonde_status fit_alone(struct work *work, int item, struct refined_alone *alone)
{
	struct refinement *refinement = work->refinement;
	struct refined_fit fit;

	*alone = (struct refined_alone){.item = item};
	for (int k = 0; k < REFINED_KINDS; ++k)
		alone->values[k] = NAN;
	sonde_status status = refined_fit_begin(work->context, &refinement->items, &refinement->options,
						refinement->choice, &item, 1, &fit);
	if (status == SONDE_OK)
		status = refined_fit_find(&fit);
	if (status == SONDE_OK) {
		alone->chi_square = fit.mixture.solution.square;
		alone->scale = fit.mixture.solution.x[0];
		for (int p = 0; p < fit.parameter_count; ++p)
			if (fit.parameters[p].set <= 0)
				alone->values[fit.parameters[p].kind] = refined_value(&fit.parameters[p]);
	}
	refined_fit_end(&fit);
	return status;
}

static sonde_status fit_all_alone(struct work *work)
{
	struct refinement *refinement = work->refinement;
	const int count = refinement->items.count;

	refinement->alone_whole = series_whole(refinement->items.common);
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

/* Values of the items alone as a possible start of all together. */
static void start_as_alone(const struct refinement *refinement, struct refined_fit *fit)
{
	for (int p = 0; p < fit->parameter_count; ++p)
		for (int k = 0; k < refinement->alone_count; ++k)
			if (refinement->alone[k].item == fit->parameters[p].item)
				fit->parameters[p].value = refinement->alone[k].values[fit->parameters[p].kind];
}

static sonde_status check_room(const struct refined_fit *fit)
{
	const int64_t parameters = fit->parameter_count + fit->count;

	return parameters < fit->mixture.independent
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "refine",
					"the fit has %lld parameters and %lld %spoints: it needs more points",
					(long long)parameters, (long long)fit->mixture.independent,
					fit->mixture.independent < fit->mixture.rows ? "independent " : "");
}

static sonde_status copy_parameters(const struct refined_fit *fit, struct refined_parameter **to)
{
	CHECK(memory_allocate(to, (size_t)fit->parameter_count, sizeof **to, "parameters"));
	memcpy(*to, fit->parameters, (size_t)fit->parameter_count * sizeof **to);
	return SONDE_OK;
}

/* `all` has the numbers of all items, and has to live as long as the fit. */
static sonde_status refine_together(struct work *work, const int *all, struct refined_fit *fit)
{
	struct refinement *refinement = work->refinement;
	const int count = refinement->items.count;

	CHECK(refined_fit_begin(work->context, &refinement->items, &refinement->options, refinement->choice, all,
				count, fit));
	CHECK(check_room(fit));
	start_as_alone(refinement, fit);
	fit->weighs = fit->levels = true;
	fit->stage = &work->stage;
	fit->steps = count;
	CHECK(refined_fit_find(fit));
	CHECK(copy_parameters(fit, &refinement->all));
	refinement->all_count = fit->parameter_count;
	memcpy(refinement->lists, all, (size_t)count * sizeof *all);
	fit->chosen = refinement->lists;
	if (refinement->given->sparsity == SONDE_MATCH_SPARSITY_BIC)
		CHECK(refined_best_eliminate(fit, refinement->lists));
	refinement->chosen = fit->chosen;
	CHECK(copy_parameters(fit, &refinement->found));
	CHECK(refined_values_find(fit, &refinement->values));
	refinement->steps = fit->steps - count;
	refinement->converged = fit->converged;
	return SONDE_OK;
}

/* The mixture becomes that of the fit. */
static void replace_mixture(struct refined_fit *fit, struct mixture *mixture)
{
	fit->mixture.passes = mixture->passes;
	fit->mixture.improvement = mixture->improvement;
	mixture_free(mixture);
	*mixture = fit->mixture;
	fit->mixture = (struct mixture){0};
}

static sonde_status refine(struct work *work, struct mixture *mixture)
{
	struct refinement *refinement = work->refinement;
	const int count = refinement->items.count;
	struct refined_fit fit = {0};
	int *all;

	stage_begin(&work->stage, work->context, "refinement", "steps", (double)count + USUAL_STEPS);
	CHECK(fit_all_alone(work));
	CHECK(memory_allocate(&refinement->lists, 2 * (size_t)count, sizeof(int), "candidates"));
	CHECK(memory_allocate(&all, (size_t)count, sizeof *all, "candidates"));
	for (int k = 0; k < count; ++k)
		all[k] = k;
	const sonde_status status = refine_together(work, all, &fit);
	if (status == SONDE_OK)
		replace_mixture(&fit, mixture);
	refined_fit_end(&fit);
	free(all);
	return status;
}

sonde_status refinement_make(sonde_context *context, struct common *common, const sonde_match_options *options,
			     const struct refinement_request *request, struct mixture *mixture,
			     struct refinement *refinement)
{
	struct work work = {.context = context, .refinement = refinement};

	*refinement = (struct refinement){.choice = request->choice, .given = options, .options = *options};
	refinement->options.sparsity = SONDE_MATCH_SPARSITY_NONE;
	/* the factors of G are those of the parameters */
	for (int d = 0; request->choice->qdamp && d < common->set_count; ++d) {
		free(common->sets[d].factors);
		common->sets[d].factors = NULL;
	}
	const struct wanted_request wanted = {.context = context,
					      .common = common,
					      .options = options,
					      .choice = request->choice,
					      .ranking = request->ranking,
					      .mixture = mixture,
					      .files = request->files};
	CHECK(refined_items_begin(common, &refinement->items));
	CHECK(refined_wanted(&wanted, &refinement->items));
	return refine(&work, mixture);
}
