#include "fdtd/media/edge_sites.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/buckets.h"
#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/medium.h"

#define WHAT "edges at surfaces"
#define PARTS_AT_ONCE 8

sonde_status edge_sites_add(struct edge_sites *sites, uint64_t key)
{
	CHECK(memory_grow(&sites->sites, &sites->capacity, sites->count + 1, sizeof *sites->sites, WHAT));
	sites->sites[sites->count++] = (struct edge_site){.key = key};
	return SONDE_OK;
}

void edge_sites_free(struct edge_sites *sites)
{
	free(sites->sites);
	free(sites->first);
	sites->sites = NULL;
	sites->first = NULL;
	sites->count = sites->capacity = 0;
}

/* Making ----------------------------------------------------------------------------------- */

struct making {
	edge_sites_maker *make;
	void *state;
	int64_t count, grain;
	struct edge_sites *parts;
	atomic_bool failed;
};

static void make_parts(void *state, int64_t first, int64_t end, int worker)
{
	struct making *making = state;

	for (int64_t n = first; n < end; ++n) {
		const int64_t from = n * making->grain, to = from + making->grain;
		/* not in its place: other threads write next to that */
		struct edge_sites made = making->parts[n];
		if (!making->make(making->state, from, to < making->count ? to : making->count, worker, &made))
			atomic_store(&making->failed, true);
		making->parts[n] = made;
	}
}

/* Copies parts to their places, first[] of each. */
struct joining {
	const struct edge_sites *parts;
	const size_t *first;
	struct edge_site *to;
};

static void join_parts(void *state, int64_t first, int64_t end, int worker)
{
	const struct joining *joining = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const struct edge_sites *part = &joining->parts[n];
		if (part->count > 0)
			memcpy(joining->to + joining->first[n], part->sites, part->count * sizeof *part->sites);
	}
}

/* A new list is allocated, in larger pages than one that grows. */
static sonde_status make_room(struct edge_sites *sites, size_t all)
{
	if (sites->sites != NULL)
		return memory_grow(&sites->sites, &sites->capacity, all, sizeof *sites->sites, WHAT);
	CHECK(memory_allocate_to_fill(&sites->sites, all, sizeof *sites->sites, WHAT));
	sites->capacity = all;
	return SONDE_OK;
}

/* The parts one after the other. */
static sonde_status join(const struct making *making, int64_t parts, struct edge_sites *sites)
{
	size_t all = sites->count, *first;

	CHECK(memory_allocate(&first, (size_t)parts, sizeof *first, WHAT));
	for (int64_t n = 0; n < parts; ++n) {
		first[n] = all;
		all += making->parts[n].count;
	}
	const sonde_status status = make_room(sites, all);
	struct joining joining = {making->parts, first, sites->sites};
	if (status == SONDE_OK) {
		threads_for(sites->threads, parts, PARTS_AT_ONCE, join_parts, &joining);
		sites->count = all;
	}
	free(first);
	return status == SONDE_OK ? threads_completed() : status;
}

sonde_status edge_sites_make(struct edge_sites *sites, int64_t count, int64_t grain, edge_sites_maker *make,
			     void *state)
{
	const int64_t parts = (count + grain - 1) / grain;
	struct making making = {.make = make, .state = state, .count = count, .grain = grain};
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&making.parts, (size_t)parts, sizeof *making.parts, WHAT), done);
	for (int64_t n = 0; n < parts; ++n)
		making.parts[n] = (struct edge_sites){.grid = sites->grid, .threads = 1};
	threads_for(sites->threads, parts, 1, make_parts, &making);
	status = atomic_load(&making.failed) ? memory_missing(WHAT) : join(&making, parts, sites);
done:
	for (int64_t n = 0; making.parts != NULL && n < parts; ++n)
		edge_sites_free(&making.parts[n]);
	free(making.parts);
	return status;
}

/* Order ------------------------------------------------------------------------------------ */

static size_t kinds_of(const struct fdtd_grid *grid)
{
	return 3 * ((size_t)grid->cells[0] + 1);
}

/* Nodes of a row. */
static uint64_t row_of(const struct fdtd_grid *grid)
{
	return (uint64_t)grid->cells[2] + 1;
}

static int compare_sites(const void *a, const void *b)
{
	const uint64_t x = ((const struct edge_site *)a)->key, y = ((const struct edge_site *)b)->key;

	return (x > y) - (x < y);
}

/* The sites of each plane's kind, from first[] on, `kept` of them after sorting. */
struct sorting {
	struct edge_site *sites;
	const size_t *first;
	size_t *kept;
};

/* Most come in order. */
static size_t sort_kind(struct edge_site *sites, size_t count)
{
	size_t kept = count > 0 ? 1 : 0;
	bool sorted = true;

	for (size_t n = 1; n < count && sorted; ++n)
		sorted = sites[n - 1].key <= sites[n].key;
	if (!sorted)
		qsort(sites, count, sizeof *sites, compare_sites);
	for (size_t n = 1; n < count; ++n)
		if (sites[n].key != sites[kept - 1].key)
			sites[kept++] = sites[n];
	return kept;
}

