/* The tile of a work-group that advances cells by two steps: its places, and exchange between its work-items. */
#ifndef SONDE_FDTD_TILE_H
#define SONDE_FDTD_TILE_H

#include "fdtd/grid/tile_layout.h"
#include "fdtd/kernels/item_layers.h"

#if !defined(TILE_ROWS)
#define TILE_ROWS 16u
#endif
#if !defined(TILE_ITEMS)
#define TILE_ITEMS 32u
#endif
#if STORED_16
#define PLANES_AHEAD 0 /* words of the next plane are in registers */
#elif !defined(PLANES_AHEAD)
#define PLANES_AHEAD 1 /* planes of both fields that are copied ahead */
#endif
#if !defined(RIM_ROWS)
#define RIM_ROWS 0u /* at the end of a tile, of which only E is read */
#endif
#define CELLS_ CELLS_OF_ITEM
#define TILE_UNITS (TILE_ROWS * TILE_ITEMS) /* items of the tile */
#define TILE_CELLS (TILE_ITEMS * CELLS_)    /* of a row */
#define TILE_AREA (TILE_ROWS * TILE_CELLS)  /* cells of a plane */
/* along z; in words, whole ones of each cell are needed, since they are rounded together */
#define TILE_HALO_ITEMS (STORED_16 != 0 ? TILE_HALO : (TILE_HALO + CELLS_ - 1u) / CELLS_)
/* Items that step cells. Of a rim, E along x and z is read by those of the row before. */
#define STEPPED_UNITS ((TILE_ROWS - RIM_ROWS) * TILE_ITEMS)
#define UNITS_OF_ITEM ((STEPPED_UNITS + LOCAL_SIZE - 1u) / LOCAL_SIZE) /* of a work-item */
#define ROW_IS_WARP \
	(WARP_SIZE == TILE_ITEMS && STEPPED_UNITS % LOCAL_SIZE == 0u) /* then cells along z pass by registers */

/* Rows of a tile begin in the middle of a sector of 32 bytes of memory. Each item is copied by the work-item of the next
 * one, the last item by the first: so eight of them, whose requests go together, have four sectors, not parts of five. */
#define COPIES_SECTORS (ROW_IS_WARP && STORED_16 == 0)
/* Items of a row in layers along z whose convolutions are copied ahead, and stay in local memory between the steps; 0: none */
#if !defined(Z_ITEMS)
#define Z_ITEMS 0u
#endif
#define Z_AHEAD (PLANES_AHEAD > 1u ? PLANES_AHEAD : 1u)
#define Z_PLANES (Z_AHEAD + 2u) /* of the second step, of the first one, and ahead */
#define Z_CONVOLUTION ((TILE_ROWS - RIM_ROWS) * Z_ITEMS * CELLS_) /* numbers of one of four convolutions of a plane */

#define BY_SIGNALS (HAS_SIGNALS && ROW_IS_WARP && UNITS_OF_ITEM == 1u)
/* A plane of a field in local memory: all components; or x and z, and of y one cell of each unit, that next to another
 * unit. */
#define SHARED_X 0u
#define SHARED_Z TILE_AREA
#define SHARED_Y (2u * TILE_AREA)
#define SHARED_PLANE (3u * TILE_AREA)
#define SHARED_FIELD (2u * TILE_AREA + (TILE_UNITS + CELLS_ - 1u) / CELLS_ * CELLS_)

/* Local memory: planes of E and of H from memory, of which those ahead are being copied; then H after two steps. */
#define E_PLANES (PLANES_AHEAD + 2u)
#define H_PLANES (PLANES_AHEAD + 1u)

/* Cells side by side in a row of the tile. */
struct unit {
	u32 number, row, j, k;
	u32 here;    /* whether they have places in memory */
	u32 copies;  /* whether the cells that its work-item copies have places in memory: see copied_from() */
	u32 stepped; /* whether they may be stepped */
	u32 kept; /* whether this tile's result for them is kept: 0, or 1 + 2 (boxes apart in whose rows and cells they
		      * are, one bit each) */
	u32 inside; /* whether there is no layer or conductor in its row of the tile, unless the plane has one */
	u64 at;     /* their places in plane 0 */
};

