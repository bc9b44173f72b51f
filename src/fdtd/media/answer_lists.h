/* The lists of a grid's answers (answers.h), made by all threads. */
#ifndef SONDE_FDTD_MEDIA_ANSWER_LISTS_H
#define SONDE_FDTD_MEDIA_ANSWER_LISTS_H

#include "fdtd/media/answers_of_node.h"

/* The answers of all nodes, by kinds, in each of them in the order of the nodes, which are sorted by their keys. */
sonde_status answer_lists_make(const struct fdtd_grid *grid, const struct media *media,
			       const struct edge_sites *edges, const struct answer_node *nodes, size_t count,
			       int threads, struct answers *answers);
/* Weights of each edge in the answers, in the order of the answers. */
sonde_status answer_lists_terms(const struct fdtd_grid *grid, int threads, struct answers *answers);

#endif
