/* Scattered points by the mesh, stage by stage. */
#ifndef SONDE_BENCH_POINTS_H
#define SONDE_BENCH_POINTS_H

#include "sonde/sonde.h"

/* As many charges as points, at random in a cube with two charges in a cubic Angstrom, potential and field within
 * 1e-6. f32 and f64: measured floating-point operations per second of the device; 0: not known. Ends the process on
 * failure. */
void bench_points(sonde_context *context, const char *device, int count, double f32, double f64);
/* The same number in clusters, along a line and on a sphere, the potential within 3e-5 and 4e-8. */
void bench_uneven_points(sonde_context *context, const char *device, int count);

#endif
