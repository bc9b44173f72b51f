#include "fdtd/fields/plane_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define WHAT "a list of places"

struct sorting {
	const struct plane_order *order;
	size_t size;
	char *items;
	const size_t *first; /* of each plane */
};

static void sort_planes(void *state, int64_t begin, int64_t end, int worker)
{
	const struct sorting *sorting = state;
	const size_t size = sorting->size;

	(void)worker;
	for (int64_t p = begin; p < end; ++p) {
		char *items = sorting->items + sorting->first[p] * size;
		const size_t count = sorting->first[p + 1] - sorting->first[p];
		bool sorted = true;
		for (size_t n = 1; n < count && sorted; ++n)
			sorted = sorting->order->compare(items + (n - 1) * size, items + n * size) <= 0;
		if (!sorted)
			qsort(items, count, size, sorting->order->compare);
	}
}

/* Copies the items to their planes, in their order; first[] becomes the first of each plane. */
static sonde_status distribute(const struct plane_order *order, const char *items, size_t count, size_t size,
			       size_t *first, char *to)
{
	size_t *next;

	CHECK(memory_allocate(&next, order->planes, sizeof *next, WHAT));
	for (size_t n = 0; n < count; ++n)
		++first[order->plane(items + n * size) + 1];
	for (uint32_t p = 0; p < order->planes; ++p) {
		next[p] = first[p];
		first[p + 1] += first[p];
	}
	for (size_t n = 0; n < count; ++n)
		memcpy(to + size * next[order->plane(items + n * size)]++, items + n * size, size);
	free(next);
	return SONDE_OK;
}

sonde_status plane_sort(const struct plane_order *order, void *items, size_t count, size_t size)
{
	struct sorting sorting = {.order = order, .size = size};
	size_t *first = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&first, (size_t)order->planes + 1, sizeof *first, WHAT), done);
	CHECK_GOTO(status, memory_allocate(&sorting.items, count, size, WHAT), done);
	CHECK_GOTO(status, distribute(order, items, count, size, first, sorting.items), done);
	sorting.first = first;
	threads_for(order->threads, order->planes, 1, sort_planes, &sorting);
	memcpy(items, sorting.items, count * size);
done:
	free(first);
	free(sorting.items);
	return status;
}
