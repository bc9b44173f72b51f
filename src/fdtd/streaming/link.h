/* Speed of the copies between a device and the host. */
#ifndef SONDE_FDTD_STREAMING_LINK_H
#define SONDE_FDTD_STREAMING_LINK_H

#include "device/device.h"

/* Bytes per second in each direction, both at once, measured. */
sonde_status link_measure(struct device *device, double *rate);

#endif
