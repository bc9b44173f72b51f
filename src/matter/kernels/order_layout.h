/* The order of atoms by a GPU: what its kernels and the host share. See matter/atoms/device_order.h. */
#ifndef SONDE_MATTER_ORDER_LAYOUT_H
#define SONDE_MATTER_ORDER_LAYOUT_H

#define ORDER_TILE 32u       /* atoms of a tile, */
#define ORDER_UNIT 128u      /* and of a unit: some adjacent tiles, which are compact as well */
#define ORDER_FINISHED 1024u /* pieces of at most this many atoms are cut into tiles by one work-group */
#define ORDER_DIGITS 512u    /* places along the longest edge of a piece, among which a cut is found */
#define ORDER_BLOCKS 128u    /* blocks of a piece at most */
#define ORDER_RUN 4u         /* adjacent atoms of a work-item */
#define ORDER_OF_GROUP 1024u /* atoms of a work-group, where each is looked at alone */

/* A piece that is cut in two: its first atom, the number of those in its first half, and its blocks; words */
#define ORDER_PIECE_FIRST 0u
#define ORDER_PIECE_MIDDLE 1u
#define ORDER_PIECE_BLOCK 2u
#define ORDER_PIECE_BLOCKS 3u
#define ORDER_PIECE_WORDS 4u
/* Some adjacent atoms of a piece: its number, the first one, and the end; words */
#define ORDER_BLOCK_PIECE 0u
#define ORDER_BLOCK_FIRST 1u
#define ORDER_BLOCK_END 2u
#define ORDER_BLOCK_WORDS 3u
/* Where a piece is cut: its axis, the low end along it, the number of digits for each Angstrom, the digit of the cut, and the
 * number of atoms with this digit that come before it */
#define ORDER_CUT_AXIS 0u
#define ORDER_CUT_LOW 1u
#define ORDER_CUT_SCALE 2u
#define ORDER_CUT_DIGIT 3u
#define ORDER_CUT_NEEDED 4u
#define ORDER_CUT_NUMBERS 5u
/* A piece to be cut into tiles: its first atom and their number, which of the two arrays has them, their first place in the
 * order, and their first tile; words */
#define ORDER_LAST_FIRST 0u
#define ORDER_LAST_COUNT 1u
#define ORDER_LAST_ARRAY 2u
#define ORDER_LAST_PLACE 3u
#define ORDER_LAST_TILE 4u
#define ORDER_LAST_WORDS 5u

/* The cell into which atoms are moved: whether they are, rows a*, b*, c*, rows a, b, c, the lowest corner, and 1 for each edge
 * along which the sample does not repeat; numbers */
#define ORDER_CELL_ON 0u
#define ORDER_CELL_INVERSE 1u
#define ORDER_CELL_EDGES 10u
#define ORDER_CELL_LOW 19u
#define ORDER_CELL_OPEN 22u
#define ORDER_CELL_NUMBERS 25u

#define ORDER_BOX 6u /* numbers of a box: low and high end along each axis in turn */

#endif
