#include "fdtd/media/answer_lists.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/media_part.h"
#include "parallel/parallel.h"

#define WHAT "surfaces of metals"
#define NODES_OF_PART 1024
#define PLANES_OF_PART 4

/* Answers ---------------------------------------------------------------------------------- */

/* The answers of some nodes, with kinds of their own: how many there are of each, the number of the kind among all,
 * and the place of the next one. */
struct part {
	struct answers answers;
	size_t *places;
	uint16_t *kinds;
	size_t first;    /* number of answers before it */
	char apart[128]; /* from the part of another thread, which would else share a line of the cache */
};

struct making {
	const struct fdtd_grid *grid;
	const struct media *media;
	const struct edge_sites *edges;
	const struct answer_node *nodes;
	size_t count, part_count;
	struct part *parts;
	struct answers *answers;
	size_t kind_capacity;
	atomic_bool failed; /* memory is lacking */
};

/* Nodes of edges in planes whose lists are complete. */
static bool is_listed(const struct making *making, const struct answer_node *node)
{
	const struct plane_span listed = media_part_listed(making->grid, &making->media->part);
	int place[3];

	edge_of_key(making->grid, node->key, place);
	return place[0] >= listed.begin && place[0] <= listed.end;
}

static sonde_status make_part(const struct making *making, size_t number)
{
	struct part *part = &making->parts[number];
	struct answer_list list = {
	    .grid = making->grid, .media = making->media, .edges = making->edges, .answers = &part->answers};
	const size_t end = (number + 1) * NODES_OF_PART;

	for (size_t n = number * NODES_OF_PART; n < making->count && n < end; ++n)
		if (is_listed(making, &making->nodes[n]))
			CHECK(answers_of_node(&list, &making->nodes[n]));
	CHECK(memory_allocate(&part->places, part->answers.kind_count, sizeof *part->places, WHAT));
	CHECK(memory_allocate(&part->kinds, part->answers.kind_count, sizeof *part->kinds, WHAT));
	for (size_t n = 0; n < part->answers.count; ++n)
		++part->places[part->answers.answers[n].kind];
	return SONDE_OK;
}

static void make_some(void *state, int64_t first, int64_t end, int worker)
{
	struct making *making = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		if (make_part(making, (size_t)n) != SONDE_OK)
			atomic_store(&making->failed, true);
}

/* A kind, and the node and the number among its answers of the first one of it. */
struct first_of_kind {
	struct answer_kind kind;
	uint64_t node, number;
};

