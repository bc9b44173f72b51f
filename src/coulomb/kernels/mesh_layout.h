/* The layout of the mesh sum's kernels, shared by kernels and host. */
#ifndef SONDE_COULOMB_KERNELS_MESH_LAYOUT_H
#define SONDE_COULOMB_KERNELS_MESH_LAYOUT_H

#include "coulomb/kernels/direct_layout.h"

#define MESH_MOST_WIDTH 16u                          /* mesh points that a charge is spread over, along an edge */
#define MESH_MOST_DEGREE 24u                         /* of the polynomials of the window */
#define MESH_PADDING 8u                              /* the length of rows is a multiple of this */
#define MESH_MOST_EVEN 40u                           /* coefficients of the smooth part */
#define MESH_MOST_NODES 2048u                        /* of a transform, along an edge */
#define MESH_TILE_SIZE(single) ((single) ? 16u : 8u) /* largest number of points summed together */

/* frame of cells: the corner, cells per Angstrom, the edges of a cell */
enum { CELLS_ORIGIN, CELLS_INVERSE = 3, CELLS_EDGE = 6, CELLS_NUMBERS = 9 };

/* frame of near charges: the cut-off, 4/cutoff^2, softening, kappa, number of terms of the smooth part, and its
 * terms */
enum { NEAR_CUTOFF, NEAR_SCALE, NEAR_SOFTENING, NEAR_KAPPA, NEAR_TERMS, NEAR_EVEN, NEAR_NUMBERS = 5 + 40 };

/* frame of a mesh: the first point, points per Angstrom, width and degree of the window, and, from MESH_WINDOW on,
 * rows of MESH_MOST_WIDTH coefficients of its polynomials, highest power first */
enum { MESH_ORIGIN, MESH_INVERSE = 3, MESH_WIDTH = 4, MESH_DEGREE = 5, MESH_WINDOW = 6 };

/* parameters of a matrix product: rows of a batch, terms, columns, and the strides of rows and batches */
enum {
	PRODUCT_ROWS,
	PRODUCT_TERMS,
	PRODUCT_COLUMNS,
	PRODUCT_ROW_A,
	PRODUCT_ROW_B,
	PRODUCT_ROW_C,
	PRODUCT_BATCH_A,
	PRODUCT_BATCH_B,
	PRODUCT_BATCH_C,
	PRODUCT_NUMBERS
};
#define PRODUCT_GROUP_ROWS 16u /* of a work-group */
#define INTERPOLATE_POINTS 64u /* of a work-group */

/* On GPUs: points of a tile and its work-items; points of a brick of the mesh, along an edge, and work-items, one
 * for each column; rows and columns of a product's tile, terms held at a time, and work-items; and work-items of
 * kernels with one item each */
#define MESH_TILE_OF_GPU 32u
#define MESH_TILE_ITEMS 128u
#define MESH_CELLS_OF_TILE 4u /* along x, in one of y and z */
/* size of local memory: charges of a chunk, and later the sums of all work-items */
#define MESH_TILE_NUMBERS(single, sets, components)                                          \
	(NUMBERS_OF_ATOM(sets) * CHUNK / ((single) ? 2u : 1u) > (components)*MESH_TILE_ITEMS \
	     ? NUMBERS_OF_ATOM(sets) * CHUNK / ((single) ? 2u : 1u)                          \
	     : (components)*MESH_TILE_ITEMS)
#define MESH_BRICK 8u
#define MESH_GATHER_ITEMS (MESH_BRICK * MESH_BRICK)
#define MULTIPLY_TILE 64u
#define MULTIPLY_DEEP 8u
#define MULTIPLY_ITEMS 128u
#define MESH_ITEMS 128u

#endif
