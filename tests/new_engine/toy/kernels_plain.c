/* The kernel for GPUs as plain C. */
#include "device/kernel_plain.h"

#include "toy/kernels/cosine_sum.k"
