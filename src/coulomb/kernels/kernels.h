/* The kernels of coulomb, and the tests that a device must pass before use. */
#ifndef SONDE_COULOMB_KERNELS_KERNELS_H
#define SONDE_COULOMB_KERNELS_KERNELS_H

#include "device/device.h"

/* The kernels, and the same for several sets of charges and for the fast sum at points, which are tested
 * separately. */
extern const struct device_program coulomb_program, coulomb_sets_program, coulomb_points_program;

/* Compares the kernels of a device with plain sums over a small sample. */
sonde_status coulomb_self_test(struct device *device);
sonde_status coulomb_self_test_of_sets(struct device *device);
sonde_status coulomb_self_test_of_points(struct device *device);

#endif
