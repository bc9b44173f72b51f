/* Finding the best kernel shapes for a device. */
#ifndef SONDE_TUNE_H
#define SONDE_TUNE_H

#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One trial of a shape. */
typedef struct sonde_tune_trial {
	const char *device;
	const char *kernel;
	char shape[96];   /* "64 work-items, batches of 64, tiles of 4 x 4" */
	double rate;      /* in `unit` per second; 0: it does not fit the device, see `reason` */
	const char *unit; /* "pairs", "sin(qr)/qr" */
	char reason[160];
	int registers, spilled_bytes; /* as reported by the compiler; 0 unknown */
	int best;                     /* the best of its kernel so far */
} sonde_tune_trial;

typedef void sonde_tune_callback(const sonde_tune_trial *trial, void *user);

/* Tries the shapes of the debye kernels on every device of the context, reports each trial, and stores the best in
 * the kernel cache, where later runs find them. Needs devices with GPU kernels; others are skipped. */
SONDE_API sonde_status sonde_debye_tune(sonde_context *context, sonde_tune_callback *tell, void *user);

#ifdef __cplusplus
}
#endif
#endif
