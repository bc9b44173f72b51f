/* The kernels for GPUs as plain C, with one work-item per group, for the fake of CUDA's driver. Compiled once for
 * each UNIT_TILES that the engine may request; SONDE_ISA names it. */
#include "device/kernel_plain.h"

#include "debye_kernels_text.h"
#include "matter_kernels_text.h"
