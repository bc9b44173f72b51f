/* The inner face of the engine of sonde fdtd. */
#ifndef SONDE_FDTD_FDTD_H
#define SONDE_FDTD_FDTD_H

#include "device/device.h"

extern const struct device_program fdtd_program;
sonde_status fdtd_self_test(struct device *device);

#endif
