/* The layout of kernel histogram_ring, shared by kernel and host: see kernels/histogram_ring.k. */
#ifndef SONDE_DEBYE_RING_LAYOUT_H
#define SONDE_DEBYE_RING_LAYOUT_H

#define RING_TILE 32u /* atoms of a tile */
#define QUAD 4u       /* adjacent tiles, which hold 1, 2 or 4 units */
#define MOST_UNIT_TILES QUAD

/* the default shape of the kernel */
#define DEFAULT_RING_BINS 6144u
#define DEFAULT_UNIT_TILES 4u
#define DEFAULT_AT_ONCE 2u

/* words of local memory before the ring: coordinates of a unit as f64, sums of segments and a shared word */
#define RING_WORDS_BEFORE(work_items) (2u * 3u * RING_TILE * MOST_UNIT_TILES + (work_items) + 8u)
/* kernel histogram_matrix: in addition five numbers for each atom of a unit, and the largest of some, those that all work-items
 * share, room for 16 rows of each warp, and for pairs to be corrected; its ring has up to 48 Angstrom in bins of 2^-9 */
#define MOST_MATRIX_RING_BINS 24576u
#define QUEUE_ROOM 2048u
#define MATRIX_RING_BYTES(work_items, bins)                                                                 \
	(RING_BYTES(work_items, bins) + 8u * (5u * RING_TILE * MOST_UNIT_TILES + 34u + 2u * (work_items)) + \
	 4u * QUEUE_ROOM)
#define RING_BYTES(work_items, bins) (4u * (RING_WORDS_BEFORE(work_items) + 2u * (bins)))

#endif
