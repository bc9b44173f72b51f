/* Surfaces without stairs: edges near them whose E follows from D of several edges. */
#ifndef SONDE_FDTD_MEDIA_SMOOTH_H
#define SONDE_FDTD_MEDIA_SMOOTH_H

#include "fdtd/media/edge_lists.h"
#include "fdtd/media/paint.h"

/* An edge's permittivity along itself; 0 where it is none of these. */
double smooth_edges_permittivity(const struct smooth_edges *edges, int component, const int node[3]);

/* Behind paint_scene() and paint_means(): all other edges near surfaces get the tensor of the inverse permittivity that a plane through their unit
 * cell has (Farjadpour et al., Opt. Lett. 31 (2006) 2972; Kottke, Farjadpour and Johnson, Phys. Rev. E 77 (2008) 036611). Elements of the diagonal are
 * those of the edges' cells, the others those of the nodes' cells: E along x meets D along y with the mean of both its ends, and there of
 * the edges on both sides (Werner and Cary, J. Comput. Phys. 226 (2007) 1085). That is symmetric; and for each octant about each node,
 * with its three edges' elements, no eigenvalue is below 0 or above what the step of time allows, for which elements off the diagonal are made
 * smaller where they have to. Then the whole is a sum of such octants, and stable. Errors are of first order in the end, as those of all such schemes that
 * are stable (Werner, Bauer and Cary, J. Comput. Phys. 255 (2013) 436), but a third of those that stairs have.
 *
 * These edges get a medium that does nothing but take rot H, which is D's change, and the list becomes media->smooth. Edges at conductors, at voxels, and at media
 * with losses or poles stay as they are; so does what would be coupled with them. In absorbing layers bodies go on as paint_place() says: then no tensor couples E that
 * the layer stretches with E that it does not. */
sonde_status paint_smooth(const struct scene *scene, struct media *media);

#endif
