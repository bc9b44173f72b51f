/* The steps on GPUs: a work-item has some cells side by side along z, steps all their components, and goes through
 * planes. The arithmetic and its order are those of rows.h, so that fields have the same bits. */
#ifndef SONDE_FDTD_ITEMS_H
#define SONDE_FDTD_ITEMS_H

/* the grid is an argument of these kernels: so its numbers, common to all work-items, take no registers */
#define STEP_SPACE
#include "fdtd/kernels/cells.h"

#if REAL_F32
#define REAL f32
#else
#define REAL f64
#endif
#include "fdtd/kernels/stored.h"
#if !defined(STORED_16)
#define STORED_16 0
#endif
#if STORED_16
#define STORED unsigned short
#else
#define STORED REAL
#endif
/* numbers in one load of 16 bytes */
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
#else
#define REAL_CELLS REAL
#endif

/* Position of a work-item: its first cell in the planes that its group goes through. */
struct item {
	u32 j, k, begin, end;
	u32 idle; /* whether it has no cells */
	u32 passes_on; /* whether it has cells of another group, or behind the box, and only passes on what neighbors need */
	u32 axis; /* of the layers of its box */
};

/* The item of this work-item in boxes begin_box to end_box - 1, numbered one box after the other. */
DEVICE_INLINE struct item item_of(const STEP_SPACE struct fdtd_step *step, const u32 begin_box, const u32 end_box,
				  u32 first_plane, u32 end_plane)
{
	struct item item = {0, 0, 0, 0, 1u, 0, 0};
	u32 group = GROUP_ID;

	for (u32 n = begin_box; n < end_box; ++n) {
		const STEP_SPACE struct fdtd_box *const box = &step->boxes[n];
		const u32 begin = box->begin[0] > first_plane ? box->begin[0] : first_plane,
			  end = box->end[0] < end_plane ? box->end[0] : end_plane, planes = 1u << box->planes_log;
		const u32 groups =
		    begin < end ? ((end - begin + planes - 1u) >> box->planes_log) * box->groups_of_plane : 0u;
		if (group >= groups) {
			group -= groups;
			continue;
		}
		const u32 slab = group / box->groups_of_plane, in_plane = group - slab * box->groups_of_plane;
		const u32 block = in_plane / box->chunks_of_row, chunk = in_plane - block * box->chunks_of_row;
		const u32 along = box->items_log;
		item.j = box->begin[1] + block * (LOCAL_SIZE >> along) + (LOCAL_ID >> along);
		const u32 items = 1u << along, along_row = LOCAL_ID & (items - 1u);
		const u32 cell = CELLS_OF_ITEM * (chunk * (items - 2u * box->overlap) + along_row - box->overlap);
		item.k = box->begin[2] + cell + (cell >= box->split ? box->gap : 0u);
		item.begin = begin + (slab << box->planes_log);
		item.end = item.begin + planes < end ? item.begin + planes : end;
		item.axis = box->axis;
		item.idle = item.j >= box->end[1] || item.k >= box->end[2] ? 1u : 0u;
		if (box->overlap != 0u) {
			item.passes_on = item.idle != 0u || along_row == 0u || along_row + 1u == items ? 1u : 0u;
			item.idle = item.j >= box->end[1] ? 1u : 0u;
			item.k = item.k < box->end[2] ? item.k : box->end[2];
		}
		break;
	}
	return item;
}

DEVICE_INLINE REAL_CELLS pack(const REAL *from)
{
	REAL_CELLS cells;

#if CELLS_OF_ITEM == 1
	cells = from[0];
#else
	cells.x = from[0];
	cells.y = from[1];
#if CELLS_OF_ITEM == 4
	cells.z = from[2];
	cells.w = from[3];
#endif
#endif
	return cells;
}

DEVICE_INLINE void unpack(REAL *to, const REAL_CELLS cells)
{
#if CELLS_OF_ITEM == 1
	to[0] = cells;
#else
	to[0] = cells.x;
	to[1] = cells.y;
#if CELLS_OF_ITEM == 4
	to[2] = cells.z;
	to[3] = cells.w;
#endif
#endif
}

DEVICE_INLINE void load(REAL *to, const GLOBAL REAL *from)
{
	unpack(to, *(const GLOBAL REAL_CELLS *)from);
}

DEVICE_INLINE void store(GLOBAL REAL *to, const REAL *from)
{
	*(GLOBAL REAL_CELLS *)to = pack(from);
}

/* Fields in memory: numbers, or words of four cells (stored.h), of which STORED is the part of a cell. */
#if STORED_16
DEVICE_INLINE void load_field(REAL *to, const GLOBAL STORED *from)
{
	word_cells(*(const GLOBAL u64 *)from, to);
}

DEVICE_INLINE void store_field(GLOBAL STORED *to, const REAL *from)
{
	*(GLOBAL u64 *)to = word_of(from[0], from[1], from[2], from[3]);
}

/* The numbers that cells have once they have been stored. */
DEVICE_INLINE void round_field(REAL *cells)
{
	(void)word_rounded(cells);
}

/* The same of cells that may be stored. */
DEVICE_INLINE void round_and_store(const u32 stored, GLOBAL STORED *to, REAL *from)
{
	const u64 word = word_rounded(from);

	if (stored != 0u)
		*(GLOBAL u64 *)to = word;
}

