/* A long list of distances, many of which lie close to each other, as a shorter one with the same sums of sin(q r)/(q r)
 * within some roundings: windows of consecutive entries become LIST_NODES distances each (kernels/list_nodes.k). The
 * distances of a histogram, 2 for each bin, become a tenth or less of them.
 *
 * Whether and how a list is condensed depends on its entries and on the largest q only, so that the bits of a result do
 * not depend on the machine. */
#ifndef SONDE_DEBYE_CONDENSED_LIST_H
#define SONDE_DEBYE_CONDENSED_LIST_H

#include <stddef.h>

#include "debye/debye.h"

/* Empty at first: zeroes. The arrays are followed by LIST_PADDING zeros. */
struct condensed_list {
	const double *r, *weight_over_r; /* of the entries: own ones, or those of the list if it stays as it is */
	uint32_t count;
	double *own_r, *own_weights;
	size_t r_capacity, weight_capacity;
	struct list_block *blocks;
	size_t block_capacity;
};

/* Replaces the content by the list `r`, `weight_over_r` of `count` entries, condensed for q from 0 to q_last. The list is
 * followed by LIST_PADDING zeros, should be roughly in the order of r, and must remain unchanged while the result is used.
 * `processor` is a CPU. */
sonde_status condensed_list_make(sonde_context *context, struct device *processor, const double *r,
				 const double *weight_over_r, uint32_t count, double q_last,
				 struct condensed_list *condensed);
void condensed_list_free(struct condensed_list *condensed);

#endif