/* Whether a node of an axis is stepped, and neither in a layer nor on a conductor. */
DEVICE_INLINE u32 is_inside(const STEP_SPACE struct fdtd_step *step, const u32 axis, u32 node)
{
	return node != 0u && node < step->end[axis] && in_layer(step, axis, node) == 0u ? 1u : 0u;
}

DEVICE_INLINE struct unit unit_of(const STEP_SPACE struct fdtd_step *step, const STEP_SPACE struct fdtd_tiles *tiles,
				  u32 tile, u32 number)
{
	struct unit unit;
	const u32 along_z = tile / tiles->along_y, along_y = tile - along_z * tiles->along_y;
	const u32 row = number / TILE_ITEMS, item = number - row * TILE_ITEMS,
		  first_j = tiles->begin[1] + along_y * (TILE_ROWS - 2u * TILE_HALO),
		  first_k = tiles->begin[2] + along_z * tiles->cells;

	unit.number = number;
	unit.row = row;
	unit.j = first_j + row - TILE_HALO; /* wraps around before node 0, likewise k */
	unit.k = first_k + CELLS_ * item - CELLS_ * TILE_HALO_ITEMS;
	unit.here = number < STEPPED_UNITS && unit.j < step->rows && unit.k < step->row &&
			    unit.k < first_k + tiles->cells + CELLS_ * TILE_HALO_ITEMS
			? 1u
			: 0u;
	unit.stepped = unit.here != 0u && unit.j < step->end[1] && unit.k < step->end[2] ? 1u : 0u;
	unit.kept = unit.stepped != 0u && row >= TILE_HALO && row < TILE_ROWS - TILE_HALO && unit.j < tiles->end[1] &&
			    unit.k >= first_k && unit.k < first_k + tiles->cells && unit.k < tiles->end[2]
			? 1u
			: 0u;
	unit.inside = is_inside(step, 1u, unit.j) != 0u && first_k >= CELLS_ * TILE_HALO_ITEMS &&
			      is_inside(step, 2u, first_k - CELLS_ * TILE_HALO_ITEMS) != 0u &&
			      is_inside(step, 2u, first_k + tiles->cells + CELLS_ * TILE_HALO_ITEMS - 1u) != 0u
			  ? 1u
			  : 0u;
	for (u32 n = 0; n < tiles->apart && unit.kept != 0u; ++n)
		if (unit.j >= tiles->apart_begin[n][1] && unit.j < tiles->apart_end[n][1] &&
		    unit.k >= tiles->apart_begin[n][2] && unit.k < tiles->apart_end[n][2])
			unit.kept |= 2u << n;
#if COPIES_SECTORS
	const u32 copied = item > 0u ? unit.k - CELLS_ : unit.k + TILE_CELLS - CELLS_;
	unit.copies = number < STEPPED_UNITS && unit.j < step->rows && copied < step->row &&
			      copied < first_k + tiles->cells + CELLS_ * TILE_HALO_ITEMS
			  ? 1u
			  : 0u;
	unit.at = step->before + step->plane + unit.j * step->row + (u64)(i64)(int)unit.k;
#else
	unit.copies = unit.here;
	unit.at = step->before + step->plane + (unit.here != 0u ? unit.j * step->row + unit.k : 0u);
#endif
	return unit;
}

/* Cells between a unit and the one that its work-item copies. */
DEVICE_INLINE int copied_from(struct unit unit)
{
#if COPIES_SECTORS
	return unit.number % TILE_ITEMS != 0u ? -(int)CELLS_ : (int)(TILE_CELLS - CELLS_);
#else
	(void)unit;
	return 0;
#endif
}

