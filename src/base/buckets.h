/* Lists distributed among buckets by several threads. */
#ifndef SONDE_BASE_BUCKETS_H
#define SONDE_BASE_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Items of `size` bytes; the bucket of each, which is below `buckets`, must not change between calls. */
struct bucket_order {
	uint32_t buckets;
	int threads;
	uint32_t (*bucket)(const void *state, const void *item);
	const void *state;
};

/* Copies the items to `to`, bucket after bucket, in each of them in their order; first[] gets the first item of each
 * bucket and, at its end, their number. Messages name `what`. */
sonde_status buckets_distribute(const struct bucket_order *order, const void *items, size_t count, size_t size,
				const char *what, size_t *first, void *to);

#endif
