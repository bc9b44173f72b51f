/* The text of the kernels for GPUs as plain C, run by the device "emulated". */
#include "device/kernel_plain.h"

#include "debye/kernels/exact_products.k"
#include "debye/kernels/histogram_ring.k"
#include "debye/kernels/sum_rows.k"
