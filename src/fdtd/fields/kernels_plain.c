/* The text of the GPU kernels as plain C, run by the device "emulated". */
#include "device/kernel_plain.h"

#include "fdtd/fields/kernels_variants.h"
