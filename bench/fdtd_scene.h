/* What the benches of fdtd step: a cuboid with absorbing layers on all sides, a slab of glass, and a dipole. Failures
 * end the program with their message. */
#ifndef SONDE_BENCH_FDTD_SCENE_H
#define SONDE_BENCH_FDTD_SCENE_H

#include "fdtd/simulation/simulation.h"

#define SCENE_LAYER 11 /* cells of a layer */

void scene_must(sonde_status status);
/* Of some cells along each axis, with the usual Courant number of a half. */
void scene_make_grid(int x, int y, int z, struct fdtd_grid *grid);
/* Vacuum, except for a slab across x in a tenth of the cells. To be freed by media_free(). */
void scene_make_media(const struct fdtd_grid *grid, struct media *media);
/* A constant current in the middle. */
void scene_add_dipole(struct simulation *simulation, const struct media *media);

#endif
