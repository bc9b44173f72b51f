/* Kernel many_spread, whose loops become SIMD by the compiler. */
#include "device/kernel.h"

#include "debye/kernels/many_spread.k"
