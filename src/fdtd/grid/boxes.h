/* How GPUs share the cells of a grid: the inside, where all cells are alike, goes to a lean kernel; what is around it, with layers
 * and walls, to one that knows them. The kernels find their cells by the same rules: kernels/items.h. */
#ifndef SONDE_FDTD_GRID_BOXES_H
#define SONDE_FDTD_GRID_BOXES_H

#include "fdtd/grid/grid.h"
#include "fdtd/grid/step_layout.h"

/* A kernel's work-groups. */
struct group_shape {
	uint32_t items, cells_of_item; /* powers of two */
	uint32_t planes_log;           /* a group goes through 2^planes_log planes */
};

/* Cuts the grid: what is around the inside, and that for half and for whole steps. Where layers and walls leave no inside, it is empty. */
void boxes_make(const struct fdtd_grid *grid, struct fdtd_step *layout, const struct group_shape *half,
		const struct group_shape *whole, const struct group_shape *around);
/* How many work-groups step planes first to end - 1 of boxes begin_box to end_box - 1. */
uint32_t boxes_groups(const struct fdtd_step *layout, uint32_t begin_box, uint32_t end_box, uint32_t first,
		      uint32_t end);

#endif
