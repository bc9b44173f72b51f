/* The kernels' text as C. Compiled once per instruction set, with SONDE_ISA naming it. */
#include "device/kernel.h"

#include "coulomb/kernels/kernels_variants.h"
