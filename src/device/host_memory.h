/* Copies between a device and memory of the host in as many pieces as device_host_allocate() has made of it. */
#ifndef SONDE_DEVICE_HOST_MEMORY_H
#define SONDE_DEVICE_HOST_MEMORY_H

#include "device/device_types.h"

typedef sonde_status copy_from_host(struct device *device, void *memory, size_t offset, const void *from,
				    size_t bytes);
typedef sonde_status copy_to_host(struct device *device, void *memory, size_t offset, void *to, size_t bytes);

/* Of a range that the buffer has. */
sonde_status device_copy_from_host(struct device *device, copy_from_host *copy, void *memory, size_t offset,
				   const char *from, size_t bytes);
sonde_status device_copy_to_host(struct device *device, copy_to_host *copy, void *memory, size_t offset, char *to,
				 size_t bytes);

#endif
