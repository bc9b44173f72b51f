/* Half a time step of a work-item's cells: a field from the differences of the other one, backward for E, forward for
 * H. */
#ifndef SONDE_FDTD_HALF_STEP_H
#define SONDE_FDTD_HALF_STEP_H

#include "fdtd/kernels/item_layers.h"

/* Uniform axes, and components that are stepped, one bit each. The compiler then omits unnecessary code. */
#if !defined(FLAT)
#define FLAT 0u
#endif
#if !defined(COMPONENTS)
#define COMPONENTS 7u
#endif

DEVICE_INLINE u32 is_flat(const u32 axis)
{
	return FLAT >> axis & 1u;
}

DEVICE_INLINE u32 is_stepped(const u32 component)
{
	return COMPONENTS >> component & 1u;
}

DEVICE_INLINE void no_difference(REAL *difference)
{
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v)
		difference[v] = 0;
}

/* Differences to the neighbor of each cell along z: behind for E, ahead for H. `edge` is the one outside the item. */
DEVICE_INLINE void differences_along_z(const u32 of_e, REAL *difference, const REAL *here, REAL edge)
{
	if (is_flat(2u) != 0u)
		no_difference(difference);
	else if (of_e != 0u)
		differences_behind(difference, here, edge);
	else
		differences_ahead(difference, here, edge);
}

/* Differences to the neighbor along y. */
DEVICE_INLINE void differences_along_y(const u32 of_e, REAL *difference, const REAL *here, const REAL *there)
{
	if (is_flat(1u) != 0u)
		no_difference(difference);
	else if (of_e != 0u)
		subtract(CELLS_OF_ITEM, difference, here, there);
	else
		subtract(CELLS_OF_ITEM, difference, there, here);
}

/* Differences from the previous plane for E, to the next one for H. */
DEVICE_INLINE void differences_along_x(REAL *difference, const REAL *to, const REAL *from)
{
	if (is_flat(0u) != 0u)
		no_difference(difference);
	else
		subtract(CELLS_OF_ITEM, difference, to, from);
}

/* The cell of the item behind for E, ahead for H. */
DEVICE_INLINE REAL edge_cell(const u32 of_e, const GLOBAL STORED *here)
{
	return of_e != 0u ? last_cell(here - CELLS_OF_ITEM) : first_cell(here + CELLS_OF_ITEM);
}

/* Data of a work-item's half steps. */
struct half_step {
	const STEP_SPACE struct fdtd_step *step;
	const GLOBAL STORED *stepped, *turning;
	const GLOBAL REAL *profile, *psi;
	GLOBAL STORED *stepped_to;
	GLOBAL REAL *psi_to;
	struct media_of_field media;
};

/* Layers and walls of a component that is stepped, and its transfer to memory. The first difference is along the next
 * axis, the second one along the axis after that. */
DEVICE_INLINE void finish_component(const u32 component, const u32 of_e, const u32 careful,
				    const struct half_step *task, u32 i, struct item item, u64 at,
				    struct layer *layer, const REAL *along_next, const REAL *along_behind,
				    struct stepped_cells *cells)
{
	const u64 place = component * task->step->volume + at;
	const u32 next = (component + 1u) % 3u, behind = (component + 2u) % 3u;

	if (is_stepped(component) == 0u)
		return;
	if (careful != 0u) {
		/* in the order of the axes */
		UNROLL
		for (u32 axis = 0; axis < 3u; ++axis) {
			if (axis == next)
				absorb_in(task->profile, task->psi, task->psi_to, task->step, of_e, axis, 1u, i, item,
					  layer, along_next, cells);
			if (axis == behind)
				absorb_in(task->profile, task->psi, task->psi_to, task->step, of_e, axis, 0u, i, item,
					  layer, along_behind, cells);
		}
		keep_walls(task->step, of_e, component, i, item.j, item.k, task->stepped + place, cells);
	}
	store_field(task->stepped_to + place, cells->field);
}

/* Too few work-items with layers run at the same time to hide the latency: therefore they also load the data of the
 * next plane. */
DEVICE_INLINE void prefetch_plane(const struct half_step *task, struct item item, u64 at, u64 ahead, u32 next_plane,
				  const struct layer *layer)
{
	const STEP_SPACE struct fdtd_step *const step = task->step;

	PREFETCH(task->turning + at);
	PREFETCH(task->turning + at + step->volume + ahead);
	PREFETCH(task->turning + at + 2u * step->volume + ahead);
	for (u32 a = 0; a < 3u; ++a)
		PREFETCH(task->stepped + at + a * step->volume);
	if (layer->here == 0u || (item.axis == 0u && in_layer(step, 0u, next_plane) == 0u))
		return;
	PREFETCH(task->psi + layer->at + step->psi_plane[item.axis]);
	PREFETCH(task->psi + layer->at + step->psi_plane[item.axis] + step->psi_size[item.axis]);
}

