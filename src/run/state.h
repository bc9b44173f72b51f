/* Saving the state of a run, in memory and on a device, to a file and restoring it: one walk through everything
 * serves both. The file begins with a mark of its kind, and is sealed (io/containers/seal.h): nothing in it is used before it is
 * known to be as it was written. */
#ifndef SONDE_RUN_STATE_H
#define SONDE_RUN_STATE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/checksum.h"
#include "base/text.h"
#include "device/device.h"

struct state {
	FILE *file;       /* null while saving: nothing is written (state_contribute()) */
	const char *path; /* for messages */
	char *own_path;   /* the same, or null */
	bool saving;      /* else restoring */
	struct device *device;
	struct checksum checksum; /* of the saved bytes */
};

/* A file format: the mark at the beginning, in this machine's byte order, whose highest byte is the version of the
 * format; and its name in messages, "a checkpoint of sonde fdtd". */
struct state_kind {
	uint64_t mark;
	const char *name;
};
/* Writes the file `path`, replacing an older one: `walk` passes everything through its state argument. */
typedef sonde_status state_walk(void *user, struct state *state);
sonde_status state_save(const struct state_kind *kind, const char *path, state_walk *walk, void *user);
/* The same walk without a file: of a rank whose numbers another one writes. */
sonde_status state_contribute(const char *path, state_walk *walk, void *user);
/* Opens the file `path` for restoring after checking its seal and its mark. `path` remains the caller's while the state is open, unless it is
 * *own_path. The state is to be closed also after a failure. */
sonde_status state_open(const struct state_kind *kind, const char *path, struct state *state);
/* To be called after everything was restored: checks that nothing is left in the file. */
sonde_status state_end(struct state *state);
/* Closes the file of an opened state; a no-op if none is open. */
void state_close(struct state *state);
/* Whether a file begins as one of this kind does, of any version. */
bool state_is_of(const struct state_kind *kind, const char *path);

/* Bytes in memory. */
sonde_status state_bytes(struct state *state, void *bytes, size_t size);
/* A number that must be the same when restored; `what` names it in the message. */
sonde_status state_same(struct state *state, uint64_t number, const char *what);
/* A number between these bounds, else the file is damaged. */
sonde_status state_number(struct state *state, uint64_t *number, uint64_t least, uint64_t most, const char *what);
/* While restoring: the file has this many bytes left, else it is damaged. */
sonde_status state_has_left(const struct state *state, size_t size);
/* A buffer of the device. */
sonde_status state_buffer(struct state *state, struct device_buffer *buffer);
/* The same of numbers in memory, which may be restored to a buffer of the device, and the other way round. */
sonde_status state_host_buffer(struct state *state, void *numbers, size_t bytes);
/* The same in pieces: this begins it, and state_bytes() of all of them follow. */
sonde_status state_buffer_size(struct state *state, size_t bytes);
/* A growing array of *count elements, for which memory is allocated as by memory_grow(). */
sonde_status state_array(struct state *state, void *pointer, size_t *capacity, size_t *count, size_t size);
/* The lines of a job: saved, or read and compared with those of the file (run/checkpoint.h). */
sonde_status state_job(struct state *state, const struct text *job);
/* The lines in the file, without the final newline; to be freed. */
sonde_status state_job_there(struct state *state, char **job);
/* SONDE_INVALID: the number of `what` in the file differs from the job's; begins the message. */
sonde_status state_differs(const struct state *state, const char *what, uint64_t there, uint64_t here);

#endif
