/* The engine's kernels, from kernels.def. */
#include "coulomb/kernels/kernels.h"

#define KERNELS_DEF "coulomb/kernels.def"
#include "device/kernel_table.h"

const struct device_program coulomb_program = {"coulomb", kernels, coulomb_self_test};
const struct device_program coulomb_sets_program = {"coulomb of sets", kernels, coulomb_self_test_of_sets};
const struct device_program coulomb_points_program = {"coulomb of points", kernels, coulomb_self_test_of_points};
