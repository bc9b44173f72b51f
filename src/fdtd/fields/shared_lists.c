#include "fdtd/fields/shared_lists.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fields/answering.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/fields/smoothing.h"
#include "fdtd/media/edge_lists.h"
#include "fdtd/media/list_totals.h"
#include "fdtd/media/media_part.h"
#include "parallel/parallel.h"

#define WHAT "lists of surfaces"

/* Numbers of entries: rows of a number for each plane, all of which are added over the ranks. */
struct tally {
	size_t planes, rows;
	int begin, end; /* this rank's own planes */
	uint64_t *numbers;
};

static uint64_t *row_of(const struct tally *tally, size_t row)
{
	return tally->numbers + row * tally->planes;
}

/* Entries of each plane, of a list in which the first one of plane i has number first[i], and the last one of the planes'
 * part before number end[i]. */
static void count(const struct tally *tally, size_t row, const uint32_t *first, const uint32_t *end)
{
	for (int i = tally->begin; i < tally->end; ++i)
		row_of(tally, row)[i] = end[i] - first[i];
}

/* Row numbers: of answers first, of which there are as many as kinds. */
enum { SMOOTH, SMOOTH_X, EDGES, EDGES_X, TERMS, KINDS };

static sonde_status count_smooth(const struct fdtd_grid *grid, const struct media *media, const struct tally *tally)
{
	uint32_t *first, *along_x = NULL;
	sonde_status status = smoothing_planes(grid, media, &first, &along_x);

	if (status == SONDE_OK) {
		count(tally, SMOOTH, first, first + 1);
		count(tally, SMOOTH_X, first, along_x);
	}
	free(first);
	free(along_x);
	return status;
}

static sonde_status count_answers(const struct fdtd_grid *grid, const struct media *media, const struct tally *tally)
{
	struct answer_planes planes = {.kinds = NULL};
	sonde_status status = answering_planes(grid, media, &planes);

	if (status == SONDE_OK) {
		count(tally, EDGES, planes.first_of_plane, planes.first_of_plane + 1);
		count(tally, EDGES_X, planes.first_of_plane, planes.first_along_x);
		count(tally, TERMS, planes.first_term, planes.first_term + 1);
		for (size_t k = 0; k < media->answers->kind_count; ++k) {
			const uint32_t *first = planes.kinds + k * (tally->planes + 1);
			count(tally, KINDS + k, first, first + 1);
		}
	}
	answer_planes_free(&planes);
	return status;
}

/* Numbers before each plane, and of all. */
static sonde_status add_up(const struct tally *tally, size_t row, uint32_t *first)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < tally->planes; ++i) {
		first[i] = (uint32_t)sum;
		sum += row_of(tally, row)[i];
	}
	first[tally->planes] = (uint32_t)sum;
	return sum <= UINT32_MAX
		   ? SONDE_OK
		   : status_fail(SONDE_RESOURCE, "more than %u entries of lists of surfaces", UINT32_MAX);
}

static sonde_status make_firsts(const struct tally *tally, size_t row, size_t rows, uint32_t **first)
{
	CHECK(memory_allocate(first, rows * (tally->planes + 1), sizeof **first, WHAT));
	for (size_t n = 0; n < rows; ++n)
		CHECK(add_up(tally, row + n, *first + n * (tally->planes + 1)));
	return SONDE_OK;
}

/* First edge along x of each plane. */
static sonde_status make_along_x(const struct tally *tally, size_t row, const uint32_t *first, uint32_t **along_x)
{
	CHECK(memory_allocate(along_x, tally->planes + 1, sizeof **along_x, WHAT));
	for (size_t i = 0; i < tally->planes; ++i)
		(*along_x)[i] = first[i] + (uint32_t)row_of(tally, row)[i];
	(*along_x)[tally->planes] = first[tally->planes];
	return SONDE_OK;
}

static sonde_status take(const struct tally *tally, size_t kinds, size_t poles, struct list_totals *totals)
{
	CHECK(make_firsts(tally, SMOOTH, 1, &totals->smooth));
	CHECK(make_along_x(tally, SMOOTH_X, totals->smooth, &totals->smooth_x));
	CHECK(make_firsts(tally, EDGES, 1, &totals->edges));
	CHECK(make_along_x(tally, EDGES_X, totals->edges, &totals->edges_x));
	CHECK(make_firsts(tally, TERMS, 1, &totals->terms));
	CHECK(make_firsts(tally, KINDS, kinds, &totals->kinds));
	CHECK(memory_allocate(&totals->poles, tally->planes * poles, sizeof *totals->poles, WHAT));
	for (size_t i = 0; i < tally->planes; ++i)
		for (size_t k = 0; k < poles; ++k)
			totals->poles[i * poles + k] = (uint32_t)row_of(tally, KINDS + kinds + k)[i];
	return SONDE_OK;
}

static sonde_status make(const struct fdtd_grid *grid, struct media *media, const uint32_t *poles, size_t pole_kinds)
{
	const size_t kinds = media->answers != NULL ? media->answers->kind_count : 0;
	const struct plane_span own = media_part_own(grid, &media->part);
	struct tally tally = {.planes = (size_t)grid->cells[0] + 1,
			      .rows = KINDS + kinds + pole_kinds,
			      .begin = own.begin,
			      .end = own.end};
	sonde_status status;

	CHECK(memory_allocate(&tally.numbers, tally.rows * tally.planes, sizeof *tally.numbers, WHAT));
	CHECK_GOTO(status, count_smooth(grid, media, &tally), done);
	if (media->answers != NULL)
		CHECK_GOTO(status, count_answers(grid, media, &tally), done);
	for (size_t k = 0; k < pole_kinds; ++k)
		for (int i = tally.begin; i < tally.end; ++i)
			row_of(&tally, KINDS + kinds + k)[i] = poles[(size_t)i * pole_kinds + k];
	CHECK_GOTO(status, parallel_sum(media->part.ranks, tally.numbers, tally.rows * tally.planes), done);
	CHECK_GOTO(status, memory_allocate(&media->totals, 1, sizeof *media->totals, WHAT), done);
	status = take(&tally, kinds, pole_kinds, media->totals);
done:
	free(tally.numbers);
	return status;
}

sonde_status shared_lists_make(const struct fdtd_grid *grid, struct media *media)
{
	uint32_t *poles = NULL;
	size_t kinds;

	if (media->part.end == 0 || media->edges[0] == NULL || media->totals != NULL)
		return SONDE_OK;
	sonde_status status = polarizations_count(grid, media, &kinds, &poles);
	if (status == SONDE_OK)
		status = make(grid, media, poles, kinds);
	free(poles);
	return status;
}
