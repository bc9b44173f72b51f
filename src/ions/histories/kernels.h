/* The kernels of ions, and the test that a device must pass before use. */
#ifndef SONDE_IONS_HISTORIES_KERNELS_H
#define SONDE_IONS_HISTORIES_KERNELS_H

#include "device/device.h"

extern const struct device_program ions_program;
/* Compares the histories of a device with those of the host. */
sonde_status ions_self_test(struct device *device);

#endif
