/* Rates of the mesh of fast patterns on a GPU. */
#ifndef SONDE_BENCH_PATTERN_MESH_H
#define SONDE_BENCH_PATTERN_MESH_H

#include "run/context.h"

/* Times the Fourier transforms of a mesh, large for 1024 points, and the deposit of a thousand times as many random atoms; `bandwidth`:
 * bytes per second of a copy. */
sonde_status bench_mesh(sonde_context *context, struct device *gpu, int64_t points, double bandwidth);

#endif
