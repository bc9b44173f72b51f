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
#if !defined(CAREFUL)
#define CAREFUL 1
#endif
#if !defined(CELLS_OF_ITEM)
#if REAL_F32
#define CELLS_OF_ITEM 4
#else
#define CELLS_OF_ITEM 2
#endif
#endif
#if CELLS_OF_ITEM == 4
#define REAL_CELLS f32x4
#elif CELLS_OF_ITEM == 2 && REAL_F32
#define REAL_CELLS f32x2
#elif CELLS_OF_ITEM == 2
#define REAL_CELLS f64x2
#endif

/* Where a work-item is: its first cell in the planes that its group goes through. */
struct item {
	u32 j, k, begin, end;
	u32 idle; /* whether it has no cells */
};

/* CAREFUL: whether the kernel is that for the boxes with layers and walls. */
#define FIRST_BOX (CAREFUL ? 1u : 0u)
#define END_BOX (CAREFUL ? BOXES : 1u)

DEVICE_INLINE struct item item_of(const GLOBAL struct fdtd_step *step, const u32 whole, u32 first_plane, u32 end_plane)
{
	struct item item = {0, 0, 0, 0, 1u};
	u32 group = GROUP_ID;

	for (u32 n = FIRST_BOX; n < END_BOX; ++n) {
		const GLOBAL struct fdtd_box *const box = &step->boxes[whole][n];
		const u32 begin = box->begin[0] > first_plane ? box->begin[0] : first_plane,
			  end = box->end[0] < end_plane ? box->end[0] : end_plane, planes = 1u << box->planes_log;
		const u32 groups = begin < end ? ((end - begin + planes - 1u) >> box->planes_log) * box->groups_of_plane : 0u;
		if (group >= groups) {
			group -= groups;
			continue;
		}
		const u32 slab = group / box->groups_of_plane, in_plane = group - slab * box->groups_of_plane;
		const u32 block = in_plane / box->chunks_of_row, chunk = in_plane - block * box->chunks_of_row;
		const u32 along = box->items_log;
		item.j = box->begin[1] + block * (LOCAL_SIZE >> along) + (LOCAL_ID >> along);
		item.k = box->begin[2] +
			 CELLS_OF_ITEM * ((chunk << along) + (LOCAL_ID & ((1u << along) - 1u)));
		item.begin = begin + (slab << box->planes_log);
		item.end = item.begin + planes < end ? item.begin + planes : end;
		item.idle = item.j >= box->end[1] || item.k >= box->end[2] ? 1u : 0u;
		break;
	}
	return item;
}

DEVICE_INLINE void load(REAL *to, const GLOBAL REAL *from)
{
#if CELLS_OF_ITEM == 1
	to[0] = from[0];
#else
	const REAL_CELLS cells = *(const GLOBAL REAL_CELLS *)from;

	to[0] = cells.x;
	to[1] = cells.y;
#if CELLS_OF_ITEM == 4
	to[2] = cells.z;
	to[3] = cells.w;
#endif
#endif
}

