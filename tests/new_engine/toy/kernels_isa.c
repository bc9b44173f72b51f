/* The kernel as C, once per instruction set. */
#include "device/kernel.h"

#include "toy/kernels/cosine_sum.k"
