#include "match/refined/wanted.h"

#include <stdlib.h>

#include "base/memory.h"
#include "match/refined/fit.h"
#include "run/context.h"

/* Candidates in the order in which they are wanted. */
struct list {
	int64_t *candidates;
	int64_t count, most;
};

static void add(struct list *list, const bool *member_of, int64_t candidate)
{
	for (int64_t k = 0; k < list->count; ++k)
		if (list->candidates[k] == candidate)
			return;
	if (list->count < list->most && !member_of[candidate])
		list->candidates[list->count++] = candidate;
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

/* Candidates of a mixture, the largest parts of the curve first. */
static sonde_status add_mixture(const struct mixture *mixture, const bool *member_of, struct list *list)
{
	const struct nnls_solution *solution = &mixture->solution;
	const int active = solution->active_count;
	struct weighed *order;

	CHECK(memory_allocate(&order, (size_t)active, sizeof *order, "candidates"));
	for (int k = 0; k < active; ++k)
		order[k] = (struct weighed){solution->x[solution->active[k]] * solution->norms[k],
					    mixture->candidates[solution->active[k]]};
	qsort(order, (size_t)active, sizeof *order, compare_weighed);
	for (int k = 0; k < active; ++k)
		add(list, member_of, order[k].candidate);
	free(order);
	return SONDE_OK;
}

/* The list of a curve; single candidates may be strained. */
static sonde_status fill_list(const struct wanted_request *request, struct common *common,
			      const struct ranked *ranking, const struct mixture *mixture, const bool *member_of,
			      struct list *list)
{
	double strains[REFINED_MOST_STRAINS];
	struct ranked *strained = NULL;

	if (request->choice->strain) {
		const int count = refined_fit_strains(request->options->strain_limit, strains);
		CHECK(ranking_make_strained(request->context, common, strains, count, &strained));
		ranking = strained;
	}
	for (int64_t k = 0; k < common->count && k < (list->most + 1) / 2; ++k)
		add(list, member_of, ranking[k].candidate);
	const sonde_status status = add_mixture(mixture, member_of, list);
	for (int64_t k = 0; k < common->count && k < 2 * list->most; ++k)
		add(list, member_of, ranking[k].candidate);
	free(strained);
	return status;
}

/* The list of another row of the series, whose mixture is found among all candidates. */
static sonde_status list_row(const struct wanted_request *request, int64_t row, const bool *member_of,
			     struct list *list)
{
	const struct common *first = request->common;
	struct common common;
	struct mixture mixture = {0};
	struct ranked *ranking = NULL;

	sonde_status status = common_copy(first, &common);
	if (status == SONDE_OK)
		status = series_files_replace(request->files, row, request->options, first->sets, common.sets);
	if (status == SONDE_OK)
		status = ranking_make(request->context, &common, &ranking);
	if (status == SONDE_OK)
		status = mixture_find(request->context, &common, request->options, request->mixture->candidates,
				      request->mixture->count, &mixture);
	if (status == SONDE_OK)
		status = fill_list(request, &common, ranking, &mixture, member_of, list);
	mixture_free(&mixture);
	free(ranking);
	common_free_copy(&common);
	return status;
}

static sonde_status list_curves(const struct wanted_request *request, const bool *member_of, struct list *lists,
				int count)
{
	for (int k = 0; k < count; ++k) {
		struct list *list = &lists[k];
		CHECK(memory_allocate(&list->candidates, (size_t)request->options->refined, sizeof(int64_t),
				      "candidates"));
		list->most = request->options->refined;
		CHECK(k == 0
			  ? fill_list(request, request->common, request->ranking, request->mixture, member_of, list)
			  : list_row(request, k * (request->files->rows - 1) / (count - 1), member_of, list));
	}
	return SONDE_OK;
}

/* The first of all lists, then the second ones, and so on. */
static sonde_status take_lists(const struct list *lists, int count, int64_t most, struct refined_items *items)
{
	const int families = items->count;

	for (int64_t n = 0; n < most; ++n)
		for (int k = 0; k < count; ++k) {
			bool there = n >= lists[k].count || items->count - families >= most;
			for (int item = families; !there && item < items->count; ++item)
				there = items->items[item].candidate == lists[k].candidates[n];
			if (!there)
				CHECK(refined_items_add(items, lists[k].candidates[n]));
		}
	return SONDE_OK;
}

sonde_status refined_wanted(const struct wanted_request *request, struct refined_items *items)
{
	const int count = request->files->rows < WANTED_CURVES ? (int)request->files->rows : WANTED_CURVES;
	struct list lists[WANTED_CURVES] = {{0}};
	bool *member_of;

	CHECK(memory_allocate(&member_of, (size_t)request->common->count, sizeof *member_of, "candidates"));
	sonde_status status = refined_items_add_families(request->options->sizes, items, member_of);
	if (status == SONDE_OK)
		status = list_curves(request, member_of, lists, count);
	if (status == SONDE_OK)
		status = take_lists(lists, count, request->options->refined, items);
	for (int k = 0; k < count; ++k)
		free(lists[k].candidates);
	free(member_of);
	return status;
}
