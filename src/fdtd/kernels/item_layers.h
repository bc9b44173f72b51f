/* Absorbing layers of a work-item's cells. Along z layers have whole items: cells outside have convolutions that stay
 * 0. */
#ifndef SONDE_FDTD_ITEM_LAYERS_H
#define SONDE_FDTD_ITEM_LAYERS_H

#include "fdtd/kernels/items.h"

/* Layers of one axis at the cells: the convolutions of the component along the next axis, then of that along the axis
 * after it. */
struct layer {
	u32 here; /* whether the cells are in one */
	u64 at;   /* of the first convolution of the first cell */
	REAL psi[2][CELLS_OF_ITEM];
};

DEVICE_INLINE void find_layer(const STEP_SPACE struct fdtd_step *step, const u32 of_e, const u32 axis, u32 i, u32 j,
			      u32 k, struct layer *layer)
{
	const u32 node = axis == 0u ? i : axis == 1u ? j : k;
	const struct row_place place = {i, j, 0};

	layer->here = in_layer(step, axis, node);
	if (layer->here == 0u)
		return;
	layer->at = (of_e != 0u ? step->e_psi[axis] : step->h_psi[axis]) + psi_place(step, axis, place) +
		    (axis == 2u ? layer_slot(step, 2u, k) : k);
}

DEVICE_INLINE void load_layer(const STEP_SPACE struct fdtd_step *step, const GLOBAL REAL *psi, const u32 axis,
			      struct layer *layer)
{
	if (layer->here == 0u)
		return;
	load(layer->psi[0], psi + layer->at);
	load(layer->psi[1], psi + layer->at + step->psi_size[axis]);
}

/* psi = b psi + c difference, field += second (+-psi): - for the component along the next axis. All cells have the
 * same b and c, except along z. */
DEVICE_INLINE void convolve(const STEP_SPACE struct fdtd_step *step, const GLOBAL REAL *profile, const u32 of_e,
			    const u32 axis, const u32 which, u32 node, const REAL *difference, REAL *psi,
			    struct stepped_cells *cells)
{
	FORGET(node);
	const GLOBAL REAL *const from =
	    profile_of(step, profile, of_e, axis) + PROFILE_B * step->profile_length[axis] + node;
	REAL b[CELLS_OF_ITEM], c[CELLS_OF_ITEM];

	if (axis == 2u) {
		load(b, from);
		load(c, from + (PROFILE_C - PROFILE_B) * step->profile_length[axis]);
	} else {
		UNROLL
		for (u32 v = 0; v < CELLS_OF_ITEM; ++v) {
			b[v] = from[0];
			c[v] = from[(PROFILE_C - PROFILE_B) * step->profile_length[axis]];
		}
	}
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v) {
		psi[v] = b[v] * psi[v] + c[v] * difference[v];
		cells->field[v] = cells->field[v] + (which == 0u ? -cells->second[v] : cells->second[v]) * psi[v];
	}
}

/* The convolution of an axis in one component: that of the box's axis is already loaded, those of later axes, which
 * only corners have, are read from memory and written back. psi of cells that are not stepped is never used. */
DEVICE_INLINE void absorb_in(const GLOBAL REAL *profile, const GLOBAL REAL *psi, GLOBAL REAL *psi_to,
			     const STEP_SPACE struct fdtd_step *step, const u32 of_e, const u32 axis, const u32 which,
			     u32 i, struct item item, struct layer *layer, const REAL *difference,
			     struct stepped_cells *cells)
{
	const u64 other = which * step->psi_size[axis];
	const u32 node = axis == 0u ? i : axis == 1u ? item.j : item.k;
	struct layer corner;
	REAL kept[CELLS_OF_ITEM];

	if (item.axis == axis && layer->here != 0u) {
		convolve(step, profile, of_e, axis, which, node, difference, layer->psi[which], cells);
		store(psi_to + layer->at + other, layer->psi[which]);
	}
	if (item.axis >= axis)
		return;
	FORGET(item.j);
	FORGET(item.k);
	find_layer(step, of_e, axis, i, item.j, item.k, &corner);
	if (corner.here == 0u)
		return;
	load(kept, psi + corner.at + other);
	convolve(step, profile, of_e, axis, which, node, difference, kept, cells);
	store(psi_to + corner.at + other, kept);
}

/* Cells that are not stepped keep their values `from`: E along a wall is stepped only at some walls. */
DEVICE_INLINE void keep_walls(const STEP_SPACE struct fdtd_step *step, const u32 of_e, const u32 component, u32 i,
			      u32 j, u32 k, const GLOBAL STORED *from, struct stepped_cells *cells)
{

	FORGET(j);
	FORGET(k);
	const u32 at_wall =
	    of_e != 0u && ((component != 0u && i < step->first[0]) || (component != 1u && j < step->first[1])) ? 1u
													       : 0u;
	const u32 begin = of_e != 0u && component != 2u ? step->first[2] : 0u,
		  end = at_wall != 0u ? 0u : step->end[2];
	REAL old[CELLS_OF_ITEM];

	if (k >= begin && k + CELLS_OF_ITEM <= end)
		return;
	load_field(old, from);
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v)
		if (k + v < begin || k + v >= end)
			cells->field[v] = old[v];
}

#endif
