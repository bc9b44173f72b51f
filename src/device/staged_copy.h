/* Large arrays to a device. */
#ifndef SONDE_DEVICE_STAGED_COPY_H
#define SONDE_DEVICE_STAGED_COPY_H

#include "device/device.h"

/* As device_write(), by several threads of the host; complete on return. */
sonde_status device_write_large(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
				size_t bytes);

#endif
