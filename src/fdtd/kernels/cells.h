/* Common parts of the kernels of the steps: rows of cells along z. */
#ifndef SONDE_FDTD_CELLS_H
#define SONDE_FDTD_CELLS_H

#include "fdtd/grid/step_layout.h"

/* Where a kernel has the grid: in a buffer, or as its argument. */
#if !defined(STEP_SPACE)
#define STEP_SPACE GLOBAL
#endif

#if ITEMS_ARE_ADJACENT
/* Work-items side by side along a row; a work-item has the same cells in all loops, so that it need not wait for
 * others. */
#if defined(ITEMS_OF_ROW)
#define ROW_ITEMS ITEMS_OF_ROW
#else
#define ROW_ITEMS LOCAL_SIZE
#endif
#define CELLS(k, begin, end)                                          \
	for (u32 k = LOCAL_ID % ROW_ITEMS; k < (end); k += ROW_ITEMS) \
		if (k >= (begin))
/* a work-item goes through the segments of its own cells, one after the other */
#define FOR_SEGMENTS(s, begin, end)                                                               \
	for (u32 k_ = LOCAL_ID % ROW_ITEMS, s = 0; s = k_ / SEGMENT, k_ < (end); k_ += ROW_ITEMS) \
		if (k_ >= (begin))
#define SEGMENT_BEGIN(s, begin) k_
#define SEGMENT_END(s, end) (k_ + 1u)
#define CELLS_OF_SEGMENT(k, begin, end) for (u32 k = (begin); k < (end); ++k)
#else
#define ROW_ITEMS 1u
#define CELLS(k, begin, end) SIMD_LOOP for (u32 k = (begin); k < (end); ++k)
/* segments of cells begin to end - 1, and the cells of each */
#define FOR_SEGMENTS(s, begin, end) for (u32 s = (begin) / SEGMENT; s * SEGMENT < (end); ++s)
#define SEGMENT_BEGIN(s, begin) ((s)*SEGMENT > (begin) ? (s)*SEGMENT : (begin))
#define SEGMENT_END(s, end) ((s)*SEGMENT + SEGMENT < (end) ? (s)*SEGMENT + SEGMENT : (end))
#define CELLS_OF_SEGMENT(k, begin, end) CELLS(k, begin, end)
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
