/* The layout of the kernel's data, shared by kernel and host. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_LAYOUT_H
#define SONDE_PATTERN_KERNELS_PATTERN_LAYOUT_H

#define TILE_ATOMS 256u   /* of one class, near each other */
#define SEGMENT_TILES 64u /* tiles whose sum is formed before it is added to that of earlier ones */

/* How work-groups of pattern_sums.k divide the tiles: they add all segments, have one segment each, or one tile each, whose sums
 * pattern_resample.k takes. */
#define SPREAD_NONE 0u
#define SPREAD_SEGMENTS 1u
#define SPREAD_TILES 2u

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

/* Of pattern_resample.k and pattern_between.k: most nodes of a window; points that a work-item adds at a time, and those of a work-group; numbers by which
 * columns are padded, the longest SIMD register. */
#define MOST_NODES 128u
#define RESAMPLED(single, shares) (!(shares) ? 4u : (single) ? 16u : 8u)
#define RESAMPLED_BLOCK(single, shares) ((shares) ? RESAMPLED(single, shares) : 64u)
#define RESAMPLED_COLUMNS 16u

/* Numbers in local memory: the atoms of a tile, or the sums of `items` work-items over it. Sums of a segment follow, in float64. */
#define NEAR_NUMBERS(vectors, items) \
	(4u * TILE_ATOMS > 2u * (vectors) * (items) ? 4u * TILE_ATOMS : 2u * (vectors) * (items))

#endif
