#include "base/buckets.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define PARTS_OF_THREAD 2
#define LEAST_OF_PART 4096 /* items */

/* Parts of the list, each with a table of the number of its items in every bucket, then of their places. */
struct distribution {
	const struct bucket_order *order;
	const char *items;
	size_t count, size, part;
	size_t *places;
	char *to;
};

static void count_parts(void *state, int64_t first, int64_t end, int worker)
{
	const struct distribution *d = state;

	(void)worker;
	for (size_t p = (size_t)first; p < (size_t)end; ++p) {
		size_t *places = d->places + p * d->order->buckets;
		for (size_t n = p * d->part; n < d->count && n < (p + 1) * d->part; ++n)
			++places[d->order->bucket(d->order->state, d->items + n * d->size)];
	}
}

static void copy_parts(void *state, int64_t first, int64_t end, int worker)
{
	const struct distribution *d = state;

	(void)worker;
	for (size_t p = (size_t)first; p < (size_t)end; ++p) {
		size_t *places = d->places + p * d->order->buckets;
		for (size_t n = p * d->part; n < d->count && n < (p + 1) * d->part; ++n) {
			const char *item = d->items + n * d->size;
			memcpy(d->to + d->size * places[d->order->bucket(d->order->state, item)]++, item, d->size);
		}
	}
}

sonde_status buckets_distribute(const struct bucket_order *order, const void *items, size_t count, size_t size,
				const char *what, size_t *first, void *to)
{
	const size_t threads = order->threads > 1 ? (size_t)order->threads : 1, least = LEAST_OF_PART,
		     equal = count / (threads * PARTS_OF_THREAD) + 1, part = equal > least ? equal : least,
		     parts = (count + part - 1) / part;
	struct distribution d = {order, items, count, size, part, NULL, to};
	size_t sum = 0;

	CHECK(memory_allocate(&d.places, parts * order->buckets, sizeof *d.places, what));
	threads_for(order->threads, (int64_t)parts, 1, count_parts, &d);
	for (size_t b = 0; b < order->buckets; ++b) {
		first[b] = sum;
		for (size_t p = 0; p < parts; ++p) {
			const size_t own = d.places[p * order->buckets + b];
			d.places[p * order->buckets + b] = sum;
			sum += own;
		}
	}
	first[order->buckets] = sum;
	threads_for(order->threads, (int64_t)parts, 1, copy_parts, &d);
	free(d.places);
	return threads_completed();
}
