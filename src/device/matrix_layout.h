/* Matrix products by a work-group (MATRIX_MULADD of kernel.h): its size and its local memory, for kernels and host. */
#ifndef SONDE_DEVICE_MATRIX_LAYOUT_H
#define SONDE_DEVICE_MATRIX_LAYOUT_H

#define MATRIX_ITEMS 32u    /* work-items of a group, over which the elements of the matrices are spread */
#define MATRIX_SCRATCH 192u /* numbers of float64 in local memory, for devices without units for matrix products */

#endif
