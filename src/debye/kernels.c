/* The engine's kernels, from kernels.def. */
#include "debye/debye.h"

#define KERNELS_DEF "debye/kernels.def"
#include "device/kernel_table.h"

const struct device_program debye_program = {"debye", kernels, debye_self_test};
/* the same, tested only where samples are periodic */
const struct device_program debye_images_program = {"debye, periodic samples", kernels, debye_images_self_test};
