/* Measured speed of a device, with kernels like those of the engines. */
#ifndef SONDE_MEASURE_H
#define SONDE_MEASURE_H

#include <stdint.h>

#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Measures the device of this name ("cpu", "cuda:0") for about a tenth of a second, whether or not the context runs
 * on it. Fails if opening it or running on it fails. */
#define sonde_context_measure_device(context, name, speed) \
	sonde_context_measure_device_sized((context), (name), (speed), sizeof *(speed))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API sonde_status sonde_context_measure_device_sized(sonde_context *context, const char *name,
							  sonde_device_speed *speed, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
