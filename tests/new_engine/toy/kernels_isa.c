/* The kernels as C, compiled once per instruction set. */
#include "device/kernel.h"

#include "toy_kernels_simd.h"
