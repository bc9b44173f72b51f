#include "fdtd/monitors/absorption.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/fields/answering.h"
#include "fdtd/media/media_part.h"
#include "fdtd/monitors/absorption_cells.h"
#include "parallel/parallel.h"

static sonde_status check_box(const struct fdtd_grid *grid, const int low[3], const int high[3])
{
	for (int a = 0; a < 3; ++a) {
		int first = grid->layers[a][0].cells, last = grid->cells[a] - grid->layers[a][1].cells;
		if (low[a] < first || high[a] > last || low[a] >= high[a])
			return status_fail(
			    SONDE_INVALID,
			    "absorbed power from node %d to %d of %c: the box must be within nodes %d to %d", low[a],
			    high[a], "xyz"[a], first, last);
	}
	return SONDE_OK;
}

/* Power loss of a medium in a volume of 1 where the sum of a field is 1. */
static double loss_of(const struct medium *medium, int field, double omega)
{
	double half = cos(0.5 * omega), flow = 2.0 * sin(0.5 * omega);

	if (field == FIELD_H)
		return 0.5 * half * half * medium->magnetic_conductivity;
	if (medium->conductor || medium->collector)
		return 0.0;
	return 0.5 * half * (medium->conductivity * half + flow * cimag(medium_susceptibility(medium, omega)));
}

static bool has_losses(const struct medium *medium, int field)
{
	return field == FIELD_H
		   ? medium->magnetic_conductivity != 0.0
		   : !medium->conductor && !medium->collector && (medium->conductivity != 0.0 || medium->poles > 0);
}

static sonde_status find_losses(const struct media *media, struct absorption *absorption)
{
	size_t frequencies = absorption->sums.frequencies;

	for (int field = FIELD_E; field <= FIELD_H; ++field) {
		CHECK(memory_allocate(&absorption->losses[field], media->count * frequencies, sizeof(double),
				      "the losses of the media"));
		for (size_t m = 0; m < media->count; ++m)
			for (size_t f = 0; f < frequencies; ++f)
				absorption->losses[field][m * frequencies + f] =
				    loss_of(&media->media[m], field, absorption->sums.angular_frequencies[f]);
	}
	return SONDE_OK;
}

/* Of the places in some planes, or of some answers: their number, and that of their rows or edges. */
struct place_count {
	uint64_t places, parts;
};

struct place_finder {
	const struct fields *fields;
	const struct media *media;
	struct absorption *absorption;
	uint64_t *places[FIELDS_OBSERVED];
	/* of the field whose places are found: */
	int field;
	bool *lossy;               /* of each medium */
	struct place_count *first; /* of each plane, or of each part of the answers */
	bool writes;               /* places; they are only counted before */
};

/* Adds up the numbers of `count` planes or parts: each then has those before it. */
static struct place_count add_up(struct place_count *first, size_t count)
{
	struct place_count sum = {0, 0};

	for (size_t p = 0; p < count; ++p) {
		const struct place_count own = first[p];
		first[p] = sum;
		sum.places += own.places;
		sum.parts += own.parts;
	}
	return sum;
}

/* Adds the places from a node to `end` along z, of one medium. */
static void add_places(const struct place_finder *finder, int component, const int from[3], int end, uint16_t medium,
		       struct place_count *at)
{
	const int field = finder->field;

	for (int k = from[2]; k < end && finder->writes; ++k)
		finder->places[field][at->places + (size_t)(k - from[2])] =
		    fields_place(finder->fields, component, from[0], from[1], k);
	if (finder->writes)
		finder->absorption->rows[field][at->parts] = (struct lossy_row){
		    (uint32_t)at->places, (uint32_t)(end - from[2]), component, {from[0], from[1], from[2]}, medium};
	at->places += (size_t)(end - from[2]);
	++at->parts;
}