static void sort_kinds(void *state, int64_t first, int64_t end, int worker)
{
	const struct sorting *sorting = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		sorting->kept[n] =
		    sort_kind(sorting->sites + sorting->first[n], sorting->first[n + 1] - sorting->first[n]);
}

static uint32_t kind_of(const void *state, const void *item)
{
	return (uint32_t)(((const struct edge_site *)item)->key / *(const uint64_t *)state);
}

/* Sorted sites of each plane's kind, from first[] on, without the gaps that duplicates have left: from place[] on. */
struct closing {
	const struct edge_site *from;
	const size_t *first, *kept;
	size_t *place;
	struct edge_sites *to;
};

/* Copies those that are kept, and finds the first of each row. */
static void close_gaps(void *state, int64_t first, int64_t end, int worker)
{
	const struct closing *closing = state;
	struct edge_sites *to = closing->to;
	const uint64_t row = row_of(to->grid), rows = media_at(to->grid, 1, 0, 0) / row;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		size_t at = closing->place[n];
		if (closing->kept[n] > 0)
			memcpy(to->sites + at, closing->from + closing->first[n],
			       closing->kept[n] * sizeof *to->sites);
		for (uint64_t r = (uint64_t)n * rows; r < (uint64_t)(n + 1) * rows; ++r) {
			while (at < closing->place[n + 1] && to->sites[at].key < r * row)
				++at;
			to->first[r] = (uint32_t)at;
		}
	}
}

/* Sorts the distributed sites and copies those that are kept back. */
static sonde_status sort_and_close(struct edge_sites *sites, struct edge_site *sorted, const size_t *first,
				   size_t *kept, size_t *place)
{
	const size_t kinds = kinds_of(sites->grid),
		     rows = kinds * media_at(sites->grid, 1, 0, 0) / row_of(sites->grid);
	struct sorting sorting = {sorted, first, kept};
	struct closing closing = {sorted, first, kept, place, sites};

	threads_for(sites->threads, (int64_t)kinds, 4, sort_kinds, &sorting);
	CHECK(threads_completed());
	for (size_t n = 0; n < kinds; ++n)
		place[n + 1] = place[n] + kept[n];
	if (place[kinds] > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "more than %u edges at surfaces", UINT32_MAX);
	threads_for(sites->threads, (int64_t)kinds, 4, close_gaps, &closing);
	sites->count = place[kinds];
	sites->first[rows] = (uint32_t)sites->count;
	return threads_completed();
}

sonde_status edge_sites_sort(struct edge_sites *sites)
{
	const size_t kinds = kinds_of(sites->grid),
		     rows = kinds * media_at(sites->grid, 1, 0, 0) / row_of(sites->grid);
	const uint64_t plane = media_at(sites->grid, 1, 0, 0);
	const struct bucket_order order = {(uint32_t)kinds, sites->threads, kind_of, &plane};
	size_t *first = NULL, *kept = NULL, *place = NULL;
	struct edge_site *sorted = NULL;
	sonde_status status;

	free(sites->first);
	CHECK_GOTO(status, memory_allocate_to_fill(&sites->first, rows + 1, sizeof *sites->first, WHAT), done);
	CHECK_GOTO(status, memory_allocate(&first, kinds + 1, sizeof *first, WHAT), done);
	CHECK_GOTO(status, memory_allocate(&kept, kinds, sizeof *kept, WHAT), done);
	CHECK_GOTO(status, memory_allocate(&place, kinds + 1, sizeof *place, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&sorted, sites->count, sizeof *sorted, WHAT), done);
	CHECK_GOTO(status,
		   buckets_distribute(&order, sites->sites, sites->count, sizeof *sorted, WHAT, first, sorted), done);
	status = sort_and_close(sites, sorted, first, kept, place);
done:
	free(first);
	free(kept);
	free(place);
	free(sorted);
	return status;
}

sonde_status edge_sites_join(struct edge_sites *from, struct edge_sites *sites)
{
	if (from->count == 0)
		return SONDE_OK;
	CHECK(memory_grow(&sites->sites, &sites->capacity, sites->count + from->count, sizeof *sites->sites, WHAT));
	memcpy(sites->sites + sites->count, from->sites, from->count * sizeof *from->sites);
	sites->count += from->count;
	edge_sites_free(from);
	return edge_sites_sort(sites);
}

struct edge_site *edge_sites_find(const struct edge_sites *sites, uint64_t key)
{
	const uint64_t row = key / row_of(sites->grid);
	size_t low = sites->first[row], high = sites->first[row + 1];
	const size_t end = high;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (sites->sites[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && sites->sites[low].key == key ? &sites->sites[low] : NULL;
}
