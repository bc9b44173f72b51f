/* The layout of the distance histogram, shared by kernel and host: see kernels/histogram.k. */
#ifndef SONDE_DEBYE_HISTOGRAM_LAYOUT_H
#define SONDE_DEBYE_HISTOGRAM_LAYOUT_H

#define OFFSET_BITS 21 /* a distance has 2^OFFSET_BITS units a bin */
#define SQUARE_BITS 12 /* of the square of an offset: g(d) = floor(floor(d / 2^(OFFSET_BITS - 16))^2 / 2^20) */
#define TOTAL_WORDS 3  /* of a bin in the totals: pairs, sum d, sum g */

/* the words that follow a slab's bins */
#define TAIL_PAIRS 0     /* pairs deposited since the last settling */
#define TAIL_FIRST_BIN 1 /* bins touched since then: first, and last + 1 */
#define TAIL_LAST_BIN 2
#define TAIL_WORDS 8

#define HISTOGRAM_ATOMS_PER_TILE 512

#endif