/* Adds the places of a row. */
static void add_row(const struct place_finder *finder, int component, const int from[3], int end,
		    struct place_count *at)
{
	const struct media_numbers *numbers =
	    (finder->field == FIELD_E ? finder->media->edges : finder->media->faces)[component];
	const size_t first = media_at(&finder->fields->grid, from[0], from[1], 0);
	int begin[3] = {from[0], from[1], from[2]};
	uint16_t before = 0;

	for (int k = from[2]; k < end;) {
		uint16_t medium;
		const bool whole = media_segment(numbers, first, (size_t)k / SEGMENT, &medium);
		const int next = whole ? (k / (int)SEGMENT + 1) * (int)SEGMENT : k + 1;
		if (!whole)
			medium = media_number(numbers, first + (size_t)k);
		if (k > from[2] && medium != before) {
			if (finder->lossy[before])
				add_places(finder, component, begin, k, before, at);
			begin[2] = k;
		}
		before = medium;
		k = next;
	}
	if (begin[2] < end && finder->lossy[before])
		add_places(finder, component, begin, end, before, at);
}

/* Places of a component in one plane. */
static void add_plane(const struct place_finder *finder, int component, int i, struct place_count *at)
{
	const struct absorption *absorption = finder->absorption;
	int end[3];

	for (int a = 0; a < 3; ++a)
		end[a] = absorption->high[a] +
			 (absorption_is_half(finder->field, component, a) ||
				  absorption_comes_round(&finder->fields->grid, absorption->low, absorption->high, a)
			      ? 0
			      : 1);
	for (int j = absorption->low[1]; j < end[1] && i < end[0]; ++j) {
		const int from[3] = {i, j, absorption->low[2]};
		add_row(finder, component, from, end[2], at);
	}
}

static bool is_own(const struct place_finder *finder, int plane)
{
	const struct plane_span own = media_part_own(&finder->fields->grid, &finder->media->part);

	return plane >= own.begin && plane < own.end;
}

static void add_planes(void *state, int64_t first, int64_t end, int worker)
{
	struct place_finder *finder = state;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct place_count at = finder->writes ? finder->first[p] : (struct place_count){0, 0};
		if (!is_own(finder, finder->absorption->low[0] + (int)p))
			continue;
		for (int c = 0; c < 3; ++c)
			add_plane(finder, c, finder->absorption->low[0] + (int)p, &at);
		if (!finder->writes)
			finder->first[p] = at;
	}
}

/* Numbers of all ranks, each of which has counted those of its own planes. */
static sonde_status sum_counts(const struct place_finder *finder, size_t planes)
{
	_Static_assert(sizeof(struct place_count) == 2 * sizeof(uint64_t), "two numbers");
	return parallel_sum(finder->media->part.ranks, (uint64_t *)finder->first, 2 * planes);
}

/* A list of all ranks, in which each writes the entries of its own planes. */
static sonde_status allocate(const struct place_finder *finder, void *list, size_t count, size_t size)
{
	return finder->media->part.ranks != NULL
		   ? memory_allocate(list, count, size, "the places of an absorption")
		   : memory_allocate_to_fill(list, count, size, "the places of an absorption");
}

static sonde_status merge(const struct place_finder *finder, void *list, size_t bytes)
{
	return parallel_merge(finder->media->part.ranks, list, bytes);
}

static sonde_status find_places_of(struct place_finder *finder)
{
	struct absorption *absorption = finder->absorption;
	const int planes = absorption->high[0] - absorption->low[0] + 1, field = finder->field;

	CHECK(memory_allocate(&finder->first, (size_t)planes, sizeof *finder->first, "an absorption"));
	finder->writes = false;
	threads_for(finder->fields->threads, planes, 1, add_planes, finder);
	CHECK(threads_completed());
	CHECK(sum_counts(finder, (size_t)planes));
	const struct place_count count = add_up(finder->first, (size_t)planes);
	if (count.places > UINT32_MAX)
		return status_fail(SONDE_INVALID, "absorbed power of more than %u places", UINT32_MAX);
	if (count.places == 0)
		return SONDE_OK;
	CHECK(allocate(finder, &absorption->rows[field], count.parts, sizeof **absorption->rows));
	CHECK(allocate(finder, &finder->places[field], count.places, sizeof **finder->places));
	absorption->count[field] = (uint32_t)count.places;
	absorption->row_count[field] = (uint32_t)count.parts;
	finder->writes = true;
	threads_for(finder->fields->threads, planes, 1, add_planes, finder);
	CHECK(threads_completed());
	CHECK(merge(finder, absorption->rows[field], count.parts * sizeof **absorption->rows));
	return merge(finder, finder->places[field], count.places * sizeof **finder->places);
}

