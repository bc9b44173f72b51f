#include "device/peers.h"

#include "device/backend.h"
#include "device/device.h"

bool device_has_windows(const struct device *device)
{
	return device->backend->window_map != NULL && device->backend->window_chunk(device) > 0;
}

bool device_reaches(const struct device *from, const struct device *to)
{
	return from->backend->copy != NULL && from->backend == to->backend;
}

static bool is_within(const struct device_bytes *range, size_t bytes)
{
	return range->offset <= range->buffer->bytes && bytes <= range->buffer->bytes - range->offset;
}

sonde_status device_copy(const struct device_bytes *from, const struct device_bytes *to, size_t bytes)
{
	if (!device_reaches(from->device, to->device) || !is_within(from, bytes) || !is_within(to, bytes))
		return status_fail(SONDE_INTERNAL, "%zu bytes cannot be copied from %s to %s", bytes,
				   device_name(from->device), device_name(to->device));
	if (bytes == 0)
		return SONDE_OK;
	const sonde_status status =
	    from->device->backend->copy(from->device, (char *)from->buffer->memory + from->offset, to->device,
					(char *)to->buffer->memory + to->offset, bytes);
	return status == SONDE_OK ? status : status_prefix(status, "%s", device_name(from->device));
}
