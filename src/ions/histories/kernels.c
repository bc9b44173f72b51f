/* The engine's kernels, from kernels.def. */
#include "ions/histories/kernels.h"

#define KERNELS_DEF "ions/kernels.def"
#include "device/kernel_table.h"

const struct device_program ions_program = {"ions", kernels, ions_self_test};
