/* The kernels' text as C. Compiled once per instruction set, named by SONDE_ISA. */
#include "device/kernel.h"

#include "ions/kernels/histories.k"