/* The first cell of the item ahead, and the last one of the item behind, whose cells begin there. */
DEVICE_INLINE REAL first_cell(const GLOBAL STORED *from)
{
	return word_first(*(const GLOBAL u64 *)from);
}

DEVICE_INLINE REAL last_cell(const GLOBAL STORED *from)
{
	return word_last(*(const GLOBAL u64 *)from);
}
#else
#define load_field(to, from) load((to), (from))
#define store_field(to, from) store((to), (from))
#define round_field(cells) ((void)(cells))
#define round_and_store(stored, to, from) store((to), (from))
#define first_cell(from) (*(from))
#define last_cell(from) ((from)[CELLS_OF_ITEM - 1])
#endif

/* Differences of a field along axes, of `count` cells; in the names the component comes first. */
struct differences {
	REAL zy[CELLS_OF_ITEM], yz[CELLS_OF_ITEM], xz[CELLS_OF_ITEM], zx[CELLS_OF_ITEM], yx[CELLS_OF_ITEM],
	    xy[CELLS_OF_ITEM];
};

DEVICE_INLINE void subtract(const u32 count, REAL *difference, const REAL *to, const REAL *from)
{
	UNROLL
	for (u32 v = 0; v < count; ++v)
		difference[v] = to[v] - from[v];
}

/* Differences to the neighbor ahead along z, and from the neighbor behind; `edge` is the one outside the item. */
DEVICE_INLINE void differences_ahead(REAL *difference, const REAL *here, REAL edge)
{
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v)
		difference[v] = (v + 1 < CELLS_OF_ITEM ? here[v + 1] : edge) - here[v];
}

DEVICE_INLINE void differences_behind(REAL *difference, const REAL *here, REAL edge)
{
	UNROLL
	for (u32 v = 0; v < CELLS_OF_ITEM; ++v)
		difference[v] = here[v] - (v > 0 ? here[v - 1] : edge);
}

/* Media of a field, and the coefficients to step with them. */
struct media_of_field {
	const GLOBAL REAL *table;
	const GLOBAL unsigned char *index;
	const GLOBAL unsigned short *segments;
	u32 of_e; /* whether it is E */
};

DEVICE_INLINE u32 media_row(const STEP_SPACE struct fdtd_step *step, u32 component, u32 i, u32 j)
{
	return (component * step->planes + i + 1u) * step->rows + j;
}

/* The medium of the segment in which the cells lie, of each component. */
struct media_here {
	u32 of[3];
};

DEVICE_INLINE struct media_here media_here(const u32 bytes, const STEP_SPACE struct fdtd_step *step,
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
DEVICE_INLINE void media_numbers(const u32 bytes, const u32 count, const STEP_SPACE struct fdtd_step *step,
				 const struct media_of_field *media, u32 medium, u32 component, u32 i, u32 j, u32 k,
				 REAL *first, REAL *second)
{
	const u32 known = bytes == 0u || medium == MIXED ? 0u : medium;
	const REAL one = bytes == 0u ? (REAL)1 : media->table[MEDIUM_NUMBERS * known];
	const REAL other = bytes != 0u         ? media->table[MEDIUM_NUMBERS * known + 1u]
			   : media->of_e != 0u ? (REAL)1
					       : (REAL)-1;

	UNROLL
	for (u32 v = 0; v < count; ++v) {
		first[v] = one;
		second[v] = other;
	}
	if (bytes == 0u || medium != MIXED)
		return;
	FORGET(j);
	FORGET(k);
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

DEVICE_INLINE const GLOBAL REAL *profile_of(const STEP_SPACE struct fdtd_step *step, const GLOBAL REAL *profile,
					    u32 of_e, u32 axis)
{
	return profile + (of_e != 0u ? step->node_profile[axis] : step->half_profile[axis]);
}

/* A component of cells during its step. */
struct stepped_cells {
	REAL field[CELLS_OF_ITEM], second[CELLS_OF_ITEM];
};

/* field = first field + second (one - other). */
DEVICE_INLINE void turn(const u32 count, const REAL *first, const REAL *one_scale, const u32 one_along_z,
			const REAL *one, const REAL *other_scale, const u32 other_along_z, const REAL *other,
			struct stepped_cells *cells)
{
	UNROLL
	for (u32 v = 0; v < count; ++v) {
		const REAL rot = one_scale[one_along_z != 0u ? v : 0u] * one[v] -
				 other_scale[other_along_z != 0u ? v : 0u] * other[v];
		cells->field[v] = first[v] * cells->field[v] + cells->second[v] * rot;
	}
}

/* One component of cells to its next time, without layers. */
DEVICE_INLINE void turn_component(const u32 bytes, const u32 count, const u32 component,
				  const STEP_SPACE struct fdtd_step *step, const struct media_of_field *media,
				  u32 medium, u32 i, u32 j, u32 k, const struct scales *scales,
				  const struct differences *d, struct stepped_cells *cells)
{
	REAL first[CELLS_OF_ITEM];

	media_numbers(bytes, count, step, media, medium, component, i, j, k, first, cells->second);
	if (component == 0u)
		turn(count, first, &scales->y, 0u, d->zy, scales->z, 1u, d->yz, cells);
	else if (component == 1u)
		turn(count, first, scales->z, 1u, d->xz, &scales->x, 0u, d->zx, cells);
	else
		turn(count, first, &scales->x, 0u, d->yx, &scales->y, 0u, d->xy, cells);
}

#endif
