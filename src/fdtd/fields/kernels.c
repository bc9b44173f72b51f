/* The engine's kernels, from kernels.def. */
#include "fdtd/fields/kernels.h"

#define KERNELS_DEF "fdtd/kernels.def"
#include "device/kernel_table.h"

const struct device_program fdtd_program = {"fdtd", kernels, fdtd_self_test};
