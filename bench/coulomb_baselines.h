/* Baselines for sonde coulomb on an NVIDIA GPU: the kernels of textbooks, and the unit for reciprocal square roots. */
#ifndef SONDE_BENCH_COULOMB_BASELINES_H
#define SONDE_BENCH_COULOMB_BASELINES_H

/* Reciprocal square roots per second of the unit without other work; 0 on other devices. */
double coulomb_rsqrt_ceiling(const char *device);
/* Prints the classic case, 512 x 512 points of a plane and 10,000 charges in float32, by a serial loop, a kernel with one
 * point a thread, and one with eight points a thread, charges in constant memory and coalesced writes (Stone et al., J. Comput.
 * Chem. 28 (2007) 2618). numbers: x, y, z and charge of each. plain: evaluations per second of the serial loop. */
void coulomb_classic(const char *device, const float *numbers, int charges, double plain);

#endif
