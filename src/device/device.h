/* One interface to every device, implemented by the back ends of backends.def.
 *
 * A kernel is requested by program and name and launched over work-groups with its arguments. Work is
 * added to a queue and done in that order; device_launch(), device_write() and device_clear() may return
 * before it is done, device_read() and device_wait() return after it. Buffers are memory of the device. A
 * device is used by one thread at a time; a CPU by several for buffers and launches of kernels requested before.
 */
#ifndef SONDE_DEVICE_DEVICE_H
#define SONDE_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device_types.h"
#include "device/window.h"

/* The kinds of devices, in the order in which GPUs are looked for; null past the last one. */
const struct device_kind *device_kind(int index);
/* The kind that a name begins with, up to its colon or end; null if there is none. */
const struct device_kind *device_kind_of(const char *name);

/* Candidate devices are numbered from 0; *found is 0 past the last one. The description of an unusable one gives the
 * reason. */
sonde_status device_describe(int index, const struct device_settings *settings, sonde_device_description *description,
			     int *found);
/* The same for the devices of one kind. */
sonde_status device_describe_of(const struct device_kind *kind, int index, const struct device_settings *settings,
				sonde_device_description *description, int *found);
/* Opens a device by its name: that of its kind and, if these are numbered, a colon and its number. */
sonde_status device_open(const char *name, const struct device_settings *settings, struct device **device);
void device_close(struct device **device);

/* A thread of a program may have a current device of its own in the driver that ours uses, too. Between these two calls
 * work for our devices changes that, and afterward it is as it was before. */
void device_enter_thread(void);
void device_leave_thread(void);

/* Limits the threads of a CPU from now on, for work that needs memory for each; 0: all again. GPUs are unaffected. */
void device_limit_workers(struct device *device, uint32_t workers);

const char *device_name(const struct device *device);
const struct device_properties *device_properties(const struct device *device);
/* The description of the device for provenance. */
void device_identify(const struct device *device, sonde_device_description *description);

/* Number of workers, for which the CPU's kernels have scratch memory each (WORKER_ID is below it). */
uint32_t device_workers(const struct device *device);
/* Maximum number of work-groups for one launch, if a worker may run `per_worker` of them one after the other. */
uint32_t device_launch_groups(const struct device *device, uint32_t per_worker);
/* Whether the caller asked to stop. */
bool device_is_stopped(const struct device *device);

/* A zeroed buffer. `what` names it in the message. Fails with SONDE_RESOURCE if it exceeds the memory that the device
 * may use. */
sonde_status device_allocate(struct device *device, size_t bytes, const char *what, struct device_buffer *buffer);
void device_release(struct device *device, struct device_buffer *buffer);
/* From now on some of the released buffers are kept for later ones of about their size. The limit is `most` bytes, but at most a quarter of
 * the device's memory; a later call can only raise it. For many similar runs, since drivers take some tenths of a millisecond for an
 * allocation and wait for the device, also for work of others, in a release. They are given up where memory is short, and when the device
 * is closed. */
void device_keep_buffers(struct device *device, uint64_t most);
/* `from` may be reused on return. */
sonde_status device_write(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
			  size_t bytes);
/* A buffer with a copy of `bytes` bytes; if 0, of 8 zero bytes, since kernels need a buffer. */
sonde_status device_upload(struct device *device, const void *from, size_t bytes, const char *what,
			   struct device_buffer *buffer);
sonde_status device_read(struct device *device, const struct device_buffer *buffer, size_t offset, void *to,
			 size_t bytes);
sonde_status device_clear(struct device *device, struct device_buffer *buffer, size_t offset, size_t bytes);
/* A buffer of which only windows are in memory (window.h), zeroed: kernels and copies may use, of each part, any range
 * of `window` bytes at a time. SONDE_RESOURCE also on devices without this ability. */
sonde_status device_allocate_window(struct device *device, size_t bytes, const struct device_part *parts, int count,
				    const char *what, struct device_buffer *buffer);
/* Memory that such a buffer would take. */
uint64_t device_window_bytes(const struct device *device, size_t bytes, const struct device_part *parts, int count);
/* Waits for all work in the queues. */
sonde_status device_wait(struct device *device);

/* Memory of the host, zeroed, from and to which device_send() and device_fetch() copy while kernels run:
 * pinned, if the system allows it. */
