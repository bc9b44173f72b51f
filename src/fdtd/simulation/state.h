/* What a run has in memory and on a device, into a file and back: one walk through everything serves both ways. */
#ifndef SONDE_FDTD_SIMULATION_STATE_H
#define SONDE_FDTD_SIMULATION_STATE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/checksum.h"
#include "device/device.h"

struct state {
	FILE *file;
	const char *path; /* for messages */
	char *own_path;   /* the same, or null */
	bool saving;      /* or restoring */
	struct device *device;
	struct checksum checksum; /* of what was saved */
};

/* Bytes in memory. */
sonde_status state_bytes(struct state *state, void *bytes, size_t size);
/* A number that must be the same when it comes back; `what` names it in the message. */
sonde_status state_same(struct state *state, uint64_t number, const char *what);
/* A number between these, or the file is damaged. */
sonde_status state_number(struct state *state, uint64_t *number, uint64_t least, uint64_t most, const char *what);
/* A buffer of the device. */
sonde_status state_buffer(struct state *state, struct device_buffer *buffer);
/* An array that has grown: *count elements; room is made for them, as memory_grow() does. */
sonde_status state_array(struct state *state, void *pointer, size_t *capacity, size_t *count, size_t size);
/* SONDE_INVALID: the file has another number of `what` than the job; begins the message. */
sonde_status state_differs(const struct state *state, const char *what, uint64_t there, uint64_t here);

#endif