static sonde_status find_places(struct place_finder *finder)
{
	const struct media *media = finder->media;

	for (finder->field = FIELD_E; finder->field <= FIELD_H; ++finder->field) {
		bool any = false;
		if ((finder->field == FIELD_E ? media->edges : media->faces)[0] == NULL)
			continue;
		CHECK(memory_allocate(&finder->lossy, media->count, sizeof *finder->lossy, "an absorption"));
		for (size_t m = 0; m < media->count; ++m) {
			finder->lossy[m] = has_losses(&media->media[m], finder->field);
			any |= finder->lossy[m];
		}
		const sonde_status status = any ? find_places_of(finder) : SONDE_OK;
		free(finder->lossy);
		free(finder->first);
		finder->lossy = NULL;
		finder->first = NULL;
		CHECK(status);
	}
	return SONDE_OK;
}

/* Whether any cell of the box has an edge. */
static bool is_in_box(const struct place_finder *finder, const struct answered_edge *edge)
{
	int cells[2];
	bool inside = true;

	for (int a = 0; a < 3; ++a)
		inside = inside && absorption_cells(
				       &finder->fields->grid, finder->absorption->low, finder->absorption->high,
				       absorption_is_half(FIELD_E, edge->component, a), a, edge->node[a], cells) > 0;
	return inside;
}

/* Answers by planes, which is their order of insertion: in the order of their numbers, kinds follow one another. */
struct answer_finder {
	struct place_finder *finder;
	uint32_t *by_order, *numbers; /* among the answers of all ranks */
	size_t *first;                /* of each plane, in this order */
	double *charges,
	    *poles; /* losses at each frequency: of a conductivity of 1, and of the poles of each medium */
	const double *angular_frequencies;
	uint32_t frequencies;
};

/* Adds an answer, if it has losses and is at least partly in the box. */
static void add_answer(const struct answer_finder *answers, const struct answer *answer, struct place_count *at)
{
	const struct place_finder *finder = answers->finder;
	const struct answers *all = finder->media->answers;
	struct absorption *absorption = finder->absorption;
	const size_t before = at->parts;
	double squares = 0.0;
	bool any = false;

	if (answer->conductivity == 0.0 && all->kinds[answer->kind].count == 0)
		return;
	for (size_t m = 0; m < EDGES_OF_ANSWER; ++m)
		squares += answer->parts[m] * answer->parts[m];
	for (size_t m = 0; m < EDGES_OF_ANSWER; ++m) {
		const struct answered_edge *edge = &all->edges[answer->edges[m]];
		if (answer->parts[m] == 0.0 || !is_in_box(finder, edge))
			continue;
		any = true;
		if (finder->writes)
			absorption->edges[at->parts] =
			    (struct lossy_edge){answer->weight * answer->parts[m] * answer->parts[m] / squares,
						edge->component,
						{edge->node[0], edge->node[1], edge->node[2]}};
		++at->parts;
	}
	if (any && finder->writes) {
		finder->places[FIELD_ANSWERS][at->places] = answers->numbers[answer - all->answers];
		absorption->first_edges[at->places] = (uint32_t)before;
	}
	at->places += any ? 1 : 0;
}

