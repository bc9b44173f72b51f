/* The layout of the kernel's data, shared by kernel and host. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_LAYOUT_H
#define SONDE_PATTERN_KERNELS_PATTERN_LAYOUT_H

#define TILE_ATOMS 256u   /* of one class, near each other */
#define SEGMENT_TILES 64u /* tiles whose sum is formed before it is added to that of earlier ones */

/* How the vectors of a work-item are related (pattern_sums.k). */
#define ARRANGED_LIST 0
#define ARRANGED_PAIRS 1
#define ARRANGED_LINES 2
/* with more vectors */
#define ARRANGED_LONG_LINES 3
#define ARRANGED_LONG_PAIRS 4
#define ARRANGEMENTS 5
/* Pixels of a set of pairs or of a line: the same on all devices, since sums depend on them. */
#define SET_PIXELS(arrangement) \
	((arrangement) == ARRANGED_LIST ? 1u : (arrangement) >= ARRANGED_LONG_LINES ? 16u : 8u)
#define MOST_SET_PIXELS 16u
/* The pair whose distance is the step of a line. */
#define FITTED(arrangement) (SET_PIXELS(arrangement) / 2u - 2u)

/* Vectors of pixels of a work-item: SIMD registers of a CPU, or single pixels. */
#define PIXEL_VECTORS(arrangement, single, shares) \
	((arrangement) != ARRANGED_LIST ? SET_PIXELS(arrangement) : !(shares) ? 2u : (single) ? 8u : 4u)
/* Of the sines and cosines in float32, where the device has a unit for them, those that use it; the others use polynomials, which
 * other units compute at the same time. */
#define WAVES_BY_UNIT(arrangement)                                                   \
	((arrangement) == ARRANGED_LIST || (arrangement) == ARRANGED_LONG_PAIRS ? 7u \
	 : (arrangement) == ARRANGED_PAIRS                                      ? 4u \
										: 2u)

/* Numbers in local memory: the atoms of a tile, or the sums of `items` work-items over it. Sums of a segment follow, in float64. */
#define NEAR_NUMBERS(vectors, items) \
	(4u * TILE_ATOMS > 2u * (vectors) * (items) ? 4u * TILE_ATOMS : 2u * (vectors) * (items))

#endif
