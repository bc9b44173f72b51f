/* Steps of both fields at once on CPUs, in place. */
#ifndef SONDE_FDTD_FIELDS_FIELDS_CPU_H
#define SONDE_FDTD_FIELDS_FIELDS_CPU_H

#include "fdtd/fields/field_storage.h"

/* Whether grid and device allow it: no field beyond a wall follows from another one. */
bool fields_can_step_in_place(const struct fields *fields);
/* Steps H, then E, in planes first to first + count - 1: bit-identical to fields_step() of H and then of E. */
sonde_status fields_step_both_in_place(struct fields *fields, uint32_t first, uint32_t count);

/* Rows of some planes. */
struct field_tile {
	struct plane_range planes, rows;
};

/* Whether grid and device allow it. */
bool fields_can_step_tiles(const struct fields *fields);
/* Once before fields_step_tile(). */
sonde_status fields_prepare_tiles(struct fields *fields);
/* Steps H and E of a tile, or one of them, with the same bits as fields_step() of H and then of E, if rows and planes before are
 * a step ahead of it, and those behind are not; both parts of complex fields. H beyond magnetic walls, and along z that before the
 * first cells of a periodic grid without a phase, is filled. Threads may call this at the same time. */
enum tile_fields { TILE_BOTH, TILE_H, TILE_E };
sonde_status fields_step_tile(struct fields *fields, const struct field_tile *tile, enum tile_fields stepped);
/* A field beyond a periodic wall across an axis, in the tile's planes and rows along the other axes: E from the first nodes, H
 * from the last ones. */
sonde_status fields_fill_tile(struct fields *fields, enum field field, uint32_t axis, const struct field_tile *tile);

#endif
