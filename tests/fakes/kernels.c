/* The kernels for GPUs as plain C, one work-item a group, for the fake of CUDA's driver. Compiled once for each
 * UNIT_TILES that the engine may ask for; SONDE_ISA names it. */
#include "device/kernel_plain.h"

#include "debye/kernels/exact_products.k"
#include "debye/kernels/histogram_ring.k"
#include "debye/kernels/sinc_sum.k"
#include "debye/kernels/sum_rows.k"