static int compare_firsts(const void *a, const void *b)
{
	const struct first_of_kind *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* The first answer of each kind here. */
static void find_firsts(const struct making *making, struct first_of_kind *firsts)
{
	size_t left = making->answers->kind_count;
	uint64_t node = UINT64_MAX, number = 0;

	for (size_t k = 0; k < left; ++k)
		firsts[k] = (struct first_of_kind){making->answers->kinds[k], UINT64_MAX, 0};
	for (size_t p = 0; p < making->part_count && left > 0; ++p) {
		const struct part *part = &making->parts[p];
		for (size_t n = 0; n < part->answers.count && left > 0; ++n) {
			const struct answer *answer = &part->answers.answers[n];
			struct first_of_kind *first = &firsts[part->kinds[answer->kind]];
			const uint64_t key = edge_key(making->grid, 0, answer->node);
			number = key == node ? number + 1 : 0;
			node = key;
			if (first->node != UINT64_MAX)
				continue;
			first->node = node;
			first->number = number;
			--left;
		}
	}
}

/* The kinds of all ranks, in the order of their first nodes, as a single process has them. */
static sonde_status agree_on_kinds(struct making *making)
{
	struct answers *answers = making->answers, all = {.count = 0};
	struct parallel *ranks = making->media->part.ranks;
	struct first_of_kind *own;
	size_t size, capacity = 0;
	sonde_status status;
	uint16_t number;
	void *bytes;

	CHECK(memory_allocate(&own, answers->kind_count, sizeof *own, WHAT));
	find_firsts(making, own);
	status = parallel_gather(ranks, own, answers->kind_count * sizeof *own, &bytes, &size);
	free(own);
	CHECK(status);
	qsort(bytes, size / sizeof *own, sizeof *own, compare_firsts);
	for (size_t n = 0; n < size / sizeof *own && status == SONDE_OK; ++n)
		status = answers_find_kind(&all, &capacity,
					   (const struct answer_kind *)((char *)bytes + n * sizeof *own), &number);
	free(bytes);
	free(answers->kinds);
	answers->kinds = all.kinds;
	answers->kind_count = all.kind_count;
	making->kind_capacity = capacity;
	return status;
}

/* Numbers of the kinds of all parts. */
static sonde_status find_kinds(struct making *making)
{
	for (size_t p = 0; p < making->part_count; ++p)
		for (size_t k = 0; k < making->parts[p].answers.kind_count; ++k)
			CHECK(answers_find_kind(making->answers, &making->kind_capacity,
						&making->parts[p].answers.kinds[k], &making->parts[p].kinds[k]));
	return SONDE_OK;
}

/* Kinds get their numbers in the order of the nodes, and the answers of each part their places. */
static sonde_status place_answers(struct making *making)
{
	struct answers *answers = making->answers;
	size_t sum = 0, *next;

	CHECK(find_kinds(making));
	if (making->media->part.ranks != NULL) {
		CHECK(agree_on_kinds(making));
		CHECK(find_kinds(making));
	}
	/* then no part has an answer */
	if (answers->kinds == NULL)
		return SONDE_OK;
	for (size_t p = 0; p < making->part_count; ++p) {
		struct part *part = &making->parts[p];
		for (size_t k = 0; k < part->answers.kind_count; ++k)
			answers->kinds[part->kinds[k]].answers += (uint32_t)part->places[k];
		part->first = answers->count;
		answers->count += part->answers.count;
	}
	if (answers->count > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "surfaces of metals have more than %u answers", UINT32_MAX);
	CHECK(memory_allocate(&next, answers->kind_count, sizeof *next, WHAT));
	for (size_t k = 0; k < answers->kind_count; ++k) {
		next[k] = sum;
		sum += answers->kinds[k].answers;
	}
	for (size_t p = 0; p < making->part_count; ++p) {
		struct part *part = &making->parts[p];
		for (size_t k = 0; k < part->answers.kind_count; ++k) {
			const size_t own = part->places[k];
			part->places[k] = next[part->kinds[k]];
			next[part->kinds[k]] += own;
		}
	}
	free(next);
	return SONDE_OK;
}

static void free_part(struct part *part)
{
	free(part->answers.kinds);
	free(part->answers.answers);
	free(part->places);
	free(part->kinds);
	*part = (struct part){.places = NULL};
}

static void copy_some(void *state, int64_t first, int64_t end, int worker)
{
	struct making *making = state;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct part *part = &making->parts[p];
		for (size_t n = 0; n < part->answers.count; ++n) {
			const struct answer *from = &part->answers.answers[n];
			struct answer *to = &making->answers->answers[part->places[from->kind]++];
			*to = *from;
			to->kind = part->kinds[from->kind];
			to->order = (uint32_t)(part->first + n);
		}
		free_part(part);
	}
}

static sonde_status make_all(struct making *making, int threads)
{
	struct answers *answers = making->answers;

	CHECK(memory_allocate(&making->parts, making->part_count, sizeof *making->parts, WHAT));
	threads_for(threads, (int64_t)making->part_count, 1, make_some, making);
	if (atomic_load(&making->failed))
		return memory_missing(WHAT);
	CHECK(threads_completed());
	CHECK(place_answers(making));
	CHECK(memory_allocate_to_fill(&answers->answers, answers->count, sizeof *answers->answers, WHAT));
	threads_for(threads, (int64_t)making->part_count, 1, copy_some, making);
	return threads_completed();
}

