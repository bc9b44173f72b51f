#include "device/kernel_time.h"

#include "device/backend.h"

void device_count_waited(struct device *device, double before, double waited)
{
	if (device->kernel_seconds > before + waited)
		device->kernel_seconds = before + waited;
}
