/* The kernel for GPUs as plain C. */
#define SONDE_ISA plain
#define SONDE_ISA_PLAIN
#include "device/kernel.h"

#include "toy/kernels/cosine_sum.k"
