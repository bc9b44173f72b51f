/* The layout of the distance histogram, shared by kernel and host: see kernels/histogram.k. */
#ifndef SONDE_DEBYE_HISTOGRAM_LAYOUT_H
#define SONDE_DEBYE_HISTOGRAM_LAYOUT_H

#define OFFSET_BITS 21 /* a bin has 2^OFFSET_BITS units of distance */
#define SQUARE_BITS 12 /* of the square of an offset: g(d) = floor(floor(d / 2^(OFFSET_BITS - 16))^2 / 2^20) */
#define TOTAL_WORDS 3  /* words per bin in the totals: pairs, sum d, sum g */

/* the words after the bins of a slab */
#define TAIL_PAIRS 0     /* pairs deposited since the last transfer to the totals */
#define TAIL_FIRST_BIN 1 /* bins touched since then: first, and last + 1 */
#define TAIL_LAST_BIN 2
#define TAIL_WORDS 8

#define HISTOGRAM_ATOMS_PER_TILE 512

/* Of periodic samples: spare bins at the end, one for each lane of a register, so that adjacent pairs that are too far
 * are not added to the same word; tasks, each some adjacent tiles and their partners, tiles of an image of the cell (images.h) */
#define SPARE_BINS 8
#define TASK_WORDS 4    /* first tile, end; first partner, end */
#define PARTNER_WORDS 3 /* tile; number of the image, and whether it is near; bin of the distance of the centers */
#define PARTNER_NEAR \
	0x80000000u /* of the same group of tiles and in the same cell: pairs with the larger index last */

#endif
