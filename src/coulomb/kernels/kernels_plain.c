/* The text of the kernels for GPUs as plain C, run by the device "emulated". */
#define SONDE_ISA plain
#define SONDE_ISA_PLAIN
#include "device/kernel.h"

#include "coulomb/kernels/kernels_variants.h"
