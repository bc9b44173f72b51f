/* The layout of the kernel's data, shared by kernel and host. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_LAYOUT_H
#define SONDE_PATTERN_KERNELS_PATTERN_LAYOUT_H

#define TILE_ATOMS 256u   /* of one class, near each other */
#define SEGMENT_TILES 64u /* tiles whose sum is formed before it is added to that of earlier ones */

/* Vectors of pixels of a work-item: SIMD registers of a CPU, or single pixels. */
#define PIXEL_VECTORS(single, shares) ((shares) ? ((single) ? 8u : 2u) : 2u)
/* Of the vectors in float32, where the device has a unit for sines, those that use it; the others use polynomials, which
 * other units compute at the same time. */
#define VECTORS_BY_UNIT 6u

#endif
