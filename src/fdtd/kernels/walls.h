/* Places at a wall, for the kernels that fill the fields beyond walls. */
#ifndef SONDE_FDTD_WALLS_KERNEL_H
#define SONDE_FDTD_WALLS_KERNEL_H

#include "fdtd/kernels/cells.h"
#include "fdtd/kernels/stored.h"

/* Place n of node -1 of an axis in a component: along x those of the plane, side by side; along y side by side in a
 * row of each plane from `first_plane` on; along z one in each row. */
DEVICE_INLINE u64 wall_place(const GLOBAL struct fdtd_step *step, u32 axis, u32 first_plane, u64 n)
{
	const u64 rows = step->plane / step->row;

	return step->before + (axis == 0u   ? n + step->plane
			       : axis == 1u ? (n / step->row + first_plane + 1u) * step->plane + n % step->row
					    : (n / rows + first_plane + 1u) * step->plane + n % rows * step->row);
}

/* Cells that a work-item fills at place n: if they are stored in words, all of a word along x and y, or none. */
DEVICE_INLINE u32 cells_of_wall(const u32 in_words, u32 axis, u64 n)
{
	return in_words == 0u || axis == 2u ? 1u : n % WORD_CELLS == 0u ? WORD_CELLS : 0u;
}

#endif
