#include "fdtd/fields/plane_sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buckets.h"
#include "base/memory.h"
#include "base/threads.h"

#define WHAT "a list of places"
#define MOST_RUNS 64

struct sorting {
	const struct plane_order *order;
	size_t size;
	char *items, *to;
	const size_t *first; /* of each plane */
};

/* The end of the run, sorted as it is, that begins with item n. */
static size_t end_of_run(const struct sorting *sorting, const char *items, size_t n, size_t count)
{
	const size_t size = sorting->size;

	for (++n; n < count && sorting->order->compare(items + (n - 1) * size, items + n * size) <= 0; ++n)
		;
	return n;
}

/* Merges two runs, of items begin to middle - 1 and middle to end - 1. */
static void merge(const struct sorting *sorting, const char *from, size_t begin, size_t middle, size_t end, char *to)
{
	const size_t size = sorting->size;
	size_t first = begin, second = middle;

	for (size_t n = begin; n < end; ++n) {
		const bool takes_first =
		    second == end ||
		    (first < middle && sorting->order->compare(from + first * size, from + second * size) <= 0);
		memcpy(to + n * size, from + (takes_first ? first++ : second++) * size, size);
	}
}

/* Merges the shortest pair of neighboring runs, by way of `other`. */
static void merge_shortest(const struct sorting *sorting, char *items, size_t *ends, size_t runs, char *other)
{
	size_t best = 0, least = SIZE_MAX, begin = 0;

	for (size_t n = 0; n + 1 < runs; ++n) {
		const size_t both = ends[n + 1] - (n > 0 ? ends[n - 1] : 0);
		best = both < least ? n : best;
		least = both < least ? both : least;
	}
	begin = best > 0 ? ends[best - 1] : 0;
	merge(sorting, items, begin, ends[best], ends[best + 1], other);
	memcpy(items + begin * sorting->size, other + begin * sorting->size, least * sorting->size);
	memmove(&ends[best], &ends[best + 1], (runs - best - 1) * sizeof *ends);
}

/* Sorts a plane's items into `to`, its place in the caller's list: they are a few runs one after the other, those of the
 * faces of a box, or in any order. */
static void sort_plane(const struct sorting *sorting, char *items, size_t count, char *to)
{
	size_t ends[MOST_RUNS], runs = 0;

	for (size_t n = 0; n < count && runs < MOST_RUNS; ++runs)
		ends[runs] = n = end_of_run(sorting, items, n, count);
	if (runs > 0 && ends[runs - 1] < count) {
		qsort(items, count, sorting->size, sorting->order->compare);
		runs = 1;
	}
	for (; runs > 2; --runs)
		merge_shortest(sorting, items, ends, runs, to);
	if (runs == 2)
		merge(sorting, items, 0, ends[0], ends[1], to);
	else if (count > 0)
		memcpy(to, items, count * sorting->size);
}

static void sort_planes(void *state, int64_t begin, int64_t end, int worker)
{
	const struct sorting *sorting = state;

	(void)worker;
	for (int64_t p = begin; p < end; ++p)
		sort_plane(sorting, sorting->items + sorting->first[p] * sorting->size,
			   sorting->first[p + 1] - sorting->first[p],
			   sorting->to + sorting->first[p] * sorting->size);
}

static uint32_t plane_of(const void *state, const void *item)
{
	const struct plane_order *order = state;

	return order->plane(item);
}

sonde_status plane_sort(const struct plane_order *order, void *items, size_t count, size_t size)
{
	const struct bucket_order planes = {order->planes, order->threads, plane_of, order};
	struct sorting sorting = {.order = order, .size = size, .to = items};
	size_t *first = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&first, (size_t)order->planes + 1, sizeof *first, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&sorting.items, count, size, WHAT), done);
	CHECK_GOTO(status, buckets_distribute(&planes, items, count, size, WHAT, first, sorting.items), done);
	sorting.first = first;
	threads_for(order->threads, order->planes, 1, sort_planes, &sorting);
	status = threads_completed();
done:
	free(first);
	free(sorting.items);
	return status;
}
