/* The kernels for GPUs as plain C, one work-item a group, for the fake of CUDA's driver. Compiled once for each
 * UNIT_TILES that the engine may ask for; SONDE_ISA names it. */
#include "device/kernel_plain.h"

#include "debye_kernels_text.h"
