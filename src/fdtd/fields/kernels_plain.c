/* The text of the GPU kernels as plain C, run by the device "emulated". */
#define SONDE_ISA plain
#define SONDE_ISA_PLAIN
#include "device/kernel.h"

#include "fdtd/fields/kernels_variants.h"
