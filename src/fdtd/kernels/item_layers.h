/* Absorbing layers of a work-item's cells. Along z layers have whole items: cells that are not in one have convolutions that stay 0. */
#ifndef SONDE_FDTD_ITEM_LAYERS_H
#define SONDE_FDTD_ITEM_LAYERS_H

#include "fdtd/kernels/items.h"

/* Layers of one axis at the cells: the convolutions of the component along the next axis, then of that along the one behind. */
struct layer {
	u32 here; /* whether the cells are in one */
	u64 at;   /* of the first convolution of the first cell */
	REAL b[CELLS_OF_ITEM], c[CELLS_OF_ITEM], psi[2][CELLS_OF_ITEM];
};

/* Where the cells of a node of an axis have their numbers; those of x and y have one for all. */
DEVICE_INLINE void find_layer(const STEP_SPACE struct fdtd_step *step, const GLOBAL REAL *profile, const u32 of_e,
			      const u32 axis, u32 i, u32 j, u32 k, struct layer *layer)
{
	const u32 node = axis == 0u ? i : axis == 1u ? j : k;
	const struct row_place place = {i, j, 0};

	layer->here = in_layer(step, axis, node);
	if (layer->here == 0u)
		return;
	const GLOBAL REAL *const b = profile_of(step, profile, of_e, axis) + PROFILE_B * step->profile_length[axis] +
				     node,
				 *const c = b + (PROFILE_C - PROFILE_B) * step->profile_length[axis];
	layer->at = (of_e != 0u ? step->e_psi[axis] : step->h_psi[axis]) + psi_place(step, axis, place) +
		    (axis == 2u ? layer_slot(step, 2u, k) : k);
	if (axis == 2u) {
		load(layer->b, b);
		load(layer->c, c);
		return;
	}
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v) {
		layer->b[v] = b[0];
		layer->c[v] = c[0];
	}
}

DEVICE_INLINE void load_layer(const STEP_SPACE struct fdtd_step *step, const GLOBAL REAL *psi, const u32 axis,
			      struct layer *layer)
{
	if (layer->here == 0u)
		return;
	load(layer->psi[0], psi + layer->at);
	load(layer->psi[1], psi + layer->at + step->psi_size[axis]);
}

/* psi = b psi + c difference, field += second (+-psi). What is not stepped has psi that nobody looks at. */
DEVICE_INLINE void absorb_in(const STEP_SPACE struct fdtd_step *step, GLOBAL REAL *psi, const u32 axis,
			     struct layer *layer, const REAL *next_difference, struct stepped_cells *next,
			     const REAL *behind_difference, struct stepped_cells *behind)
{
	if (layer->here == 0u)
		return;
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v) {
		layer->psi[0][v] = layer->b[v] * layer->psi[0][v] + layer->c[v] * next_difference[v];
		next->field[v] = next->field[v] + -next->second[v] * layer->psi[0][v];
		layer->psi[1][v] = layer->b[v] * layer->psi[1][v] + layer->c[v] * behind_difference[v];
		behind->field[v] = behind->field[v] + behind->second[v] * layer->psi[1][v];
	}
	store(psi + layer->at, layer->psi[0]);
	store(psi + layer->at + step->psi_size[axis], layer->psi[1]);
}

/* Convolutions of an axis that only few cells have, at corners: from memory and back. */
DEVICE_INLINE void absorb_at_corner(const STEP_SPACE struct fdtd_step *step, const GLOBAL REAL *profile, GLOBAL REAL *psi,
				    const u32 of_e, const u32 axis, u32 i, u32 j, u32 k, const REAL *next_difference,
				    struct stepped_cells *next, const REAL *behind_difference,
				    struct stepped_cells *behind)
{
	struct layer layer;

	find_layer(step, profile, of_e, axis, i, j, k, &layer);
	load_layer(step, psi, axis, &layer);
	absorb_in(step, psi, axis, &layer, next_difference, next, behind_difference, behind);
}

/* Cells that are not stepped keep what they had, `from`: E along a wall is stepped only where some walls let it. */
DEVICE_INLINE void keep_walls(const STEP_SPACE struct fdtd_step *step, const u32 of_e, const u32 component, u32 i, u32 j,
			      u32 k, const GLOBAL REAL *from, struct stepped_cells *cells)
{
	const u32 at_wall =
	    of_e != 0u && ((component != 0u && i < step->first[0]) || (component != 1u && j < step->first[1])) ? 1u
													       : 0u;
	const u32 begin = of_e != 0u && component != 2u ? step->first[2] : 0u,
		  end = at_wall != 0u ? 0u : step->end[2];
	REAL old[CELLS_OF_ITEM];

	if (k >= begin && k + CELLS_OF_ITEM <= end)
		return;
	load(old, from);
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v)
		if (k + v < begin || k + v >= end)
			cells->field[v] = old[v];
}

#endif
