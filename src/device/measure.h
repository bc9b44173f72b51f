/* FLOP/s and bandwidth of a device. */
#ifndef SONDE_DEVICE_MEASURE_H
#define SONDE_DEVICE_MEASURE_H

#include "device/device_types.h"
#include "sonde/device.h"

/* Measures the device of that name, with kernels of about a second; *speed is zeroed by the caller. */
sonde_status device_measure(const char *name, const struct device_settings *settings, sonde_device_speed *speed);

#endif
