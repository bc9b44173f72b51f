/* The matrix of kernel many_product: from distances on nodes to sums over pairs. */
#ifndef SONDE_DEBYE_MANY_NODES_H
#define SONDE_DEBYE_MANY_NODES_H

#include <stdint.h>

#include "base/status.h"

struct many_nodes {
	double per_angstrom; /* nodes */
	double reach;        /* the largest distance that they hold, Angstrom */
	uint32_t count;
	uint32_t columns;        /* points of q, and zeros up to a multiple of MANY_COLUMNS */
	double *matrix;          /* [node][column] */
	double *inverse_squares; /* of the distances, 1/Angstrom^2 */
	/* Errors of sin(qr)/(qr) of a pair, times max(1, qr), root mean squares over many distances: by the method, at the q where it is largest, the same for
	 * all pairs at one distance, over the root of the sum of the squares on the nodes; and by rounding, which is independent for each pair, over
	 * the root of the sum on the nodes. And the largest possible one. */
	double error, rounding, largest_error;
};

/* For distances up to `extent` at the points of q, which increase from at least 0. Freed by many_nodes_free(), also after a failure. */
sonde_status many_nodes_make(const double *q, int64_t points, double extent, int threads, struct many_nodes *nodes);
void many_nodes_free(struct many_nodes *nodes);
/* The number of nodes that distances up to `extent` need. */
uint32_t many_nodes_for(const struct many_nodes *nodes, double extent);

#endif
