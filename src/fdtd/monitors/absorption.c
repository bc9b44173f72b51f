#include "fdtd/monitors/absorption.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

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

/* Whether a box's first and last nodes along an axis are the same. */
static bool comes_round(const struct fdtd_grid *grid, const int low[3], const int high[3], int axis)
{
	return grid->walls[axis][0] == WALL_PERIODIC && low[axis] == 0 && high[axis] == grid->cells[axis];
}

/* Positions along an axis are at half cells, or at nodes. */
static bool is_half(int field, int component, int axis)
{
	return (axis == component) == (field == FIELD_E);
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

struct place_finder {
	const struct fields *fields;
	const struct media *media;
	struct absorption *absorption;
	uint64_t *places[FIELDS_OBSERVED];
	/* of the field whose places are found: */
	int field;
	bool *lossy;   /* of each medium */
	size_t *first; /* place of each plane */
	bool writes;   /* places; they are only counted before */
};

/* Adds the places of a row from number `n` on, and returns the number after them. */
static size_t add_row(const struct place_finder *finder, int component, const int from[3], int end, size_t n)
{
	const int field = finder->field;
	const struct media_numbers *numbers =
	    (field == FIELD_E ? finder->media->edges : finder->media->faces)[component];
	const size_t first = media_at(&finder->fields->grid, from[0], from[1], 0);
	uint16_t medium;

	for (int k = from[2]; k < end; ++k) {
		if (media_segment(numbers, first, (size_t)k / SEGMENT, &medium) && !finder->lossy[medium]) {
			k = k / (int)SEGMENT * (int)SEGMENT + (int)SEGMENT - 1;
			continue;
		}
		medium = media_number(numbers, first + (size_t)k);
		if (!finder->lossy[medium])
			continue;
		if (finder->writes) {
			finder->absorption->places[field][n] =
			    (struct lossy_place){component, {from[0], from[1], k}, medium};
			finder->places[field][n] = fields_place(finder->fields, component, from[0], from[1], k);
		}
		++n;
	}
	return n;
}

/* Places of a component in one plane. */
static size_t add_plane(const struct place_finder *finder, int component, int i, size_t n)
{
	const struct absorption *absorption = finder->absorption;
	int end[3];

	for (int a = 0; a < 3; ++a)
		end[a] = absorption->high[a] +
			 (is_half(finder->field, component, a) ||
				  comes_round(&finder->fields->grid, absorption->low, absorption->high, a)
			      ? 0
			      : 1);
	for (int j = absorption->low[1]; j < end[1] && i < end[0]; ++j) {
		const int from[3] = {i, j, absorption->low[2]};
		n = add_row(finder, component, from, end[2], n);
	}
	return n;
}

static void add_planes(void *state, int64_t first, int64_t end, int worker)
{
	struct place_finder *finder = state;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		size_t n = finder->writes ? finder->first[p] : 0;
		for (int c = 0; c < 3; ++c)
			n = add_plane(finder, c, finder->absorption->low[0] + (int)p, n);
		if (!finder->writes)
			finder->first[p + 1] = n;
	}
}

static sonde_status find_places_of(struct place_finder *finder)
{
	struct absorption *absorption = finder->absorption;
	const int planes = absorption->high[0] - absorption->low[0] + 1, field = finder->field;

	CHECK(memory_allocate(&finder->first, (size_t)planes + 1, sizeof *finder->first, "an absorption"));
	finder->writes = false;
	threads_for(finder->fields->threads, planes, 1, add_planes, finder);
	for (int p = 0; p < planes; ++p)
		finder->first[p + 1] += finder->first[p];
	const size_t count = finder->first[planes];
	if (count > UINT32_MAX)
		return status_fail(SONDE_INVALID, "absorbed power of more than %u places", UINT32_MAX);
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&absorption->places[field], count, sizeof **absorption->places,
			      "the places of an absorption"));
	CHECK(memory_allocate(&finder->places[field], count, sizeof **finder->places, "the places of an absorption"));
	absorption->count[field] = (uint32_t)count;
	finder->writes = true;
	threads_for(finder->fields->threads, planes, 1, add_planes, finder);
	return SONDE_OK;
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

