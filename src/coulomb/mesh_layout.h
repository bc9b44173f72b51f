/* The layout of the mesh sum's kernels, shared by kernels and host. */
#ifndef SONDE_COULOMB_MESH_LAYOUT_H
#define SONDE_COULOMB_MESH_LAYOUT_H

#define MESH_MOST_WIDTH 16u                          /* mesh points that a charge is spread over, along an edge */
#define MESH_MOST_DEGREE 24u                         /* of the polynomials of the window */
#define MESH_PADDING 8u                              /* rows of numbers are a multiple of it long */
#define MESH_MOST_EVEN 40u                           /* coefficients of the smooth part */
#define MESH_MOST_NODES 2048u                        /* of a transform, along an edge */
#define MESH_TILE_SIZE(single) ((single) ? 16u : 8u) /* points that are summed together, at most */

/* frame of cells: the corner, cells for an Angstrom, the edges of a cell */
enum { CELLS_ORIGIN, CELLS_INVERSE = 3, CELLS_EDGE = 6, CELLS_NUMBERS = 9 };

/* frame of near charges: the cut-off, 4/cutoff^2, softening, kappa, terms of the smooth part, and those */
enum { NEAR_CUTOFF, NEAR_SCALE, NEAR_SOFTENING, NEAR_KAPPA, NEAR_TERMS, NEAR_EVEN, NEAR_NUMBERS = 5 + 40 };

/* frame of a mesh: the first point, points for an Angstrom, width and degree of the window, and, from MESH_WINDOW on, rows of
 * MESH_MOST_WIDTH coefficients of its polynomials, highest power first */
enum { MESH_ORIGIN, MESH_INVERSE = 3, MESH_WIDTH = 4, MESH_DEGREE = 5, MESH_WINDOW = 6 };

/* numbers of a matrix product: rows of a batch, terms, columns, and how far rows and batches lie apart */
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

#endif