/* In all planes of the item. `careful`: whether there may be layers and walls. A work-item keeps the data that it
 * needs from the plane before. */
DEVICE_INLINE void step_half(const u32 of_e, const u32 careful, const u32 bytes, const struct half_step *task,
			     struct item item)
{
	const STEP_SPACE struct fdtd_step *const step = task->step;
	const u64 volume = step->volume, plane = step->plane, row = step->to_next_row;
	const GLOBAL STORED *const turning = task->turning;
	const GLOBAL REAL *const x_scale = profile_of(step, task->profile, of_e, 0u), *const z_scale =
											  profile_of(step,
												     task->profile,
												     of_e, 2u) +
											  item.k;
	u64 at = step->before + (item.begin + 1u) * plane + item.j * step->row + item.k;
	/* the plane before for E, the next one for H: of the component along y and along z */
	REAL y_there[CELLS_OF_ITEM], z_there[CELLS_OF_ITEM];
	struct scales scales;
	struct layer layer; /* of the box's axis */
	struct media_here media_next = media_here(bytes, step, &task->media, item.begin, item.j, item.k);
	const i64 to_row = of_e != 0u ? -(i64)row : (i64)row;
	const u64 ahead = of_e != 0u ? 0u : plane, behind = of_e != 0u ? plane : 0u;

	load_field(y_there, turning + volume + at - behind);
	load_field(z_there, turning + 2u * volume + at - behind);
	scales.y = profile_of(step, task->profile, of_e, 1u)[item.j];
	if (careful != 0u) {
		load(scales.z, z_scale);
		find_layer(step, of_e, item.axis, item.begin, item.j, item.k, &layer);
	} else {
		UNROLL
		for (u32 v = 0; v < CELLS_OF_ITEM; ++v)
			scales.z[v] = z_scale[0]; /* the same for all */
	}
	UNROLL_BY(1)
	for (u32 i = item.begin; i < item.end; ++i, at += plane) {
		REAL x[CELLS_OF_ITEM], y[CELLS_OF_ITEM], z[CELLS_OF_ITEM], x_row[CELLS_OF_ITEM], z_row[CELLS_OF_ITEM];
		if (careful != 0u && is_flat(0u) == 0u && i + 1u < item.end)
			prefetch_plane(task, item, at + plane, ahead, i + 1u, &layer);
		struct stepped_cells of_x, of_y, of_z;
		struct differences d;
		const GLOBAL STORED *const here = turning + at;
		const struct media_here medium = media_next;
		media_next = media_here(bytes, step, &task->media, i + 1u, item.j, item.k);
		load_field(x, here);
		load_field(y, here + volume + ahead);
		load_field(z, here + 2u * volume + ahead);
		load_field(x_row, here + to_row);
		load_field(z_row, here + 2u * volume + to_row);
		const REAL x_edge = edge_cell(of_e, here), y_edge = edge_cell(of_e, here + volume);
		load_field(of_x.field, task->stepped + at);
		load_field(of_y.field, task->stepped + volume + at);
		load_field(of_z.field, task->stepped + 2u * volume + at);
		scales.x = x_scale[i];
		if (careful != 0u) {
			if (item.axis == 0u)
				find_layer(step, of_e, 0u, i, item.j, item.k, &layer);
			load_layer(step, task->psi, item.axis, &layer);
		}
		/* one component after the other, so that each needs few registers */
		differences_along_y(of_e, d.zy, of_e != 0u ? z : z_there, z_row);
		differences_along_z(of_e, d.yz, of_e != 0u ? y : y_there, y_edge);
		turn_component(bytes, CELLS_OF_ITEM, 0u, step, &task->media, medium.of[0], i, item.j, item.k, &scales,
			       &d, &of_x);
		finish_component(0u, of_e, careful, task, i, item, at, &layer, d.zy, d.yz, &of_x);
		differences_along_z(of_e, d.xz, x, x_edge);
		differences_along_x(d.zx, z, z_there);
		turn_component(bytes, CELLS_OF_ITEM, 1u, step, &task->media, medium.of[1], i, item.j, item.k, &scales,
			       &d, &of_y);
		finish_component(1u, of_e, careful, task, i, item, at, &layer, d.xz, d.zx, &of_y);
		differences_along_x(d.yx, y, y_there);
		differences_along_y(of_e, d.xy, x, x_row);
		turn_component(bytes, CELLS_OF_ITEM, 2u, step, &task->media, medium.of[2], i, item.j, item.k, &scales,
			       &d, &of_z);
		finish_component(2u, of_e, careful, task, i, item, at, &layer, d.yx, d.xy, &of_z);
		if (careful != 0u)
			layer.at += step->psi_plane[item.axis];
		UNROLL
		for (u32 v = 0; v < CELLS_OF_ITEM; ++v) {
			y_there[v] = y[v];
			z_there[v] = z[v];
		}
	}
}

#endif
