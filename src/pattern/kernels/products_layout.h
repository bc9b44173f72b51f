/* The layout of pattern_products.k, shared by kernel and host. */
#ifndef SONDE_PATTERN_KERNELS_PRODUCTS_LAYOUT_H
#define SONDE_PATTERN_KERNELS_PRODUCTS_LAYOUT_H

#define PRODUCT_ITEMS 256u  /* work-items of a group */
#define PRODUCT_ROWS 64u    /* distances from the middle of the axis that a group has, each with two points */
#define PRODUCT_COLUMNS 64u /* and columns */
#define PRODUCT_RUN 8u      /* rows, or columns, whose phases a work-item computes from those of one of them */
#define PRODUCT_CHUNK 16u   /* atoms at a time */

/* A matrix in local memory, in pairs of float64: elements of two atoms, 4 apart, for each of 128 rows, with room between so that
 * neither loads nor stores meet in a bank. */
#define PRODUCT_STRIDE (2u * PRODUCT_ROWS + 2u)
#define PRODUCT_BLOCK (4u * PRODUCT_STRIDE + 1u)                      /* of 8 atoms */
#define PRODUCT_MATRIX (PRODUCT_CHUNK / 8u * PRODUCT_BLOCK)           /* of a chunk */
#define PRODUCT_LOCAL_BYTES (2u * 2u * PRODUCT_MATRIX * 16u)          /* two matrices, of two chunks */

#endif
