/* Where the numbers of a grid are on a device: see step_layout.h. */
#ifndef SONDE_FDTD_GRID_LAYOUT_H
#define SONDE_FDTD_GRID_LAYOUT_H

#include <stdbool.h>

#include "fdtd/grid/grid.h"
#include "fdtd/grid/step_layout.h"

/* Numbers of the fields and of their auxiliary data. */
struct layout_sizes {
	uint64_t field, psi, profile;
};

/* All of a layout except media, boxes and the sharing of rows. `on_gpu`: for the kernels of fields_gpu.h. */
void layout_make(const struct fdtd_grid *grid, bool on_gpu, struct fdtd_step *layout, struct layout_sizes *sizes);

/* Number of all convolutions of the layers. */
uint64_t layout_psi(const struct fdtd_step *layout);

/* Place of a component's edge or face of a node, 0 <= k <= cells. Nodes on a conductor at the end of the rows share
 * one place per plane, which is never stepped, if rows have no room for them. If y is uniform all its nodes share one
 * place. */
uint64_t layout_place(const struct fdtd_step *layout, int component, int i, int j, int k);
/* The node and component of a place. */
int layout_node(const struct fdtd_step *layout, uint64_t place, int node[3]);

#endif
