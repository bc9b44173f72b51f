/* The layout of sums with a Debye-Waller factor of each pair, shared by kernels and host: see kernels/motion_series.h. */
#ifndef SONDE_DEBYE_MOTION_LAYOUT_H
#define SONDE_DEBYE_MOTION_LAYOUT_H

#define MOTION_COLUMNS 8u /* points of q next to each other; a multiple of every device's LANES */
#define MOTION_STEPS 16u  /* of a recurrence, which takes every MOTION_COLUMNS-th point */
#define MOTION_BLOCK (MOTION_COLUMNS * MOTION_STEPS)
#define MOTION_BATCH 128u /* pairs whose data are in local memory */
#define MOTION_ROWS 6u    /* numbers of each */
#define MOTION_BYTES (MOTION_ROWS * MOTION_BATCH * 8u)

#endif
