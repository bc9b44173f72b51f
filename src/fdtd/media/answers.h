/* Surfaces of metals, and of other media with poles or losses, without stairs. */
#ifndef SONDE_FDTD_MEDIA_ANSWERS_H
#define SONDE_FDTD_MEDIA_ANSWERS_H

#include "fdtd/media/edge_lists.h"
#include "fdtd/media/mixture.h"
#include "fdtd/media/scene.h"

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

/* X = first X + second (change of D, without what poles answer): see medium_step_of_e(). */
struct medium_step answer_step(const struct media *media, const struct answer *answer);
/* What an edge would have otherwise: the number of a medium; that of `media` where it is none of these. */
uint16_t answers_medium(const struct media *media, const struct fdtd_grid *grid, int component, const int node[3]);

#endif
