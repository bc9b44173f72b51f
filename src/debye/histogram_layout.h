/* The layout of the distance histogram, shared by kernel and host: see kernels/histogram.k. */
#ifndef SONDE_DEBYE_HISTOGRAM_LAYOUT_H
#define SONDE_DEBYE_HISTOGRAM_LAYOUT_H

#define OFFSET_BITS 20 /* a distance has 2^OFFSET_BITS units a bin */
#define TOTAL_WORDS 4  /* of a bin in the totals: pairs, sum d, sum d^2 in two halves */

/* the words that follow a slab's bins */
#define TAIL_PAIRS 0     /* pairs deposited since the last settling */
#define TAIL_FIRST_BIN 1 /* bins touched since then: first, and last + 1 */
#define TAIL_LAST_BIN 2
#define TAIL_WORDS 8

#define HISTOGRAM_ATOMS_PER_TILE 512

#endif
