/* The layout of pattern_products.k, shared by kernel and host. */
#ifndef SONDE_PATTERN_KERNELS_PRODUCTS_LAYOUT_H
#define SONDE_PATTERN_KERNELS_PRODUCTS_LAYOUT_H

#define PRODUCT_ITEMS 256u  /* work-items of a group */
#define PRODUCT_ROWS 64u    /* distances from the middle of the axis that a group has, each with two points */
#define PRODUCT_COLUMNS 64u /* and columns */
#define PRODUCT_RUN 8u      /* rows, or columns, whose phases a work-item computes from those of one of them */
#define PRODUCT_CHUNK 16u   /* atoms at a time */
#define PRODUCT_RUNS ((PRODUCT_ROWS + PRODUCT_COLUMNS) / PRODUCT_RUN)

/* Matrices in local memory, in pairs of float64: elements of two atoms, 4 apart, for two rows of each of the rows, or columns,
 * with room between so that neither loads nor stores meet in a bank. */
#define PRODUCT_STRIDE(lines) (2u * (lines) + 2u)
#define PRODUCT_BLOCK(lines) (4u * PRODUCT_STRIDE(lines) + 1u)            /* of 8 atoms */
#define PRODUCT_MATRIX(lines) (PRODUCT_CHUNK / 8u * PRODUCT_BLOCK(lines)) /* of a chunk */
#define PRODUCT_MATRICES (PRODUCT_MATRIX(PRODUCT_ROWS) + PRODUCT_MATRIX(PRODUCT_COLUMNS))
/* those of two chunks, and vectors of runs */
#define PRODUCT_LOCAL_BYTES (2u * PRODUCT_MATRICES * 16u + 6u * PRODUCT_RUNS * 8u)

/* Of pattern_planes.k: rows and columns of a group, and atoms at a time. */
#define PLANE_ROWS 32u
#define PLANE_COLUMNS 64u
#define PLANE_ATOMS 64u

#endif
