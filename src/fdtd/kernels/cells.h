/* Common parts of the kernels of the steps: rows of cells along z. */
#ifndef SONDE_FDTD_CELLS_H
#define SONDE_FDTD_CELLS_H

#include "fdtd/grid/step_layout.h"

/* Where a kernel has the grid: in a buffer, or as its argument. */
#if !defined(STEP_SPACE)
#define STEP_SPACE GLOBAL
#endif

/* A row of cells along z, and the place of its first node in a component. */
struct row_place {
	u32 i, j;
	u64 at;
};

DEVICE_INLINE struct row_place row_place_of(const STEP_SPACE struct fdtd_step *step, u32 i, u32 j)
{
	const struct row_place place = {i, j, step->before + (i + 1u) * step->plane + j * step->row};

	return place;
}

DEVICE_INLINE u64 axis_stride(const STEP_SPACE struct fdtd_step *step, u32 axis)
{
	return axis == 0u ? step->plane : axis == 1u ? step->to_next_row : 1u;
}

DEVICE_INLINE u32 in_layer(const STEP_SPACE struct fdtd_step *step, u32 axis, u32 node)
{
	return node < step->low[axis] || node >= step->high[axis] ? 1u : 0u;
}

/* Where the convolutions of a node in a layer are stored. */
DEVICE_INLINE u32 layer_slot(const STEP_SPACE struct fdtd_step *step, u32 axis, u32 node)
{
	return node < step->low[axis] ? node : node - step->high[axis] + step->low[axis];
}

/* Convolutions along x or y of a row in a layer of that axis; those along z of any row. */
DEVICE_INLINE u64 psi_place(const STEP_SPACE struct fdtd_step *step, u32 axis, struct row_place place)
{
	const u32 i = axis == 0u ? layer_slot(step, 0u, place.i) : place.i,
		  j = axis == 1u ? layer_slot(step, 1u, place.j) : place.j;

	return i * step->psi_plane[axis] + j * step->psi_row[axis];
}

/* The number of the medium at a place, with this many bytes; 0: there is only one. */
DEVICE_INLINE u32 medium_at(const u32 bytes, const GLOBAL unsigned char *index, u64 at)
{
	return bytes == 1u ? index[at] : bytes == 2u ? ((const GLOBAL unsigned short *)index)[at] : 0u;
}

#endif