/* Boxes apart that have cells in a plane, with the bits of unit.kept. */
DEVICE_INLINE u32 apart_in_plane(const STEP_SPACE struct fdtd_tiles *tiles, u32 i)
{
	u32 apart = 0u;

	for (u32 n = 0; n < tiles->apart; ++n)
		if (i >= tiles->apart_begin[n][0] && i < tiles->apart_end[n][0])
			apart |= 2u << n;
	return apart;
}

/* A unit in a plane with cells of these boxes apart. */
DEVICE_INLINE struct unit without_apart(struct unit unit, u32 apart)
{
	if ((unit.kept & apart) != 0u)
		unit.kept = 0u;
	return unit;
}

/* Whether a unit's row is needed: rows of the halo are needed in fewer parts of the steps. */
DEVICE_INLINE u32 in_rows(struct unit unit, const u32 before, const u32 behind)
{
	return unit.row >= before && unit.row + behind < TILE_ROWS ? 1u : 0u;
}

DEVICE_INLINE void copy(REAL *to, const REAL *from)
{
	UNROLL
	for (u32 v = 0; v < CELLS_; ++v)
		to[v] = from[v];
}

DEVICE_INLINE void clear(REAL *to)
{
	UNROLL
	for (u32 v = 0; v < CELLS_; ++v)
		to[v] = 0;
}

DEVICE_INLINE void share(LOCAL REAL *to, const REAL *from)
{
	*(LOCAL REAL_CELLS *)to = pack(from);
}

DEVICE_INLINE void fetch(REAL *to, const LOCAL REAL *from)
{
	unpack(to, *(const LOCAL REAL_CELLS *)from);
}

/* `edge`: which cell of y the units next to this one need. */
DEVICE_INLINE void share_field(LOCAL REAL *shared, struct unit unit, const REAL *x, const REAL *y, const REAL *z,
			       const u32 edge)
{
	share(shared + CELLS_ * unit.number + SHARED_X, x);
	share(shared + CELLS_ * unit.number + SHARED_Z, z);
	if (ROW_IS_WARP == 0)
		shared[SHARED_Y + unit.number] = y[edge];
}

/* The same in a whole plane; along z, all cells of y. */
DEVICE_INLINE void share_plane(LOCAL REAL *shared, struct unit unit, REAL from[3][CELLS_])
{
	share(shared + CELLS_ * unit.number + SHARED_X, from[0]);
	share(shared + CELLS_ * unit.number + SHARED_Z, from[2]);
	if (ROW_IS_WARP == 0)
		share(shared + CELLS_ * unit.number + SHARED_Y, from[1]);
}

/* The cell next to a unit's cells along z: the first one of the unit ahead, the last one of the unit behind. `own`
 * are this unit's cells, `shared` those of all units, `cells` of each. All work-items of a row call this together. */
DEVICE_INLINE REAL cell_ahead(const LOCAL REAL *shared, const u32 cells, struct unit unit, const REAL *own)
{
#if ROW_IS_WARP && REAL_F32
	(void)shared;
	(void)cells;
	(void)unit;
	return U32_AS_F32(WARP_FROM_U32(F32_AS_U32(own[0]), WARP_ID + 1u));
#elif ROW_IS_WARP
	(void)shared;
	(void)cells;
	(void)unit;
	return LANES_AS_F64(WARP_FROM_U64(LANES_AS_U64(own[0]), WARP_ID + 1u));
#else
	(void)own;
	return shared[cells * (unit.number + 1u)];
#endif
}

DEVICE_INLINE REAL cell_behind(const LOCAL REAL *shared, const u32 cells, struct unit unit, const REAL *own)
{
#if ROW_IS_WARP && REAL_F32
	(void)shared;
	(void)cells;
	(void)unit;
	return U32_AS_F32(WARP_FROM_U32(F32_AS_U32(own[CELLS_ - 1u]), WARP_ID - 1u));
#elif ROW_IS_WARP
	(void)shared;
	(void)cells;
	(void)unit;
	return LANES_AS_F64(WARP_FROM_U64(LANES_AS_U64(own[CELLS_ - 1u]), WARP_ID - 1u));
#else
	(void)own;
	return shared[cells * unit.number - 1u];
#endif
}

#endif
