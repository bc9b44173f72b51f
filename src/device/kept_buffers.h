/* Buffers of a device that are kept when they are released. */
#ifndef SONDE_DEVICE_KEPT_BUFFERS_H
#define SONDE_DEVICE_KEPT_BUFFERS_H

#include <pthread.h>

#include "device/device_types.h"

#define MOST_KEPT_BUFFERS 24

struct kept_buffers {
	bool wanted;           /* device_keep_buffers() */
	bool in_use;           /* kernels have been launched that may still use some of them */
	pthread_mutex_t mutex; /* a CPU is used by several threads */
	struct device_buffer buffers[MOST_KEPT_BUFFERS];
	int count;
	uint64_t bytes;
};

void kept_buffers_begin(struct kept_buffers *kept);
/* Takes one with room for `bytes`, zeroed, if there is one of about this size. */
sonde_status kept_buffers_take(struct device *device, size_t bytes, struct device_buffer *buffer, bool *found);
/* Keeps a buffer; false: it is to be released. */
bool kept_buffers_put(struct device *device, const struct device_buffer *buffer);
uint64_t kept_buffers_bytes(struct device *device);
/* Releases all of them. */
void kept_buffers_free(struct device *device);

#endif
