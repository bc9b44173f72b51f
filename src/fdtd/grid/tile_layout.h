/* Layout of two time steps at once (step_twice.k), shared by the host and the kernel.
 *
 * A work-group has a tile of TILE_ROWS rows of TILE_ITEMS work-items, CELLS_OF_ITEM cells each, and goes through
 * planes. The two steps need TILE_HALO more cells on each side, which neighboring groups compute as well: so a tile
 * advances fewer cells than it has. Along z these are whole items. */
#ifndef SONDE_FDTD_GRID_TILE_LAYOUT_H
#define SONDE_FDTD_GRID_TILE_LAYOUT_H

#include "device/kernel.h"

#define TILE_HALO 2u
#define TILE_MOST_APART 24u

/* Cells that a launch advances, and how groups share them. Tiles are numbered along y, then along z, then along x:
 * those next to each other along y share more, and find it in the cache. */
struct fdtd_tiles {
	u32 begin[3], end[3];
	u32 along_z, along_y; /* tiles */
	u32 planes;           /* of a group */
	u32 cells;            /* along z that a tile advances */
	u32 apart;            /* boxes of cells whose results are not stored */
	u32 apart_begin[TILE_MOST_APART][3], apart_end[TILE_MOST_APART][3];
};

/* The medium of E in all cells of a plane of a tile, or MIXED; and whether it is vacuum. */
#define TILE_MEDIUM 0xffffu
#define TILE_VACUUM 0x10000u

/* Convolutions of one step that the next one needs, for each work-group: those of a cell in two planes, of two fields
 * along three axes. */
#define TILE_CONVOLUTIONS (2u * 2u * 3u * 2u)
/* These and values on conductors: numbers of a cell of the tile. */
#define TILE_SCRATCH (TILE_CONVOLUTIONS + 3u)

#endif
