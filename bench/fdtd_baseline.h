/* What sonde fdtd is compared with: Yee's scheme as a first program would write it. */
#ifndef SONDE_BENCH_FDTD_BASELINE_H
#define SONDE_BENCH_FDTD_BASELINE_H

/* Steps a cube of so many cells a side in a box of conductors, with two coefficients for each edge, in float32; returns cells times
 * steps a second, on all threads; 0 without memory. */
double fdtd_baseline(int cells, int steps);

#endif
