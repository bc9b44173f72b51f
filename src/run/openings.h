/* Several devices opened, or closed, at the same time. */
#ifndef SONDE_RUN_OPENINGS_H
#define SONDE_RUN_OPENINGS_H

#include "device/device.h"

#define OPENING_NAME 64

/* A device to be opened, and the outcome: the device, or null, a status and its message. */
struct opening {
	char name[OPENING_NAME];
	struct device *device;
	sonde_status status;
	char message[512];
};

/* Opens all of them: a driver takes some 0.1 s for each GPU, and those whose kind `opens_together` begin at once; others are opened one
 * after the other. Each is opened, or has failed, when this returns. */
void openings_open(const struct device_settings *settings, struct opening *openings, int count);
/* Closes devices in the same way; null ones are allowed. */
void openings_close(struct device **devices, int count);

#endif
