/* What a device does: measured with kernels like those of the engines. */
#ifndef SONDE_MEASURE_H
#define SONDE_MEASURE_H

#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sonde_device_speed {
	double f32, f64;   /* FLOP/s of multiply-adds, which count as two */
	double matrix_f64; /* FLOP/s of matrix products, where the device has units for them; else 0 */
	double bandwidth;  /* bytes/s of a copy in the device's memory, read and written bytes together */
} sonde_device_speed;

/* Measures the device of this name ("cpu", "cuda:0") for a tenth of a second or so, whether the context runs on it or
 * not. Fails as opening it or running on it fails. */
SONDE_API sonde_status sonde_context_measure_device(sonde_context *context, const char *name,
						    sonde_device_speed *speed);

#ifdef __cplusplus
}
#endif
#endif
