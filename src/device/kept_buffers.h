/* Buffers of a device that are kept when they are released. */
#ifndef SONDE_DEVICE_KEPT_BUFFERS_H
#define SONDE_DEVICE_KEPT_BUFFERS_H

#include "device/backend.h"

void kept_buffers_begin(struct kept_buffers *kept);
/* Takes one with room for `bytes`, zeroed, if there is one of about this size. */
sonde_status kept_buffers_take(struct device *device, size_t bytes, struct device_buffer *buffer, bool *found);
/* Keeps a buffer; false: it is to be released. */
bool kept_buffers_put(struct device *device, const struct device_buffer *buffer);
uint64_t kept_buffers_bytes(struct device *device);
/* Releases all of them. */
void kept_buffers_free(struct device *device);

#endif
