/* The time of kernels that are loaded and tested in the background. */
#ifndef SONDE_DEVICE_KERNEL_TIME_H
#define SONDE_DEVICE_KERNEL_TIME_H

#include "device/device.h"

/* Of device_kernel_seconds() since it was `before`, only those count for which the run waited, `waited` at most. */
void device_count_waited(struct device *device, double before, double waited);

#endif
