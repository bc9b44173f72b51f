/* A file without a name for numbers that do not fit into memory, read and written by threads of its own while the caller
 * does other things. It disappears with the process, whatever ends that. */
#ifndef SONDE_FDTD_STREAMING_SCRATCH_FILE_H
#define SONDE_FDTD_STREAMING_SCRATCH_FILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Places in the file, sizes, and addresses in memory are multiples of this: direct access bypasses the system's cache,
 * which would take the memory that the file is to save. */
#define SCRATCH_BLOCK ((size_t)4096)

enum scratch_direction { SCRATCH_READ, SCRATCH_WRITE };
#define SCRATCH_THREADS 2 /* for each direction */

struct scratch_request {
	enum scratch_direction direction;
	uint64_t offset;
	size_t bytes;
	char *memory;
	/* private */
	uint64_t number;
	bool begun, done;
	struct scratch_request *next;
};

struct scratch_file {
	const char *path; /* as given, for messages */
	int descriptor;
	bool direct; /* else through the system's cache */
	uint64_t bytes;
	int error; /* of the first transfer that failed, as errno; 0: none */
	enum scratch_direction failed;
	uint64_t added;
	struct scratch_request *waiting[2], *last[2]; /* not done, in the order in which they were added */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool ends;
	int threads;
	struct scratch_thread {
		pthread_t thread;
		struct scratch_file *file;
		enum scratch_direction direction;
	} thread[2 * SCRATCH_THREADS];
};

/* An empty file in the folder `path`, or a new one of that name, which must not exist. `path` must outlast it. */
sonde_status scratch_file_open(const char *path, struct scratch_file **file);
/* Requests that have not begun are dropped. */
void scratch_file_close(struct scratch_file **file);
/* Reserves space up to `bytes`, which reads as zeros. SONDE_RESOURCE with the bytes that are needed, if the disk lacks
 * them. */
sonde_status scratch_file_reserve(struct scratch_file *file, uint64_t bytes);

/* Begins a transfer; the request and its memory must stay until it is done. Reading waits for earlier requests to write to the
 * same place. */
void scratch_file_add(struct scratch_file *file, struct scratch_request *request);
/* Waits until it is done. */
sonde_status scratch_file_wait(struct scratch_file *file, struct scratch_request *request);
/* Ends without waiting for requests that have not begun, and forgets them: after a failure. */
void scratch_file_forget(struct scratch_file *file);
/* The transfer by the caller itself. */
sonde_status scratch_file_move(struct scratch_file *file, enum scratch_direction direction, uint64_t offset,
			       void *memory, size_t bytes);

/* Bytes that are free for a scratch file at `path`; infinite: unknown. */
double scratch_file_free_bytes(const char *path);
/* Bytes per second in each direction, both at once, of a file of some `bytes`, in `seconds` at most. */
sonde_status scratch_file_measure(const char *path, double bytes, double seconds, double *rate);

#endif
