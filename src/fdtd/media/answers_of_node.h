/* Contribution of the media around a node to a grid's answers: see answers.h. */
#ifndef SONDE_FDTD_MEDIA_ANSWERS_OF_NODE_H
#define SONDE_FDTD_MEDIA_ANSWERS_OF_NODE_H

#include "fdtd/media/edge_lists.h"
#include "fdtd/media/edge_sites.h"
#include "fdtd/media/unit_cell.h"

struct answer_node {
	uint64_t key; /* of its edge along x */
	enum cell_content content;
	bool couples; /* its surface is neither flat across an axis nor one of lossless media alone */
	struct cell_surface surface;
};

/* Answers in the order of insertion, which answers_of_node() leaves to be numbered. */
struct answer_list {
	const struct fdtd_grid *grid;
	const struct media *media;
	const struct edge_sites *edges; /* all that have answers, sorted */
	struct answers *answers;
	size_t capacity, kind_capacity;
};

/* Whether E of an edge may be a sum of answers: it is stepped, and not a conductor's, nor cut by one. */
bool answers_may_have(const struct fdtd_grid *grid, const struct media *media, int component, const int node[3]);
/* The number of a kind, which is added if it is new. */
sonde_status answers_find_kind(struct answers *answers, size_t *capacity, const struct answer_kind *wanted,
			       uint16_t *number);
sonde_status answers_of_node(struct answer_list *list, const struct answer_node *node);

#endif
