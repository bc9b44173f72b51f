#include "fdtd/streaming/link.h"

#include "device/link.h"

sonde_status link_measure(struct device *device, double *rate)
{
	struct device_link link;

	CHECK(device_measure_link(device, false, &link));
	*rate = link.both;
	return SONDE_OK;
}
