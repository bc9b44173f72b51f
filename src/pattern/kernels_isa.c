/* The kernels as C, compiled once per instruction set. */
#include "device/kernel.h"

#include "pattern_kernels_simd.h"
