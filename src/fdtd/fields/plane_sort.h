/* Lists sorted by planes of the grid, by several threads. */
#ifndef SONDE_FDTD_FIELDS_PLANE_SORT_H
#define SONDE_FDTD_FIELDS_PLANE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Items of `size` bytes, each in a plane below `planes`. `compare` is that of qsort() and orders by planes first; items
 * that it takes for equal keep their order if the library's qsort() is stable. */
struct plane_order {
	uint32_t planes;
	int threads;
	uint32_t (*plane)(const void *item);
	int (*compare)(const void *a, const void *b);
};
sonde_status plane_sort(const struct plane_order *order, void *items, size_t count, size_t size);

#endif
