/* Curved and slanting surfaces of perfect conductors. */
#ifndef SONDE_FDTD_MEDIA_PAINT_CONDUCTORS_H
#define SONDE_FDTD_MEDIA_PAINT_CONDUCTORS_H

#include "fdtd/media/scene.h"

/* Behind paint_means(): edges and faces that conductors cut have a length and an area of their own, what is outside of conductors of them (Dey and Mittra, IEEE
 * Microw. Guided Wave Lett. 7 (1997) 273): area dH/dt = -sum of length E. With E times its length in place of E, the mean over the whole edge, that is
 * the usual step with a permittivity divided by the length and a permeability times the area: media, nothing else. The matrix of a step stays symmetric.
 *
 * Small areas between long edges would need smaller steps of time. The largest eigenvalue of the step's matrix is at most the largest sum of magnitudes in a row,
 *     sum over the face's edges of length S_aside (2 S_aside + 2 S_across)/area,
 * with the Courant numbers aside of the edge in the face, and across the face. Up to 4 fields cannot grow; that is an uncut cube's at a Courant number of
 * 1/2 in three and 0.707 in two dimensions. So areas are made so large that no row has more; what that costs is of first order, at few faces. With longer steps
 * nothing is cut (conductors_may_be_cut()), and nothing beside media that are faster than vacuum at any frequency.
 *
 * Edges and faces near voxels stay as they are painted. *cut: how many edges and faces there are. */
bool conductors_may_be_cut(const struct fdtd_grid *grid);
sonde_status paint_conductors(const struct scene *scene, struct media *media, size_t *cut);

#endif
