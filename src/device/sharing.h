/* Buffers and events of a device that other processes of the same machine use: another process copies into a buffer, and
 * waits for an event. */
#ifndef SONDE_DEVICE_SHARING_H
#define SONDE_DEVICE_SHARING_H

#include "device/device_types.h"

/* What another process needs to know of a buffer or of an event. */
struct device_ticket {
	unsigned char bytes[64];
};

/* Whether the device can do that at all, and the environment does not forbid it. It may still fail, between two processes
 * in different containers for instance. */
bool device_shares(const struct device *device);

/* A ticket for a buffer of device_allocate(), which is to be released after the other process has released what it got. */
sonde_status device_offer_buffer(struct device *device, const struct device_buffer *buffer,
				 struct device_ticket *ticket);
/* The buffer of `bytes` bytes of another process, on this device or on another one, as a buffer to which device_copy() of
 * this device goes, and nothing else. To be released by device_return_buffer(). */
sonde_status device_take_buffer(struct device *device, const struct device_ticket *ticket, size_t bytes,
				struct device_buffer *buffer);
void device_return_buffer(struct device *device, struct device_buffer *buffer);

/* A new event that has passed, with a ticket for another process. device_renew_event() records it in the selected queue, again and
 * again. Both processes release theirs by device_event_release(), the one that has offered it last. */
sonde_status device_offer_event(struct device *device, struct device_event *event, struct device_ticket *ticket);
sonde_status device_renew_event(struct device *device, const struct device_event *event);
/* That event of another process, for device_begin_after(), which waits for what has been recorded before the call. */
sonde_status device_take_event(struct device *device, const struct device_ticket *ticket, struct device_event *event);

#endif
