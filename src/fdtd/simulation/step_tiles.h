/* Steps on CPUs by tiles of planes and rows, each many times while it is in the caches: time skewing along x and y
 * (Wonnacott, IPDPS (2000) 171).
 *
 * In step t of n a tile consists of planes b w - t to (b + 1) w - t - 1 and of rows c r - t to (c + 1) r - t - 1. It takes all n
 * steps after the tiles b - 1 and c - 1. Then everything before it is a step ahead of it, and everything behind is not.
 * Tiles of the same b form a strip, which belongs to one thread; it follows the thread of strip b - 1, one tile behind
 * or more. The operations on any place, and their order, are those of steps of all planes.
 *
 * Periodic axes have a seam (tile_pieces.h). In two dimensions there is one plane, and the strips are the steps of a block, n each:
 * a strip follows the one before by as many rows as its steps need. */
#ifndef SONDE_FDTD_SIMULATION_STEP_TILES_H
#define SONDE_FDTD_SIMULATION_STEP_TILES_H

#include "fdtd/simulation/tile_actions.h"

/* w, r, and n; no planes: no tiles. */
struct skewed_tile {
	uint32_t planes, rows, steps;
};

struct step_tiles;

/* Shape of the tiles for caches of this machine, and for at most `steps` steps; no tiles if they are impossible, or of
 * no use. */
struct skewed_tile step_tiles_shape(const struct fields *fields, uint32_t steps);
/* The arrays are not needed any longer. To be released by step_tiles_release(), which accepts null. */
sonde_status step_tiles_make(const struct tiled *tiled, struct skewed_tile shape, struct step_tiles **tiles);
void step_tiles_release(struct step_tiles **tiles);
/* The next `times` steps after `step` completed ones, for which sources and observations are prepared. */
sonde_status step_tiles_run(struct step_tiles *tiles, uint64_t step, uint32_t times);

#endif
