/* The layout of the kernels of the fast sum, shared by kernels and host: blocks are described in blocks.h. */
#ifndef SONDE_COULOMB_KERNELS_BLOCK_LAYOUT_H
#define SONDE_COULOMB_KERNELS_BLOCK_LAYOUT_H

/* kernel block_sums: vectors of points per work-item of a CPU and of a GPU at a time, points per group
 * of a CPU, and rows of cells that such a group looks up together (on a GPU: one per work-item) */
#define BLOCK_VECTORS_CPU(sets, field) ((sets) == 1u ? 4u : (field) ? 1u : 2u)
#define BLOCK_VECTORS_GPU(sets, field) ((sets) == 1u || !(field) ? 2u : 1u)
#define BLOCK_POINTS_CPU 512u
#define BLOCK_ROWS_CPU 128u

/* Parameters of a level for the kernels, all u32. Negative cell numbers wrap around. */
#define LEVEL_BLOCKS_X 0u /* blocks along the first and second step */
#define LEVEL_BLOCKS_Y 1u
#define LEVEL_CELL 2u   /* index of the first cell of block 0, 0, 0 */
#define LEVEL_STEP_X 3u /* cells from block to block along each step */
#define LEVEL_STEP_Y 4u
#define LEVEL_STEP_Z 5u
#define LEVEL_POINTS_X 6u /* points of a block along each step */
#define LEVEL_POINTS_Y 7u
#define LEVEL_POINTS_Z 8u
#define LEVEL_SIZE_X 9u /* points of the grid along each step; points beyond are ignored */
#define LEVEL_SIZE_Y 10u
#define LEVEL_SIZE_Z 11u
#define LEVEL_ROWS 12u /* first row of each of 8 kinds of blocks, and the end: by whether x, y, z are odd (1, 2, 4) */
#define LEVEL_POINT_COUNT 21u /* points of a block, and the number of offsets for each of x, y, z */
#define LEVEL_PADDED 22u
#define LEVEL_NUMBERS 23u

/* Parameters in f64. */
#define FRAME_CENTER 0u /* of block 0, 0, 0 */
#define FRAME_STEPS 3u  /* from block to block, three vectors */
#define FRAME_SCALE 12u /* factor of the offsets of points */
#define FRAME_SOFTENING 13u
#define FRAME_KAPPA 14u
#define FRAME_NUMBERS 15u

/* kernel block_interpolate */
#define BLOCK_PADDING 8u             /* the length of rows is a multiple of this, for SIMD registers of a CPU */
#define BLOCK_MOST_SCRATCH 6000u     /* upper limit of numbers for the products of a block */
#define INTERPOLATION_NODES 0u       /* u32: nodes along x, y, z */
#define INTERPOLATION_POINTS 3u      /* points along x, y, z */
#define INTERPOLATION_MATRICES 6u    /* start of the matrices for x, y, z */
#define INTERPOLATION_OTHER 9u       /* offset of those for odd blocks */
#define INTERPOLATION_ON_GRID 10u    /* 1: the points are those of a grid, 0: nodes of blocks */
#define INTERPOLATION_FIRST 11u      /* first point of the written part of this grid along x, y, z */
#define INTERPOLATION_SIZE 14u       /* and its number of points along x, y, z */
#define INTERPOLATION_BLOCKS 17u     /* blocks along x and y */
#define INTERPOLATION_COMPONENTS 19u /* values per point */
#define INTERPOLATION_NUMBERS 20u

#endif