sonde_status device_host_allocate(struct device *device, size_t bytes, const char *what, void **memory);
void device_host_release(struct device *device, void *memory);
/* As device_write() and device_read(), but the copy is only added to the selected queue: the numbers must stay as they
 * are, or are there, once the queue has reached a later event. */
sonde_status device_send(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
			 size_t bytes);
sonde_status device_fetch(struct device *device, const struct device_buffer *buffer, size_t offset, void *to,
			  size_t bytes);
/* Whether these two are complete when they return. */
bool device_copies_at_once(const struct device *device);
/* Work added to the selected queue from now on begins after an event of another queue. */
sonde_status device_begin_after(struct device *device, const struct device_event *event);
/* Waits on the host. */
sonde_status device_event_wait(struct device *device, const struct device_event *event);
/* Whether it has passed, without waiting, where a device can tell; else it waits. */
sonde_status device_event_done(struct device *device, const struct device_event *event, bool *done);

/* A device has queues, each in order, whose launches may overlap: the last groups of one launch leave room for the first
 * of the next. Selects the queue of launches, copies and events from now on; initially 0, to which callers return.
 * device_wait() waits for all. Returns the one selected before. */
int device_use_queue(struct device *device, int queue);

sonde_status device_event_record(struct device *device, struct device_event *event);
/* Seconds between two moments; waits for the second. Both events are released. */
sonde_status device_event_elapsed(struct device *device, struct device_event *from, struct device_event *to,
				  double *seconds);
/* Releases an event that is no longer needed; one that was never recorded is allowed. */
void device_event_release(struct device *device, struct device_event *event);

/* Finds or compiles a kernel for work-groups of `work_items` with local memory of `local_memory` bytes. The constants
 * LOCAL_SIZE (work_items) and `defines` are set while it is compiled; kernels for the CPU are compiled without them.
 * The first call for a program runs its self-test. */
sonde_status device_kernel(struct device *device, const struct device_program *program, const char *name,
			   uint32_t work_items, uint32_t local_memory, const struct device_define *defines,
			   size_t define_count, struct device_kernel *kernel);
/* Time that device_kernel() has taken so far: compiling and loading kernels, and their self-tests. */
double device_kernel_seconds(const struct device *device);
/* For kernels that are loaded and tested in the background: of that time since it was `before`, only what the run waited
 * for them counts, `waited` at most. */
void device_count_waited(struct device *device, double before, double waited);
/* Until it is called again with false, device_kernel() only begins to compile kernels, in the background, several at once,
 * unless they are in the cache; what it returns cannot be launched, and no self-test runs. Afterward it waits for them.
 * Returns false, and nothing changes, if the device has no compiler for that. */
bool device_request_kernels(struct device *device, bool requesting);
/* The number of kernels that were requested and not in the cache. */
uint32_t device_requested_kernels(const struct device *device);
/* Runs work-groups 0 to groups - 1. If kernel->early is set and the device supports it, they begin when all groups of the previous
 * kernel have begun, if that one calls LET_NEXT_BEGIN() (kernel.h); they call WAIT_FOR_EARLIER() before they need its results, or
 * before they end. */
sonde_status device_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			   const struct device_argument *arguments, size_t argument_count);

/* Data that engines keep from run to run in addition to the kernels, e.g. their best shapes: see kernel_cache.h. */
void *device_cache_get(const struct device *device, const char *key, size_t *size);
void device_cache_put(const struct device *device, const char *key, const void *bytes, size_t size);

/* Number of work-groups for which a launch stays below the time limit: starts with `first`, learns from launches. */
struct device_pace {
	double groups;
};
uint32_t device_pace_groups(const struct device *device, struct device_pace *pace, uint32_t first, uint32_t left);
void device_pace_learn(const struct device *device, struct device_pace *pace, uint32_t groups, double seconds);

#define DEVICE_MOST_INSTRUCTION_SETS 3
/* Instruction sets for which this build has kernels, the best one last; returns their number. *used is the one in
 * use, null if SONDE_ISA demands an unavailable one. The names are constants. */
int device_instruction_sets(const char *names[DEVICE_MOST_INSTRUCTION_SETS], const char **used);
/* A kernel for SIMD registers, which any thread may call itself, for work of the host next to devices; self-tests are the caller's. */
sonde_status device_host_kernel(const struct device_program *program, const char *name, cpu_kernel_entry **entry);

#endif
