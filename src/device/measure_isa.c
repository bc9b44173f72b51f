/* The kernels of measure.c as C, once per instruction set. */
#include "device/kernel.h"

#include "device/kernels/measure_copy.k"
#include "device/kernels/measure_f32.k"
#undef CHAINS
#include "device/kernels/measure_f64.k"
