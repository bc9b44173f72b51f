/* Surfaces of metals, and of other media with poles or losses, without staircasing. */
#ifndef SONDE_FDTD_MEDIA_ANSWERS_H
#define SONDE_FDTD_MEDIA_ANSWERS_H

#include "fdtd/media/edge_lists.h"
#include "fdtd/media/mixture.h"
#include "fdtd/media/scene.h"

/* After paint_scene(), paint_means() and paint_losses(), before paint_smooth(): edges at curved and slanted surfaces
 * of media with poles or conductivities.
 *
 * The cell around each node has a surface's normal n and shares of media; with D, of which each component is the mean
 * of the two edges there,
 *     E = n n <1/epsilon> D + (1 - n n) <epsilon>^-1 D
 * (Farjadpour et al., Opt. Lett. 31 (2006) 2972; for media with poles Deinega and Valuev, Opt. Lett. 32 (2007) 3429).
 * E of an edge is the mean of the results of the nodes at both its ends. So E is
 *     sum of weights b X, X = epsilon_k^-1 (b D)
 * over scalar answers, each of them a passive medium of its own that the scheme steps as it steps E of any edge, with
 * the same vectors b on both sides and no eigenvalue of the sum of weights b b above 1. The energy of the whole is
 * the sum of the answers' energies, none of which is negative for any time step that is stable in each of the
 * media alone: nothing can grow, whatever bodies there are. The difference of D between the two edges of an axis at a
 * node contributes no E there; if it did, single cells would ring, as those of staircases do.
 *
 * E along an axis whose edges are not all present (walls, conductors, Bloch sides) is not coupled with others. Nodes
 * in absorbing layers are left out: edges there stay as painted. */
sonde_status paint_answers(const struct scene *scene, struct media *media);

/* X = first X + second (change of D, without the part answered by poles): see medium_step_of_e(). */
struct medium_step answer_step(const struct media *media, const struct answer *answer);
/* The medium that an edge would have otherwise: its number; that of `media` if it is none of these. */
uint16_t answers_medium(const struct media *media, const struct fdtd_grid *grid, int component, const int node[3]);

#endif
