/* Surfaces of metals, and of other media with poles or losses, without stairs. */
#ifndef SONDE_FDTD_MEDIA_ANSWERS_H
#define SONDE_FDTD_MEDIA_ANSWERS_H

#include "fdtd/grid/list_layout.h"
#include "fdtd/media/mixture.h"
#include "fdtd/media/scene.h"

/* Media with poles whose mean a scalar answer is of: of one alone the answers of all nodes have the same poles, but for their shares. */
struct answer_kind {
	int count;
	uint16_t media[MOST_MIXED];
	uint32_t answers; /* that there are of it */
};

/* X of D, D by sum of parts times that of edges, as E in a mean of media side by side: sum of shares (P of the medium) + permittivity X + charges' = D. */
struct answer {
	int node[3];    /* near which it is */
	uint32_t order; /* in which it was added */
	uint16_t kind;
	double permittivity, conductivity, shares[MOST_MIXED]; /* shares: of the kind's media */
	double weight;                                         /* E of an edge has weight times its part of X */
	uint32_t edges[EDGES_OF_ANSWER];
	double parts[EDGES_OF_ANSWER]; /* 0: none */
};

/* An edge whose E is a sum of answers. */
struct answered_edge {
	int node[3], component;
	uint16_t medium; /* that it would have otherwise */
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

/* Behind paint_scene(), paint_means() and paint_losses(), before paint_smooth(): edges at curved and slanting surfaces of media with poles or conductivities.
 *
 * About each node a cell has a surface's normal n and shares of media; with D, of which each component is the mean of the two edges there,
 *     E = n n <1/epsilon> D + (1 - n n) <epsilon>^-1 D
 * (Farjadpour et al., Opt. Lett. 31 (2006) 2972; for media with poles Deinega and Valuev, Opt. Lett. 32 (2007) 3429). E of an edge is the mean of what
 * the nodes at both its ends give. So E is
 *     sum of weights b X, X = epsilon_k^-1 (b D)
 * over scalar answers, each of them a passive medium of its own that the scheme steps as it steps E of any edge, with the same vectors b on both sides and no
 * eigenvalue of the sum of weights b b above 1. The energy of the whole is the sum of the answers' energies, none of which is negative for any step of time that
 * is stable in each of the media alone: nothing can grow, whatever bodies there are. What D differs by from one edge at a node to the one on the other side makes no
 * E there; with it, single cells ring, as those of stairs do.
 *
 * E that differs along an axis whose edges are not all there (walls, conductors, Bloch's sides) is not coupled with others. Nodes in absorbing layers have
 * none of this: there edges are as they were painted. */
sonde_status paint_answers(const struct scene *scene, struct media *media);
void answers_free(struct answers **answers);

/* X = first X + second (change of D, without what poles answer): see medium_step_of_e(). */
struct medium_step answer_step(const struct media *media, const struct answer *answer);
/* What an edge would have otherwise: the number of a medium; that of `media` where it is none of these. */
uint16_t answers_medium(const struct media *media, const struct fdtd_grid *grid, int component, const int node[3]);

#endif
