/* A context specifies where and how to run: threads, memory, device, progress, cancellation.
 *
 * It belongs to the caller, serves any engine, and may be used for one run at a time.
 */
#ifndef SONDE_CONTEXT_H
#define SONDE_CONTEXT_H

#include <stdint.h>

#include "sonde/device.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sonde_context sonde_context;

/* Progress of a run. Delivered to the progress callback a few times per second, from the thread that called the run.
 * */
typedef struct sonde_progress {
	const char *stage;  /* the current work, e.g. "pairs" */
	double done, total; /* in units of `unit` */
	const char *unit;   /* e.g. "pairs" */
	double elapsed;     /* seconds since the stage began */
	double ceiling;     /* limit in units per second by the device's memory bandwidth; 0: unknown */
} sonde_progress;

typedef void sonde_progress_callback(const sonde_progress *progress, void *user);

/* Creates a context with the defaults: all processors, no memory limit except the machine's, the CPU. *context is
 * null after a failure. */
SONDE_API sonde_status sonde_context_create(sonde_context **context);
/* Frees the context and sets *context to null; a null pointer or null context is allowed. */
SONDE_API void sonde_context_free(sonde_context **context);

/* Number of CPU threads; 0 means all processors that the process may use. */
SONDE_API sonde_status sonde_context_set_threads(sonde_context *context, int64_t threads);
/* Maximum number of bytes that a run may allocate; 0 means all that is free when the run begins. */
SONDE_API sonde_status sonde_context_set_memory(sonde_context *context, uint64_t bytes);
/* Devices by name, "cpu", "cuda:0,1", "opencl:0", "cuda:0,cpu", "all" (every GPU; the CPU if there is none), "gpu"
 * (the first GPU; the CPU if there is none) or "auto", the default, also selected by null: like "gpu", but the CPU
 * for a run that it completes in less time than a GPU takes to start. Several devices share each run. */
SONDE_API sonde_status sonde_context_set_device(sonde_context *context, const char *devices);
/* Maximum number of bytes of a run on each device; 0 means all that is free. */
SONDE_API sonde_status sonde_context_set_device_memory(sonde_context *context, uint64_t bytes);
/* Cache of compiled kernels: a folder, "off", or "" for the default ($XDG_CACHE_HOME/sonde). */
SONDE_API sonde_status sonde_context_set_kernel_cache(sonde_context *context, const char *folder);
/* Maximum seconds of one kernel launch; 0 means the default of a quarter. */
SONDE_API sonde_status sonde_context_set_launch_limit(sonde_context *context, double seconds);
/* The folder of tables that are too large to be compiled in (of stopping powers: stopping_srim13.i16 ...), which are searched there and in
 * noncommercial/ below it, and nowhere else. Null or "", the default: the folder given by the environment variable SONDE_DATA, else
 * share/sonde of the tree that contains the library, or the program, else the usual folders of such files. Copied. */
SONDE_API sonde_status sonde_context_set_data(sonde_context *context, const char *folder);
/* The request that led to the run, e.g. a command line; stored in results as provenance. Copied. */
SONDE_API sonde_status sonde_context_set_command(sonde_context *context, const char *command);
SONDE_API void sonde_context_set_progress(sonde_context *context, sonde_progress_callback *callback, void *user);

/* Notes for the user on runs that continued, e.g. after a device failed: lines of text, "" if there are none. Owned
 * by the context. */
SONDE_API const char *sonde_context_notes(const sonde_context *context);
/* Forgets them, so that those of the next run stand alone. Not during a run. */
SONDE_API void sonde_context_forget_notes(sonde_context *context);

/* Begins to open the devices on a separate thread, in parallel with other work of the caller, e.g. reading a sample.
 * The settings of the context must not change until a run. */
SONDE_API void sonde_context_prepare(sonde_context *context);

/* Asks the run in progress to stop; it returns SONDE_CANCELLED within a fraction of a second. May be
 * called from another thread and from a signal handler. */
SONDE_API void sonde_context_cancel(sonde_context *context);
/* Makes a cancelled context usable again; until then every run returns SONDE_CANCELLED. */
SONDE_API void sonde_context_reset(sonde_context *context);

/* Describes device `index` (from 0) as the context sees it; *found is 0 past the last one. */
#define sonde_context_describe_device(context, index, description, found) \
	sonde_context_describe_device_sized((context), (index), (description), sizeof *(description), (found))
/* The same for a struct of `size` bytes: that of the version that the caller was compiled with. */
SONDE_API sonde_status sonde_context_describe_device_sized(sonde_context *context, int index,
							   sonde_device_description *description, uint64_t size,
							   int *found);

#ifdef __cplusplus
}
#endif
#endif
