/* The kernels of ions, and the test that a device has to pass before it is used. */
#ifndef SONDE_IONS_HISTORIES_KERNELS_H
#define SONDE_IONS_HISTORIES_KERNELS_H

#include "device/device.h"

extern const struct device_program ions_program;
/* Compares the histories that a device follows with those of the host. */
sonde_status ions_self_test(struct device *device);

#endif
