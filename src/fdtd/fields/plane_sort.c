#include "fdtd/fields/plane_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/buckets.h"
#include "base/memory.h"
#include "base/threads.h"

#define WHAT "a list of places"

struct sorting {
	const struct plane_order *order;
	size_t size;
	char *items, *to;
	const size_t *first; /* of each plane */
};

/* Sorts and copies back. */
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
		memcpy(sorting->to + sorting->first[p] * size, items, count * size);
	}
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