/* Power of an answer of 1. */
static void write_losses(const struct answer_finder *answers, const struct answer *answer, size_t n)
{
	struct absorption *absorption = answers->finder->absorption;
	const struct answer_kind *kind = &answers->finder->media->answers->kinds[answer->kind];
	const size_t count = absorption->count[FIELD_ANSWERS], frequencies = answers->frequencies;

	for (size_t f = 0; f < frequencies; ++f) {
		const struct medium charges = {.conductivity = answer->conductivity};
		double loss =
		    answer->conductivity == 0.0 ? 0.0 : loss_of(&charges, FIELD_E, answers->angular_frequencies[f]);
		for (int m = 0; m < kind->count; ++m)
			loss += answer->shares[m] * answers->poles[kind->media[m] * frequencies + f];
		absorption->answer_losses[f * count + n] = loss;
	}
}

static void add_answers(void *state, int64_t first, int64_t end, int worker)
{
	const struct answer_finder *answers = state;
	const struct place_finder *finder = answers->finder;
	const struct answers *all = finder->media->answers;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct place_count at = finder->writes ? finder->first[p] : (struct place_count){0, 0};
		if (!is_own(finder, (int)p))
			continue;
		for (size_t n = answers->first[p]; n < answers->first[p + 1]; ++n) {
			const struct answer *answer = &all->answers[answers->by_order[n]];
			const size_t before = at.places;
			add_answer(answers, answer, &at);
			if (finder->writes && at.places > before)
				write_losses(answers, answer, before);
		}
		if (!finder->writes)
			finder->first[p] = at;
	}
}

/* Losses of the poles of each medium alone. */
static sonde_status find_pole_losses(struct answer_finder *answers)
{
	const struct media *media = answers->finder->media;
	const size_t frequencies = answers->frequencies;

	CHECK(memory_allocate(&answers->poles, media->count * frequencies, sizeof *answers->poles,
			      "the losses of the media"));
	for (size_t m = 0; m < media->count; ++m)
		for (size_t f = 0; f < frequencies; ++f) {
			struct medium poles = media->media[m];
			poles.conductivity = 0.0;
			answers->poles[m * frequencies + f] =
			    loss_of(&poles, FIELD_E, answers->angular_frequencies[f]);
		}
	return SONDE_OK;
}

/* Answers in the order of their planes. */
static sonde_status order_answers(struct answer_finder *answers, size_t planes)
{
	const struct place_finder *finder = answers->finder;
	const struct answers *all = finder->media->answers;
	size_t n = 0;

	CHECK(memory_allocate_to_fill(&answers->by_order, all->count, sizeof *answers->by_order, "an absorption"));
	CHECK(memory_allocate_to_fill(&answers->first, planes + 1, sizeof *answers->first, "an absorption"));
	CHECK(answering_numbers(finder->fields, finder->media, &answers->numbers));
	for (size_t k = 0; k < all->count; ++k)
		answers->by_order[all->answers[k].order] = (uint32_t)k;
	for (size_t p = 0; p <= planes; ++p) {
		while (n < all->count && (size_t)all->answers[answers->by_order[n]].node[0] < p)
			++n;
		answers->first[p] = n;
	}
	return SONDE_OK;
}

static sonde_status merge_answers(const struct place_finder *finder, struct place_count count, uint32_t frequencies)
{
	struct absorption *absorption = finder->absorption;

	CHECK(merge(finder, finder->places[FIELD_ANSWERS], count.places * sizeof(uint64_t)));
	CHECK(merge(finder, absorption->first_edges, count.places * sizeof *absorption->first_edges));
	CHECK(merge(finder, absorption->edges, count.parts * sizeof *absorption->edges));
	return merge(finder, absorption->answer_losses, count.places * frequencies * sizeof(double));
}

