/* Lists of the edges at surfaces whose E follows from D of several edges: data of media for smooth.h and answers.h. */
#ifndef SONDE_FDTD_MEDIA_EDGE_LISTS_H
#define SONDE_FDTD_MEDIA_EDGE_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "fdtd/grid/list_layout.h"

#define MOST_MIXED 4 /* media in a mean */

/* Of smooth.h ------------------------------------------------------------------------------------ */

#define SMOOTH_NEIGHBORS ((int)NEIGHBORS_OF_EDGE)

/* An edge: E = own D + sum of weights[n] D of the n-th neighbor, given by its number in the list. */
struct smooth_edge {
	int node[3], component;
	double own, weights[SMOOTH_NEIGHBORS];
	uint32_t neighbors[SMOOTH_NEIGHBORS];
};

/* In the order of planes, in each those along y and z first. */
struct smooth_edges {
	size_t count;
	struct smooth_edge *edges;
	size_t held_back; /* nodes at which weights were reduced */
};
void smooth_edges_free(struct smooth_edges **edges);

/* Of answers.h ----------------------------------------------------------------------------------- */

/* Media with poles whose mean a scalar answer is: for a single one the answers of all nodes have the same poles,
 * except for their shares. */
struct answer_kind {
	int count;
	uint16_t media[MOST_MIXED];
	uint32_t answers; /* number of its answers */
};

/* X from D, where D is the sum of parts times that of edges, as E in a mean of media side by side: sum of shares (P
 * of the medium) + permittivity X + charges' = D. */
struct answer {
	int node[3];    /* to which it belongs */
	uint32_t order; /* order of insertion */
	uint16_t kind;
	double permittivity, conductivity, shares[MOST_MIXED]; /* shares: of the kind's media */
	double weight;                                         /* E of an edge has weight times its part of X */
	uint32_t edges[EDGES_OF_ANSWER];
	double parts[EDGES_OF_ANSWER]; /* 0: none */
};

/* An edge whose E is a sum of answers. */
struct answered_edge {
	int node[3], component;
	uint16_t medium; /* otherwise */
};

struct answer_term {
	uint32_t answer;
	double weight;
};

/* Answers by kinds, then by planes of their nodes, edges as by edge_key(). Terms of edge n: first_terms[n] to first_terms[n + 1] - 1. */
struct answers {
	size_t kind_count, count, edge_count;
	struct answer_kind *kinds;
	struct answer *answers;
	struct answered_edge *edges;
	uint32_t *first_terms;
	struct answer_term *terms;
};
void answers_free(struct answers **answers);

#endif