/* Cells of the box that share an edge or a face, as their numbers in it; returns their number. */
static int cells_of(const struct fdtd_grid *grid, const struct absorption *absorption, int field,
		    const struct lossy_place *place, size_t cells[4])
{
	int first[3], count[3], found = 0;

	for (int a = 0; a < 3; ++a) {
		bool half = is_half(field, place->component, a);
		first[a] = place->node[a] - (half ? 0 : 1);
		count[a] = half ? 1 : 2;
	}
	for (int n = 0; n < count[0] * count[1] * count[2]; ++n) {
		int offset[3] = {n % count[0], n / count[0] % count[1], n / count[0] / count[1]};
		size_t cell = 0;
		bool inside = true;
		for (int a = 0; a < 3; ++a) {
			int size = absorption->high[a] - absorption->low[a],
			    at = first[a] + offset[a] - absorption->low[a];
			if (at < 0 && comes_round(grid, absorption->low, absorption->high, a))
				at += size;
			inside = inside && at >= 0 && at < size;
			cell = cell * (size_t)size + (size_t)at;
		}
		if (inside)
			cells[found++] = cell;
	}
	return found;
}

/* Answers by planes: in the order of their numbers, kinds follow one another. */
static int compare_answers(const void *a, const void *b)
{
	const struct answer *x = ((const struct lossy_answer *)a)->answer,
			    *y = ((const struct lossy_answer *)b)->answer;

	return x->node[0] != y->node[0] ? (x->node[0] > y->node[0]) - (x->node[0] < y->node[0])
					: (x->order > y->order) - (x->order < y->order);
}

static bool take_answer(const struct place_finder *finder, const struct answer *answer, struct lossy_answer *taken)
{
	const struct answers *answers = finder->media->answers;
	double squares = 0.0;
	size_t cells[4];
	int inside = 0;

	*taken = (struct lossy_answer){.answer = answer};
	if (answer->conductivity == 0.0 && answers->kinds[answer->kind].count == 0)
		return false;
	for (size_t m = 0; m < EDGES_OF_ANSWER; ++m)
		squares += answer->parts[m] * answer->parts[m];
	for (size_t m = 0; m < EDGES_OF_ANSWER; ++m) {
		const struct answered_edge *edge = &answers->edges[answer->edges[m]];
		taken->edges[m] =
		    (struct lossy_place){edge->component, {edge->node[0], edge->node[1], edge->node[2]}, 0};
		taken->shares[m] = answer->weight * answer->parts[m] * answer->parts[m] / squares;
		if (answer->parts[m] != 0.0)
			inside +=
			    cells_of(&finder->fields->grid, finder->absorption, FIELD_E, &taken->edges[m], cells);
	}
	return inside > 0;
}

static sonde_status find_answers(struct place_finder *finder)
{
	struct absorption *absorption = finder->absorption;
	const struct answers *answers = finder->media->answers;
	uint32_t count = 0;

	if (answers == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&absorption->answers, answers->count, sizeof *absorption->answers,
			      "the places of an absorption"));
	for (size_t n = 0; n < answers->count; ++n)
		count += take_answer(finder, &answers->answers[n], &absorption->answers[count]);
	qsort(absorption->answers, count, sizeof *absorption->answers, compare_answers);
	CHECK(
	    memory_allocate(&finder->places[FIELD_ANSWERS], count, sizeof(uint64_t), "the places of an absorption"));
	for (uint32_t n = 0; n < count; ++n)
		finder->places[FIELD_ANSWERS][n] = (uint64_t)(absorption->answers[n].answer - answers->answers);
	absorption->count[FIELD_ANSWERS] = count;
	return SONDE_OK;
}

/* Power of an answer of 1. */
static sonde_status find_answer_losses(const struct media *media, struct absorption *absorption)
{
	const size_t frequencies = absorption->sums.frequencies, count = absorption->count[FIELD_ANSWERS];

	CHECK(memory_allocate(&absorption->answer_losses, count * frequencies, sizeof(double),
			      "the losses of the media"));
	for (size_t n = 0; n < count; ++n) {
		const struct answer *answer = absorption->answers[n].answer;
		const struct answer_kind *kind = &media->answers->kinds[answer->kind];
		const struct medium charges = {.conductivity = answer->conductivity};
		for (size_t f = 0; f < frequencies; ++f) {
			const double omega = absorption->sums.angular_frequencies[f];
			double *loss = &absorption->answer_losses[f * count + n];
			*loss = loss_of(&charges, FIELD_E, omega);
			for (int m = 0; m < kind->count; ++m) {
				struct medium poles = media->media[kind->media[m]];
				poles.conductivity = 0.0;
				*loss += answer->shares[m] * loss_of(&poles, FIELD_E, omega);
			}
		}
	}
	return SONDE_OK;
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
	CHECK_GOTO(status, find_answers(&finder), done);
	const struct fourier_places places[FIELDS_OBSERVED] = {
	    {finder.places[FIELD_E], absorption->count[FIELD_E]},
	    {finder.places[FIELD_H], absorption->count[FIELD_H]},
	    {finder.places[FIELD_ANSWERS], absorption->count[FIELD_ANSWERS]}};
	CHECK_GOTO(status, fourier_make(fields, places, angular_frequencies, frequencies, every, &absorption->sums),
		   done);
	CHECK_GOTO(status, find_losses(media, absorption), done);
	status = find_answer_losses(media, absorption);
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
		free(absorption->places[field]);
		free(absorption->losses[field]);
	}
	free(absorption->answers);
	free(absorption->answer_losses);
	*absorption = (struct absorption){0};
}

