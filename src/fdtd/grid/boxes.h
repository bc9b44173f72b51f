/* How GPUs divide the cells of a grid: the inside, where all cells are alike, goes to a lean kernel; the shell around
 * it, with layers and walls, to one that handles them. The kernels find their cells by the same rules:
 * kernels/items.h. */
#ifndef SONDE_FDTD_GRID_BOXES_H
#define SONDE_FDTD_GRID_BOXES_H

#include "fdtd/grid/grid.h"
#include "fdtd/grid/step_layout.h"

/* Work-group layout of a kernel. */
struct group_shape {
	uint32_t items, cells_of_item; /* powers of two */
	uint32_t planes_log;           /* a group goes through 2^planes_log planes */
	uint32_t overlap; /* of neighboring groups along z, if rows have more than one: see step_layout.h */
};

/* Divides the grid: the shell around the inside, and the inside for half and for whole steps. If layers and walls
 * leave no inside, it is empty. */
void boxes_make(const struct fdtd_grid *grid, struct fdtd_step *layout, const struct group_shape *half,
		const struct group_shape *whole, const struct group_shape *around);
/* Number of work-groups that step planes first to end - 1 of boxes begin_box to end_box - 1. */
uint32_t boxes_groups(const struct fdtd_step *layout, uint32_t begin_box, uint32_t end_box, uint32_t first,
		      uint32_t end);

/* Makes a box of a layout that of some cells. */
void boxes_set_one(struct fdtd_step *layout, uint32_t n, const uint32_t begin[3], const uint32_t end[3],
		   const struct group_shape *shape);

#endif
