/* A context says where and how to run: threads, memory, device, progress, cancellation.
 *
 * It belongs to the caller, serves any engine, and may be used for one run at a time.
 */
#ifndef SONDE_CONTEXT_H
#define SONDE_CONTEXT_H

#include <stdint.h>

#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sonde_context sonde_context;

/* How far a run is. Delivered to the progress callback a few times a second, from the thread that
 * called the run. */
typedef struct sonde_progress {
	const char *stage;  /* what is being done, e.g. "pairs" */
	double done, total; /* in units of `unit` */
	const char *unit;   /* e.g. "pairs" */
	double elapsed;     /* seconds since the stage began */
} sonde_progress;

typedef void sonde_progress_callback(const sonde_progress *progress, void *user);

/* Creates a context with the defaults: all processors, no limit but the machine's memory, the
 * CPU. *context is null after a failure. */
SONDE_API sonde_status sonde_context_create(sonde_context **context);
/* Frees the context and sets *context to null; a null pointer or null context is fine. */
SONDE_API void sonde_context_free(sonde_context **context);

/* Number of CPU threads; 0 means all processors that the process may use. */
SONDE_API sonde_status sonde_context_set_threads(sonde_context *context, int64_t threads);
/* Most bytes that a run may allocate; 0 means what the machine has free when the run begins. */
SONDE_API sonde_status sonde_context_set_memory(sonde_context *context, uint64_t bytes);
/* Devices by name; today "cpu". */
SONDE_API sonde_status sonde_context_set_device(sonde_context *context, const char *device);
/* What the caller was asked for, e.g. its command line; results carry it as provenance. Copied. */
SONDE_API sonde_status sonde_context_set_command(sonde_context *context, const char *command);
SONDE_API void sonde_context_set_progress(sonde_context *context, sonde_progress_callback *callback, void *user);

/* Asks the run in progress to stop; it returns SONDE_CANCELLED within a fraction of a second. May be
 * called from another thread and from a signal handler. */
SONDE_API void sonde_context_cancel(sonde_context *context);
/* Lets a context that was cancelled run again; until then every run returns SONDE_CANCELLED. */
SONDE_API void sonde_context_reset(sonde_context *context);

/* One device that Sonde found. */
typedef struct sonde_device_description {
	char name[32];         /* what --device takes */
	char model[128];       /* the maker's name for it */
	char instructions[32]; /* instruction set that the kernels are run with */
	int64_t threads;
	uint64_t memory;  /* bytes */
	int chosen;       /* whether the context runs on it */
	char reason[192]; /* why it is chosen, or why not */
} sonde_device_description;

/* Describes device `index` (from 0) as the context sees it; *found is 0 past the last one. */
SONDE_API sonde_status sonde_context_describe_device(sonde_context *context, int index,
						     sonde_device_description *description, int *found);

#ifdef __cplusplus
}
#endif
#endif