/* Adds the loss of every place to cells, or all losses to one number for each frequency, at `block` frequencies from
 * number `first` on, whose sums are given. */
static void add_losses(const struct fields *fields, const struct absorption *absorption, enum field field,
		       uint32_t first, uint32_t block, const double complex *sums, size_t cell_count, double *power)
{
	const size_t frequencies = absorption->sums.frequencies, count = absorption->count[field];
	const double share = absorption->volume / (field == FIELD_E ? 4.0 : 2.0);

	for (size_t n = 0; n < count; ++n) {
		const struct lossy_place *place = &absorption->places[field][n];
		size_t cells[4];
		const int found = cells_of(&fields->grid, absorption, (int)field, place, cells);
		for (size_t f = 0; f < block; ++f) {
			const double complex value = sums[f * count + n];
			const double lost = share *
					    absorption->losses[field][place->medium * frequencies + first + f] *
					    creal(value * conj(value));
			for (int c = 0; c < found; ++c)
				power[(first + f) * cell_count + (cell_count > 1 ? cells[c] : 0)] += lost;
		}
	}
}

/* The same for answers. */
static void add_answers(const struct fields *fields, const struct absorption *absorption, uint32_t first,
			uint32_t block, const double complex *sums, size_t cell_count, double *power)
{
	const size_t count = absorption->count[FIELD_ANSWERS];

	for (size_t n = 0; n < EDGES_OF_ANSWER * count; ++n) {
		const size_t at = n / EDGES_OF_ANSWER, m = n % EDGES_OF_ANSWER;
		const double share = 0.25 * absorption->volume * absorption->answers[at].shares[m];
		size_t cells[4];
		const int found = share == 0.0 ? 0
					       : cells_of(&fields->grid, absorption, FIELD_E,
							  &absorption->answers[at].edges[m], cells);
		for (size_t f = 0; f < block && found > 0; ++f) {
			const double complex value = sums[f * count + at];
			const double lost =
			    share * absorption->answer_losses[(first + f) * count + at] * creal(value * conj(value));
			for (int c = 0; c < found; ++c)
				power[(first + f) * cell_count + (cell_count > 1 ? cells[c] : 0)] += lost;
		}
	}
}

/* The losses of a field, block by block of the frequencies. */
static sonde_status add_field(struct fields *fields, const struct absorption *absorption, enum field field,
			      size_t cell_count, double *power)
{
	const uint32_t frequencies = absorption->sums.frequencies, at_once = fourier_block(&absorption->sums, 0);
	double complex *sums;
	sonde_status status = SONDE_OK;

	if (absorption->count[field] == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&sums, (size_t)at_once * absorption->count[field], sizeof *sums,
			      "the sums of an absorption"));
	for (uint32_t first = 0; first < frequencies && status == SONDE_OK; first += at_once) {
		const uint32_t block = fourier_block(&absorption->sums, first);
		status = fourier_read(fields, &absorption->sums, field, first, block, sums);
		if (status == SONDE_OK && field == FIELD_ANSWERS)
			add_answers(fields, absorption, first, block, sums, cell_count, power);
		else if (status == SONDE_OK)
			add_losses(fields, absorption, field, first, block, sums, cell_count, power);
	}
	free(sums);
	return status;
}

static sonde_status add_all(struct fields *fields, const struct absorption *absorption, size_t cell_count,
			    double *power)
{
	for (size_t n = 0; n < cell_count * absorption->sums.frequencies; ++n)
		power[n] = 0.0;
	CHECK(add_field(fields, absorption, FIELD_E, cell_count, power));
	CHECK(add_field(fields, absorption, FIELD_ANSWERS, cell_count, power));
	return add_field(fields, absorption, FIELD_H, cell_count, power);
}

sonde_status absorption_power(struct fields *fields, const struct absorption *absorption, double *power)
{
	return add_all(fields, absorption, 1, power);
}

sonde_status absorption_map(struct fields *fields, const struct absorption *absorption, double *map)
{
	size_t cells = 1;

	for (int a = 0; a < 3; ++a)
		cells *= (size_t)(absorption->high[a] - absorption->low[a]);
	return add_all(fields, absorption, cells, map);
}
