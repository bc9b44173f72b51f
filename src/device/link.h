/* Speed of the copies between a device and the host. */
#ifndef SONDE_DEVICE_LINK_H
#define SONDE_DEVICE_LINK_H

#include "device/device.h"

/* Bytes per second, from and to pinned memory of the host. */
struct device_link {
	double to_device, to_host; /* one direction alone */
	double both;               /* each direction, both at once */
};

/* Measures copies in both directions at once, and each alone as well if `alone` is true. */
sonde_status device_measure_link(struct device *device, bool alone, struct device_link *link);

#endif
