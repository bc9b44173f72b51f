/* The engine's kernels, from kernels.def. */
#include "debye/debye.h"
#include "debye/sums/many_device.h"

#define KERNELS_DEF "debye/kernels.def"
#include "device/kernel_table.h"

const struct device_program debye_program = {"debye", kernels, debye_self_test};
/* the same, tested only where samples are periodic */
const struct device_program debye_images_program = {"debye, periodic samples", kernels, debye_images_self_test};
/* for many small samples */
const struct device_program debye_many_program = {"debye, many samples", kernels, debye_many_self_test};
