/* The steps on GPUs: a work-item has some cells side by side along z, of which it steps all components, and goes through planes. The arithmetic
 * and its order are those of rows.h, so that fields have the same bits. */
#ifndef SONDE_FDTD_ITEMS_H
#define SONDE_FDTD_ITEMS_H

#include "fdtd/kernels/cells.h"

#if REAL_F32
#define REAL f32
#else
#define REAL f64
#endif
/* as many as one load of 16 bytes has */
#if !defined(CELLS_OF_ITEM)
#if REAL_F32
#define CELLS_OF_ITEM 4
#else
#define CELLS_OF_ITEM 2
#endif
#endif
#if CELLS_OF_ITEM == 4
#define REAL_CELLS f32x4
#elif REAL_F32
#define REAL_CELLS f32x2
#else
#define REAL_CELLS f64x2
#endif

/* Where a work-item is: its first cell in the planes that its group goes through, and the group's cells. */
struct item {
	u32 j, k, begin, end;
	u32 plain; /* whether no cell of the group, nor one behind, lies in a layer or at a wall */
};

DEVICE_INLINE struct item item_of(const GLOBAL struct fdtd_step *step, u32 first_plane, u32 end_plane, u32 planes)
{
	const u32 slab = GROUP_ID / step->groups_of_plane, in_plane = GROUP_ID - slab * step->groups_of_plane;
	const u32 block = in_plane / step->chunks_of_row, chunk = in_plane - block * step->chunks_of_row;
	const u32 along = step->items_log, rows = LOCAL_SIZE >> along, cells = CELLS_OF_ITEM << along;
	const u32 j = block * rows, k = chunk * cells;
	struct item item;

	item.j = j + (LOCAL_ID >> along);
	item.k = k + CELLS_OF_ITEM * (LOCAL_ID & ((1u << along) - 1u));
	item.begin = first_plane + slab * planes;
	item.end = item.begin + planes < end_plane ? item.begin + planes : end_plane;
	item.plain = item.begin > step->low[0] && item.end <= step->high[0] && j > step->low[1] &&
			     j + rows <= step->high[1] && k > step->low[2] && k + cells <= step->high[2] &&
			     j + rows <= step->end[1] && k + cells <= step->end[2]
			 ? 1u
			 : 0u;
	return item;
}

DEVICE_INLINE void load(REAL *to, const GLOBAL REAL *from)
{
	const REAL_CELLS cells = *(const GLOBAL REAL_CELLS *)from;

	to[0] = cells.x;
	to[1] = cells.y;
#if CELLS_OF_ITEM == 4
	to[2] = cells.z;
	to[3] = cells.w;
#endif
}

DEVICE_INLINE void store(GLOBAL REAL *to, const REAL *from)
{
	REAL_CELLS cells;

	cells.x = from[0];
	cells.y = from[1];
#if CELLS_OF_ITEM == 4
	cells.z = from[2];
	cells.w = from[3];
#endif
	*(GLOBAL REAL_CELLS *)to = cells;
}

/* Differences of a field along axes, of `count` cells; in the name the component comes first. */
struct differences {
	REAL zy[CELLS_OF_ITEM], yz[CELLS_OF_ITEM], xz[CELLS_OF_ITEM], zx[CELLS_OF_ITEM], yx[CELLS_OF_ITEM], xy[CELLS_OF_ITEM];
};

DEVICE_INLINE void subtract(const u32 count, REAL *difference, const REAL *to, const REAL *from)
{
	UNROLL
	for (u32 v = 0; v < count; ++v)
		difference[v] = to[v] - from[v];
}

/* Media of a field, and how to step with them. */
struct media_of_field {
	const GLOBAL REAL *table;
	const GLOBAL unsigned char *index;
	const GLOBAL unsigned short *segments;
	u32 of_e; /* whether it is E */
};

/* Numbers of a component's cells: field = first field + second rot. All cells lie in one segment. */
DEVICE_INLINE void media_numbers(const u32 bytes, const u32 count, const GLOBAL struct fdtd_step *step,
				 const struct media_of_field *media, u32 component, u32 i, u32 j, u32 k, REAL *first,
				 REAL *second)
{
	if (bytes == 0u) {
		UNROLL
		for (u32 v = 0; v < count; ++v) {
			first[v] = (REAL)1;
			second[v] = media->of_e != 0u ? (REAL)1 : (REAL)-1;
		}
		return;
	}
	const u32 row = (component * step->planes + i + 1u) * step->rows + j;
	const u32 medium = media->segments[(u64)row * step->row_segments + k / SEGMENT];
	if (medium != MIXED) {
		const REAL one = media->table[MEDIUM_NUMBERS * medium], other = media->table[MEDIUM_NUMBERS * medium + 1u];
		UNROLL
		for (u32 v = 0; v < count; ++v) {
			first[v] = one;
			second[v] = other;
		}
		return;
	}
	UNROLL
	for (u32 v = 0; v < count; ++v) {
		const u32 here = medium_at(bytes, media->index, (u64)row * step->row + k + v);
		first[v] = media->table[MEDIUM_NUMBERS * here];
		second[v] = media->table[MEDIUM_NUMBERS * here + 1u];
	}
}

/* Courant numbers over kappa of the cells, along each axis. */
struct scales {
	REAL x, y, z[CELLS_OF_ITEM];
};

DEVICE_INLINE const GLOBAL REAL *profile_of(const GLOBAL struct fdtd_step *step, const GLOBAL REAL *profile, u32 of_e,
					    u32 axis)
{
	return profile + (of_e != 0u ? step->node_profile[axis] : step->half_profile[axis]);
}

