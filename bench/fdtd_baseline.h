/* Baseline for sonde fdtd: Yee's scheme in its simplest form. */
#ifndef SONDE_BENCH_FDTD_BASELINE_H
#define SONDE_BENCH_FDTD_BASELINE_H

/* Steps a cube with this many cells per edge in a box of conductors, with two coefficients for each edge, in float32;
 * returns cells times steps per second, on all threads; 0 without memory. */
double fdtd_baseline(int cells, int steps);
/* The same on this many threads; `processor`: cells times steps per second of processor time. */
double fdtd_baseline_on(int threads, int cells, int steps, double *processor);

#endif