DEVICE_INLINE void store(GLOBAL REAL *to, const REAL *from)
{
#if CELLS_OF_ITEM == 1
	to[0] = from[0];
#else
	REAL_CELLS cells;

	cells.x = from[0];
	cells.y = from[1];
#if CELLS_OF_ITEM == 4
	cells.z = from[2];
	cells.w = from[3];
#endif
#if defined(__CUDACC__) && defined(STREAM)
	__stcs((REAL_CELLS *)to, cells); /* not read again soon */
#else
	*(GLOBAL REAL_CELLS *)to = cells;
#endif
#endif
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

DEVICE_INLINE u32 media_row(const GLOBAL struct fdtd_step *step, u32 component, u32 i, u32 j)
{
	return (component * step->planes + i + 1u) * step->rows + j;
}

/* The medium of the segment that cells lie in, of each component. */
struct media_here {
	u32 of[3];
};

DEVICE_INLINE struct media_here media_here(const u32 bytes, const GLOBAL struct fdtd_step *step,
					   const struct media_of_field *media, u32 i, u32 j, u32 k)
{
	struct media_here here = {{0, 0, 0}};

	if (bytes != 0u)
		for (u32 a = 0; a < 3u; ++a)
			here.of[a] =
			    media->segments[(u64)media_row(step, a, i, j) * step->row_segments + k / SEGMENT];
	return here;
}

/* Numbers of a component's cells: field = first field + second rot. All cells lie in one segment. */
DEVICE_INLINE void media_numbers(const u32 bytes, const u32 count, const GLOBAL struct fdtd_step *step,
				 const struct media_of_field *media, u32 medium, u32 component, u32 i, u32 j, u32 k,
				 REAL *first, REAL *second)
{
	const u32 known = bytes == 0u || medium == MIXED ? 0u : medium;
	const REAL one = bytes == 0u ? (REAL)1 : media->table[MEDIUM_NUMBERS * known];
	const REAL other = bytes != 0u		? media->table[MEDIUM_NUMBERS * known + 1u]
			   : media->of_e != 0u ? (REAL)1
					       : (REAL)-1;

	UNROLL
	for (u32 v = 0; v < count; ++v) {
		first[v] = one;
		second[v] = other;
	}
	if (bytes == 0u || medium != MIXED)
		return;
	const u64 at = (u64)media_row(step, component, i, j) * step->row + k;
	UNROLL
	for (u32 v = 0; v < count; ++v) {
		const u32 here = medium_at(bytes, media->index, at + v);
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

DEVICE_INLINE void scales_of(const u32 count, const GLOBAL struct fdtd_step *step,
			     const GLOBAL REAL *profile, u32 of_e, u32 i, u32 j, u32 k, struct scales *scales)
{
	const GLOBAL REAL *const z = profile_of(step, profile, of_e, 2u) + k;

	scales->x = profile_of(step, profile, of_e, 0u)[i];
	scales->y = profile_of(step, profile, of_e, 1u)[j];
	UNROLL
	for (u32 v = 0; v < count; ++v)
		scales->z[v] = CAREFUL ? z[v] : z[0]; /* the same everywhere outside of layers */
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

/* Convolutions of cells: along each axis of the components of the next one and of that behind it. Loaded before all arithmetic. */
struct convolutions {
	REAL of[3][2][CELLS_OF_ITEM];
};

DEVICE_INLINE u32 touches_layer(const struct surroundings *s, const u32 count, const u32 axis)
{
	if (axis == 2u)
		return s->k < s->step->low[2] || s->k + count > s->step->high[2] ? 1u : 0u;
	return in_layer(s->step, axis, axis == 0u ? s->i : s->j);
}

/* Nodes behind the last cell have no place. */
DEVICE_INLINE u32 has_psi_along_z(const GLOBAL struct fdtd_step *step, u32 k)
{
	return k < step->end[2] && in_layer(step, 2u, k) != 0u ? 1u : 0u;
}

DEVICE_INLINE u64 place_of_psi(const struct surroundings *s, const u32 axis, const u32 which, u32 k)
{
	const GLOBAL struct fdtd_step *const step = s->step;
	const struct row_place place = {s->i, s->j, 0};

	return (s->of_e != 0u ? step->e_psi[axis] : step->h_psi[axis]) + psi_place(step, axis, place) +
	       which * step->psi_size[axis] + (axis == 2u ? layer_slot(step, 2u, k) : k);
}

DEVICE_INLINE void load_psi(const u32 count, const struct surroundings *s, const u32 axis, const u32 which,
			    struct convolutions *psi)
{
	if (CAREFUL == 0 || touches_layer(s, count, axis) == 0u)
		return;
	if (axis != 2u && count == CELLS_OF_ITEM) {
		load(psi->of[axis][which], s->psi + place_of_psi(s, axis, which, s->k));
		return;
	}
	UNROLL
	for (u32 v = 0; v < count; ++v)
		if (axis != 2u || has_psi_along_z(s->step, s->k + v) != 0u)
			psi->of[axis][which][v] = s->psi[place_of_psi(s, axis, which, s->k + v)];
}

/* Those of two axes that a component has. */
DEVICE_INLINE void load_component_psi(const u32 count, const u32 component, const struct surroundings *s,
				      struct convolutions *psi)
{
	if (component != 0u)
		load_psi(count, s, 0u, component == 1u ? 0u : 1u, psi);
	if (component != 1u)
		load_psi(count, s, 1u, component == 2u ? 0u : 1u, psi);
	if (component != 2u)
		load_psi(count, s, 2u, component == 0u ? 0u : 1u, psi);
}

/* In a layer along an axis: psi = b psi + c difference, field += second (+-psi). What is not stepped has psi that nobody looks at. */
DEVICE_INLINE void absorb(const u32 count, const struct surroundings *s, const u32 axis, const u32 which,
			  const REAL *difference, struct convolutions *psi, struct stepped_cells *cells)
{
	if (touches_layer(s, count, axis) == 0u)
		return;
	const GLOBAL struct fdtd_step *const step = s->step;
	const u32 node = axis == 0u ? s->i : axis == 1u ? s->j : s->k;
	const GLOBAL REAL *const b = profile_of(step, s->profile, s->of_e, axis) + node + PROFILE_B * step->profile_length[axis],
				 *const c = b + (PROFILE_C - PROFILE_B) * step->profile_length[axis];
	const REAL side = which == 0u ? (REAL)-1 : (REAL)1;
	REAL *const old = psi->of[axis][which];

	UNROLL
	for (u32 v = 0; v < count; ++v) {
		const u32 k = s->k + v, number = axis == 2u ? v : 0u;
		if (axis == 2u && has_psi_along_z(step, k) == 0u)
			continue;
		old[v] = b[number] * old[v] + c[number] * difference[v];
		if (axis == 2u && s->psi_to != 0)
			s->psi_to[place_of_psi(s, 2u, which, k)] = old[v];
		if (k >= cells->begin && k < cells->end)
			cells->field[v] = cells->field[v] + side * cells->second[v] * old[v];
	}
	if (axis != 2u && s->psi_to != 0)
		store(s->psi_to + place_of_psi(s, axis, which, s->k), old);
}

/* field = first field + second (one - other); where it is not stepped it stays. */
DEVICE_INLINE void turn(const u32 count, const struct surroundings *s, const REAL *one_scale,
			const u32 one_along_z, const REAL *one, const REAL *other_scale, const u32 other_along_z,
			const REAL *other, struct stepped_cells *cells)
{
	UNROLL
	for (u32 v = 0; v < count; ++v) {
		const REAL rot = one_scale[one_along_z != 0u ? v : 0u] * one[v] -
				 other_scale[other_along_z != 0u ? v : 0u] * other[v];
		const REAL stepped = cells->first[v] * cells->field[v] + cells->second[v] * rot;
		if (CAREFUL == 0 || (s->k + v >= cells->begin && s->k + v < cells->end))
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
DEVICE_INLINE void step_component(const u32 bytes, const u32 count, const u32 component, const struct surroundings *s,
				  const struct media_of_field *media, u32 medium, const struct scales *scales,
				  const struct differences *d, struct convolutions *psi, struct stepped_cells *cells)
{
	media_numbers(bytes, count, s->step, media, medium, component, s->i, s->j, s->k, cells->first, cells->second);
	if (CAREFUL)
		stepped_range(s, component, cells);
	if (component == 0u)
		turn(count, s, &scales->y, 0u, d->zy, scales->z, 1u, d->yz, cells);
	else if (component == 1u)
		turn(count, s, scales->z, 1u, d->xz, &scales->x, 0u, d->zx, cells);
	else
		turn(count, s, &scales->x, 0u, d->yx, &scales->y, 0u, d->xy, cells);
	if (CAREFUL == 0)
		return;
	if (component != 0u)
		absorb(count, s, 0u, component == 1u ? 0u : 1u, component == 1u ? d->zx : d->yx, psi, cells);
	if (component != 1u)
		absorb(count, s, 1u, component == 2u ? 0u : 1u, component == 2u ? d->xy : d->zy, psi, cells);
	if (component != 2u)
		absorb(count, s, 2u, component == 0u ? 0u : 1u, component == 0u ? d->yz : d->xz, psi, cells);
}

#endif
