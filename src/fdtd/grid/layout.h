/* Where the numbers of a grid are on a device: see step_layout.h. */
#ifndef SONDE_FDTD_GRID_LAYOUT_H
#define SONDE_FDTD_GRID_LAYOUT_H

#include <stdbool.h>

#include "fdtd/grid/grid.h"
#include "fdtd/grid/step_layout.h"

/* How many numbers fields and what belongs to them have. */
struct layout_sizes {
	uint64_t field, psi, profile;
};

/* All of a layout but for media, boxes and how rows are shared. `on_gpu`: for the kernels of fields_gpu.h. */
void layout_make(const struct fdtd_grid *grid, bool on_gpu, struct fdtd_step *layout, struct layout_sizes *sizes);

/* Where a component's edge or face of a node is, 0 <= k <= cells. What lies on a conductor behind the rows has one place for all rows of a plane, which
 * nobody steps, where rows have no room for it. Where nothing depends on y all its nodes have one place. */
uint64_t layout_place(const struct fdtd_step *layout, int component, int i, int j, int k);
/* The node and component of a place. */
int layout_node(const struct fdtd_step *layout, uint64_t place, int node[3]);

#endif