static sonde_status list_answers(struct answer_finder *answers)
{
	struct place_finder *finder = answers->finder;
	struct absorption *absorption = finder->absorption;
	const size_t planes = (size_t)finder->fields->grid.cells[0] + 1;

	CHECK(order_answers(answers, planes));
	CHECK(memory_allocate(&finder->first, planes, sizeof *finder->first, "an absorption"));
	finder->writes = false;
	threads_for(finder->fields->threads, (int64_t)planes, 1, add_answers, answers);
	CHECK(threads_completed());
	CHECK(sum_counts(finder, planes));
	const struct place_count count = add_up(finder->first, planes);
	if (count.parts > UINT32_MAX)
		return status_fail(SONDE_INVALID, "absorbed power of more than %u edges of metals", UINT32_MAX);
	CHECK(allocate(finder, &finder->places[FIELD_ANSWERS], count.places, sizeof(uint64_t)));
	CHECK(allocate(finder, &absorption->first_edges, count.places + 1, sizeof *absorption->first_edges));
	CHECK(allocate(finder, &absorption->edges, count.parts, sizeof *absorption->edges));
	CHECK(allocate(finder, &absorption->answer_losses, count.places * answers->frequencies, sizeof(double)));
	absorption->count[FIELD_ANSWERS] = (uint32_t)count.places;
	finder->writes = true;
	threads_for(finder->fields->threads, (int64_t)planes, 1, add_answers, answers);
	CHECK(threads_completed());
	CHECK(merge_answers(finder, count, answers->frequencies));
	absorption->first_edges[count.places] = (uint32_t)count.parts;
	return SONDE_OK;
}

static sonde_status find_answers(struct place_finder *finder, const double *angular_frequencies, uint32_t frequencies)
{
	struct answer_finder answers = {
	    .finder = finder, .angular_frequencies = angular_frequencies, .frequencies = frequencies};
	sonde_status status;

	if (finder->media->answers == NULL)
		return SONDE_OK;
	CHECK_GOTO(status, find_pole_losses(&answers), done);
	status = list_answers(&answers);
done:
	free(answers.poles);
	free(answers.by_order);
	free(answers.numbers);
	free(answers.first);
	free(finder->first);
	finder->first = NULL;
	return status;
}

sonde_status absorption_make(struct fields *fields, const struct media *media, const int low[3], const int high[3],
			     const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			     struct absorption *absorption)
{
	struct place_finder finder = {.fields = fields, .media = media, .absorption = absorption};
	sonde_status status;

	*absorption = (struct absorption){.volume = 1.0, .media = media->count};
	for (int a = 0; a < 3; ++a) {
		absorption->low[a] = low[a];
		absorption->high[a] = high[a];
		if (!grid_is_uniform(&fields->grid, a))
			absorption->volume /= fields->grid.courant[a];
	}
	CHECK_GOTO(status, check_box(&fields->grid, low, high), done);
	CHECK_GOTO(status, find_places(&finder), done);
	CHECK_GOTO(status, find_answers(&finder, angular_frequencies, frequencies), done);
	const struct fourier_places places[FIELDS_OBSERVED] = {
	    {finder.places[FIELD_E], absorption->count[FIELD_E]},
	    {finder.places[FIELD_H], absorption->count[FIELD_H]},
	    {finder.places[FIELD_ANSWERS], absorption->count[FIELD_ANSWERS]}};
	CHECK_GOTO(status, fourier_make(fields, places, angular_frequencies, frequencies, every, &absorption->sums),
		   done);
	status = find_losses(media, absorption);
done:
	free(finder.places[FIELD_E]);
	free(finder.places[FIELD_H]);
	free(finder.places[FIELD_ANSWERS]);
	return status;
}

void absorption_release(struct fields *fields, struct absorption *absorption)
{
	fourier_release(fields, &absorption->sums);
	for (int field = FIELD_E; field <= FIELD_H; ++field) {
		free(absorption->rows[field]);
		free(absorption->losses[field]);
	}
	free(absorption->first_edges);
	free(absorption->edges);
	free(absorption->answer_losses);
	*absorption = (struct absorption){0};
}
