/* Edges of the grid as numbers, in the order of the lists of edges at surfaces: by planes of their nodes, in each
 * those along y and z first, then those along x. */
#ifndef SONDE_FDTD_MEDIA_EDGE_KEY_H
#define SONDE_FDTD_MEDIA_EDGE_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "fdtd/grid/grid.h"

uint64_t edge_key(const struct fdtd_grid *grid, int component, const int node[3]);
/* The component of an edge with this key; its node is written to `node`. */
int edge_of_key(const struct fdtd_grid *grid, uint64_t key, int node[3]);
/* Less than 0, 0 or more than 0, if the key of edge a is less than, equal to or greater than that of edge b. */
int edge_compare(int component_a, const int node_a[3], int component_b, const int node_b[3]);
/* The node `steps` along an axis, continued on the other side of a periodic grid; false if there is none. */
bool edge_key_go(const struct fdtd_grid *grid, const int node[3], int axis, int steps, int to[3]);

#endif
