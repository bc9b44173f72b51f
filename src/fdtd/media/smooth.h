/* Surfaces without staircasing: edges near them whose E follows from D of several edges. */
#ifndef SONDE_FDTD_MEDIA_SMOOTH_H
#define SONDE_FDTD_MEDIA_SMOOTH_H

#include "fdtd/media/edge_lists.h"
#include "fdtd/media/paint.h"

/* An edge's permittivity along itself; 0 if it is not one of these. */
double smooth_edges_permittivity(const struct smooth_edges *edges, int component, const int node[3]);

/* After paint_scene() and paint_means(): all other edges near surfaces get the inverse permittivity tensor of their
 * unit cell, with a plane surface through it (Farjadpour et al., Opt. Lett. 31 (2006) 2972; Kottke, Farjadpour and
 * Johnson, Phys. Rev. E 77 (2008) 036611). Elements of the diagonal are those of the edges' cells, the others those
 * of the nodes' cells: E along x couples to D along y by the mean of both its ends, and there of the edges on both
 * sides (Werner and Cary, J. Comput. Phys. 226 (2007) 1085). That is symmetric; and for each octant about each node,
 * with its three edges' elements, no eigenvalue is below 0 or above what the time step allows, for which
 * off-diagonal elements are reduced if necessary. The total is a sum of such octants, and so is stable. Errors are
 * ultimately of first order, as in all such schemes that are stable (Werner, Bauer and Cary, J. Comput. Phys. 255
 * (2013) 436), but a third of those of staircasing.
 *
 * These edges get a medium that only takes rot H, which is D's change, and the list becomes media->smooth. Edges at
 * conductors, at voxels, and at media with losses or poles are unchanged; so are edges that would be coupled with
 * them. In absorbing layers bodies continue as described at paint_place(): then no tensor couples stretched
 * components of E with others. */
sonde_status paint_smooth(const struct scene *scene, struct media *media);

#endif