sonde_status answer_lists_make(const struct fdtd_grid *grid, const struct media *media,
			       const struct edge_sites *edges, const struct answer_node *nodes, size_t count,
			       int threads, struct answers *answers)
{
	struct making making = {.grid = grid,
				.media = media,
				.edges = edges,
				.nodes = nodes,
				.count = count,
				.part_count = (count + NODES_OF_PART - 1) / NODES_OF_PART,
				.answers = answers};
	const sonde_status status = make_all(&making, threads);

	for (size_t p = 0; making.parts != NULL && p < making.part_count; ++p)
		free_part(&making.parts[p]);
	free(making.parts);
	return status;
}

/* Terms ------------------------------------------------------------------------------------ */

/* Terms of the edges in some planes, which belong to answers of nodes in these planes and the next one; and the last
 * plane of a periodic axis has edges of nodes in the first one. */
struct terming {
	const struct fdtd_grid *grid;
	struct answers *answers;
	uint32_t *next; /* place of the next term of each edge; null: they are only counted */
};

/* The first of some answers of a kind in a plane or after it. */
static size_t first_answer(const struct answers *answers, size_t begin, size_t end, int plane)
{
	while (begin < end) {
		const size_t middle = begin + (end - begin) / 2;
		if (answers->answers[middle].node[0] < plane)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

static size_t first_edge(const struct answers *answers, int plane)
{
	size_t begin = 0, end = answers->edge_count;

	while (begin < end) {
		const size_t middle = begin + (end - begin) / 2;
		if (answers->edges[middle].node[0] < plane)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

/* Terms of some answers, of edges begin to end - 1. */
static void add_terms(const struct terming *terming, size_t first, size_t behind, size_t begin, size_t end)
{
	struct answers *answers = terming->answers;

	for (size_t n = first; n < behind; ++n) {
		const struct answer *answer = &answers->answers[n];
		for (size_t m = 0; m < EDGES_OF_ANSWER; ++m) {
			const uint32_t edge = answer->edges[m];
			if (answer->parts[m] == 0.0 || edge < begin || edge >= end)
				continue;
			if (terming->next == NULL)
				++answers->first_terms[edge + 1];
			else
				answers->terms[terming->next[edge]++] =
				    (struct answer_term){(uint32_t)n, answer->weight * answer->parts[m]};
		}
	}
}

static void add_planes(const struct terming *terming, int plane, int behind)
{
	const struct answers *answers = terming->answers;
	const size_t begin = first_edge(answers, plane), end = first_edge(answers, behind);
	size_t first = 0;

	for (size_t e = begin; e < end && terming->next != NULL; ++e)
		terming->next[e] = answers->first_terms[e];
	for (size_t k = 0; k < answers->kind_count; ++k) {
		const size_t next = first + answers->kinds[k].answers;
		if (plane > 0 && behind >= terming->grid->cells[0])
			add_terms(terming, first, first_answer(answers, first, next, 1), begin, end);
		add_terms(terming, first_answer(answers, first, next, plane),
			  first_answer(answers, first, next, behind + 1), begin, end);
		first = next;
	}
}

static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct terming *terming = state;

	(void)worker;
	add_planes(terming, (int)first, (int)end);
}

sonde_status answer_lists_terms(const struct fdtd_grid *grid, int threads, struct answers *answers)
{
	struct terming terming = {.grid = grid, .answers = answers};
	const int planes = grid->cells[0] + 1;
	size_t count = 0;

	CHECK(memory_allocate(&answers->first_terms, answers->edge_count + 1, sizeof *answers->first_terms, WHAT));
	threads_for(threads, planes, PLANES_OF_PART, add_some, &terming);
	CHECK(threads_completed());
	for (size_t n = 0; n < answers->edge_count; ++n) {
		count += answers->first_terms[n + 1];
		answers->first_terms[n + 1] += answers->first_terms[n];
	}
	if (count > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "surfaces of metals have more than %u terms", UINT32_MAX);
	CHECK(memory_allocate_to_fill(&answers->terms, count, sizeof *answers->terms, WHAT));
	CHECK(memory_allocate_to_fill(&terming.next, answers->edge_count, sizeof *terming.next, WHAT));
	threads_for(threads, planes, PLANES_OF_PART, add_some, &terming);
	free(terming.next);
	return threads_completed();
}
