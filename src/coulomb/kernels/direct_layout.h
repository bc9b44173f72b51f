/* The layout of the kernels of the direct sum, shared by kernels and host. */
#ifndef SONDE_COULOMB_KERNELS_DIRECT_LAYOUT_H
#define SONDE_COULOMB_KERNELS_DIRECT_LAYOUT_H

#define CHUNK 256u /* charges that are summed in float32 before they are added to a float64 sum */

/* Sets of charges at the same positions, which share the cost of distances: as many as a kernel takes at a time
 * (else one), and numbers stored per atom: x, y, z and its charges */
#define SETS_AT_ONCE 4u
#define NUMBERS_OF_ATOM(sets) ((sets) == 1u ? 4u : 4u + (sets))

/* kernel direct_points: points of a work-item, in SIMD registers of a CPU or one by one */
#define POINT_VECTORS(sets, field) ((sets) == 1u ? 4u : (field) ? 1u : 2u)

/* kernel direct_grid: points of a work-item along x and y, and work-items along x (fewer in smaller groups) */
#define GRID_X(sets, field) ((sets) == 1u ? ((field) ? 6u : 8u) : ((field) ? 2u : 4u))
#define GRID_Y(sets, field) ((sets) == 1u ? ((field) ? 2u : 4u) : ((field) ? 1u : 2u))
#define ITEMS_X 8u

/* Nearer than this, in Angstrom, a charge coincides with the point; nearer than TOO_NEAR, float32 is not accurate
 * enough, and the points are marked by NaN, to be recomputed in float64. */
#define COINCIDENT 1e-6
#define TOO_NEAR 0.02

#define TWO_OVER_SQRT_PI 1.1283791670955126
#define GAUSSIAN_SERIES 0.05 /* limit for the series of erf(x): four terms have an error of 2e-13 */

#endif
