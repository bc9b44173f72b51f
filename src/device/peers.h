/* Copies within a device, and from one device to another. */
#ifndef SONDE_DEVICE_PEERS_H
#define SONDE_DEVICE_PEERS_H

#include "device/device_types.h"

/* Some bytes of a buffer of a device. */
struct device_bytes {
	struct device *device;
	const struct device_buffer *buffer;
	size_t offset;
};

/* Whether a device has windows of buffers (window.h). */
bool device_has_windows(const struct device *device);
/* Whether device_copy() can go from one device to the other; also of a device to itself. */
bool device_reaches(const struct device *from, const struct device *to);
/* Copies `bytes` bytes, which do not overlap; added to the selected queue of the device that they come from. What the
 * other device does with them begins after an event of that queue. On another device not into a window. */
sonde_status device_copy(const struct device_bytes *from, const struct device_bytes *to, size_t bytes);

#endif
