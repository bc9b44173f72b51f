/* The kernels of fdtd, and the self-test that a device has to pass before it is used. */
#ifndef SONDE_FDTD_FIELDS_KERNELS_H
#define SONDE_FDTD_FIELDS_KERNELS_H

#include "device/device.h"

extern const struct device_program fdtd_program;
sonde_status fdtd_self_test(struct device *device);

#endif
