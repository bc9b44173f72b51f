/* The kernels of measure.c as C, once per instruction set. */
#include "device/kernel.h"

#include "device_kernels_simd.h"
