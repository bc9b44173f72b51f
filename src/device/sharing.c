#include "device/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "device/device.h"

#define SWITCH "SONDE_SHARING"

bool device_shares(const struct device *device)
{
	const char *wanted = getenv(SWITCH);

	return device->backend->sharing != NULL && (wanted == NULL || strcmp(wanted, "off") != 0);
}

static sonde_status named(const struct device *device, sonde_status status)
{
	return status == SONDE_OK ? status : status_prefix(status, "%s", device_name(device));
}

/* Functions below are for devices for which device_shares() is true. */
static sonde_status check(const struct device *device)
{
	return device->backend->sharing != NULL
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "%s shares nothing with other processes", device_name(device));
}

sonde_status device_offer_buffer(struct device *device, const struct device_buffer *buffer,
				 struct device_ticket *ticket)
{
	CHECK(check(device));
	return named(device, device->backend->sharing->offer_memory(device, buffer->memory, ticket));
}

sonde_status device_take_buffer(struct device *device, const struct device_ticket *ticket, size_t bytes,
				struct device_buffer *buffer)
{
	CHECK(check(device));
	CHECK(named(device, device->backend->sharing->take_memory(device, ticket, &buffer->memory)));
	buffer->bytes = bytes;
	return SONDE_OK;
}

void device_return_buffer(struct device *device, struct device_buffer *buffer)
{
	if (buffer->memory != NULL)
		device->backend->sharing->return_memory(device, buffer->memory);
	*buffer = (struct device_buffer){0};
}

sonde_status device_offer_event(struct device *device, struct device_event *event, struct device_ticket *ticket)
{
	CHECK(check(device));
	return named(device, device->backend->sharing->offer_event(device, event, ticket));
}

sonde_status device_renew_event(struct device *device, const struct device_event *event)
{
	CHECK(check(device));
	return named(device, device->backend->sharing->renew_event(device, event));
}

sonde_status device_take_event(struct device *device, const struct device_ticket *ticket, struct device_event *event)
{
	CHECK(check(device));
	return named(device, device->backend->sharing->take_event(device, ticket, event));
}
