/* Curved and slanted surfaces of perfect conductors. */
#ifndef SONDE_FDTD_MEDIA_PAINT_CONDUCTORS_H
#define SONDE_FDTD_MEDIA_PAINT_CONDUCTORS_H

#include "fdtd/media/scene.h"

/* After paint_means(): edges and faces cut by conductors get an effective length and area, the fraction outside
 * conductors (Dey and Mittra, IEEE Microw. Guided Wave Lett. 7 (1997) 273): area dH/dt = -sum of length E. With E
 * times its length in place of E, the mean over the whole edge, this is the usual step with the permittivity divided
 * by the length and the permeability times the area: only media. The matrix of a step stays symmetric.
 *
 * Small areas between long edges would need smaller time steps. The largest eigenvalue of the step's matrix is at
 * most the largest sum of magnitudes in a row,
 *     sum over the face's edges of length S_aside (2 S_aside + 2 S_across)/area,
 * with the Courant numbers aside, in the face perpendicular to the edge, and across the face. Up to 4 fields cannot
 * grow; that is the value of an uncut cube at a Courant number of 1/2 in three and 0.707 in two dimensions. So areas
 * are enlarged until no row has more; the error is of first order, at few faces. With longer steps nothing is cut
 * (conductors_may_be_cut()), nor next to media with waves faster than in vacuum at any frequency.
 *
 * Edges and faces near voxels stay as painted. *cut: number of cut edges and faces. */
bool conductors_may_be_cut(const struct fdtd_grid *grid);
sonde_status paint_conductors(const struct scene *scene, struct media *media, size_t *cut);

#endif
