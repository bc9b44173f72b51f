/* The kernels' text as C. Compiled once per instruction set, with SONDE_ISA naming it. */
#include "device/kernel.h"

#include "ions/kernels/histories.k"
