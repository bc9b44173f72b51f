/* The engine's kernels, from kernels.def. */
#include "pattern/pattern.h"

#define KERNELS_DEF "pattern/kernels.def"
#include "device/kernel_table.h"

const struct device_program pattern_program = {"pattern", kernels, pattern_self_test};