DEVICE_INLINE void scales_of(const u32 careful, const u32 count, const GLOBAL struct fdtd_step *step,
			     const GLOBAL REAL *profile, u32 of_e, u32 i, u32 j, u32 k, struct scales *scales)
{
	const GLOBAL REAL *const z = profile_of(step, profile, of_e, 2u) + k;

	scales->x = profile_of(step, profile, of_e, 0u)[i];
	scales->y = profile_of(step, profile, of_e, 1u)[j];
	UNROLL
	for (u32 v = 0; v < count; ++v)
		scales->z[v] = careful != 0u ? z[v] : z[0]; /* the same everywhere outside of layers */
}

/* A component of cells while it is stepped. */
struct stepped_cells {
	REAL field[CELLS_OF_ITEM], first[CELLS_OF_ITEM], second[CELLS_OF_ITEM];
	u32 begin, end; /* of the cells that are stepped */
};

/* What steps of cells share. psi_to is null where others keep the convolutions. */
struct surroundings {
	const GLOBAL struct fdtd_step *step;
	const GLOBAL REAL *profile, *psi;
	GLOBAL REAL *psi_to;
	u32 of_e, i, j, k;
};

/* In a layer along an axis: psi = b psi + c difference, field += second (+-psi). `which`: the component is the next axis (0) or that behind. */
DEVICE_INLINE void absorb(const u32 count, const struct surroundings *s, const u32 axis, const u32 which,
			  const REAL *difference, struct stepped_cells *cells)
{
	const GLOBAL struct fdtd_step *const step = s->step;
	const u32 node = axis == 0u ? s->i : axis == 1u ? s->j : s->k;
	if (axis != 2u ? in_layer(step, axis, node) == 0u
		       : node >= step->low[2] && node + count <= step->high[2])
		return;
	const GLOBAL REAL *const profile = profile_of(step, s->profile, s->of_e, axis) + node;
	const u64 length = step->profile_length[axis];
	const struct row_place place = {s->i, s->j, 0};
	const u64 at = (s->of_e != 0u ? step->e_psi[axis] : step->h_psi[axis]) + psi_place(step, axis, place) +
		       which * step->psi_size[axis] + (axis == 2u ? 0u : s->k);
	const REAL side = which == 0u ? (REAL)-1 : (REAL)1;
	UNROLL
	for (u32 v = 0; v < count; ++v) {
		const u32 k = s->k + v;
		if (k < cells->begin || k >= cells->end || (axis == 2u && in_layer(step, 2u, k) == 0u))
			continue;
		const u64 here = at + (axis == 2u ? layer_slot(step, 2u, k) : v), number = axis == 2u ? v : 0u;
		const REAL psi = profile[PROFILE_B * length + number] * s->psi[here] +
				 profile[PROFILE_C * length + number] * difference[v];
		if (s->psi_to != 0)
			s->psi_to[here] = psi;
		cells->field[v] = cells->field[v] + side * cells->second[v] * psi;
	}
}

/* field = first field + second (one - other); where it is not stepped it stays. */
DEVICE_INLINE void turn(const u32 careful, const u32 count, const struct surroundings *s, const REAL *one_scale,
			const u32 one_along_z, const REAL *one, const REAL *other_scale, const u32 other_along_z,
			const REAL *other, struct stepped_cells *cells)
{
	UNROLL
	for (u32 v = 0; v < count; ++v) {
		const REAL rot = one_scale[one_along_z != 0u ? v : 0u] * one[v] -
				 other_scale[other_along_z != 0u ? v : 0u] * other[v];
		const REAL stepped = cells->first[v] * cells->field[v] + cells->second[v] * rot;
		if (careful == 0u || (s->k + v >= cells->begin && s->k + v < cells->end))
			cells->field[v] = stepped;
	}
}

/* Which cells of a component are stepped: E along a wall only where some walls let it. */
DEVICE_INLINE void stepped_range(const struct surroundings *s, const u32 component, struct stepped_cells *cells)
{
	const GLOBAL struct fdtd_step *const step = s->step;
	const u32 at_wall =
	    s->of_e != 0u && ((component != 0u && s->i < step->first[0]) || (component != 1u && s->j < step->first[1]))
		? 1u
		: 0u;

	cells->begin = s->of_e != 0u && component != 2u ? step->first[2] : 0u;
	cells->end = at_wall != 0u ? 0u : step->end[2];
}

/* One component of cells to its next time. */
DEVICE_INLINE void step_component(const u32 careful, const u32 bytes, const u32 count, const u32 component,
				  const struct surroundings *s, const struct media_of_field *media,
				  const struct scales *scales, const struct differences *d, struct stepped_cells *cells)
{
	media_numbers(bytes, count, s->step, media, component, s->i, s->j, s->k, cells->first, cells->second);
	if (careful != 0u)
		stepped_range(s, component, cells);
	if (component == 0u)
		turn(careful, count, s, &scales->y, 0u, d->zy, scales->z, 1u, d->yz, cells);
	else if (component == 1u)
		turn(careful, count, s, scales->z, 1u, d->xz, &scales->x, 0u, d->zx, cells);
	else
		turn(careful, count, s, &scales->x, 0u, d->yx, &scales->y, 0u, d->xy, cells);
	if (careful == 0u)
		return;
	if (component != 0u)
		absorb(count, s, 0u, component == 1u ? 0u : 1u, component == 1u ? d->zx : d->yx, cells);
	if (component != 1u)
		absorb(count, s, 1u, component == 2u ? 0u : 1u, component == 2u ? d->xy : d->zy, cells);
	if (component != 2u)
		absorb(count, s, 2u, component == 0u ? 0u : 1u, component == 0u ? d->yz : d->xz, cells);
}

#endif
