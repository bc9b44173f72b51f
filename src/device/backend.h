/* A back end: one table of functions. A new back end is one file with such a table, and one line in backends.def.
 * Functions may rely on the checks of device.c: ranges, counts, and that buffers are not null. */
#ifndef SONDE_DEVICE_BACKEND_H
#define SONDE_DEVICE_BACKEND_H

#include <pthread.h>

#include "device/device_types.h"
#include "device/kernel_cache.h"
#include "device/window.h"

#define MOST_ARGUMENTS 17
#define LAUNCH_LIMIT 0.25 /* default in seconds: short enough to respond to a stop and to keep displays alive */

struct device_ticket;

/* Of devices that other processes use (sharing.h). */
struct backend_sharing {
	sonde_status (*offer_memory)(struct device *device, void *memory, struct device_ticket *ticket);
	sonde_status (*take_memory)(struct device *device, const struct device_ticket *ticket, void **memory);
	void (*return_memory)(struct device *device, void *memory);
	sonde_status (*offer_event)(struct device *device, struct device_event *event, struct device_ticket *ticket);
	sonde_status (*renew_event)(struct device *device, const struct device_event *event);
	sonde_status (*take_event)(struct device *device, const struct device_ticket *ticket,
				   struct device_event *event);
};

struct backend {
	struct device_kind kind;
	/* Describes device `index` of this back end; *found 0 past the last. `usable` of the description: whether
	 * open() is worth trying. */
	sonde_status (*describe)(int index, const struct device_settings *settings,
				 sonde_device_description *description, int *found);
	sonde_status (*open)(int index, const struct device_settings *settings, struct device *device);
	void (*close)(struct device *device);
	/* device_enter_thread() and device_leave_thread(); null: a thread has nothing that work for the device changes */
	void (*enter_thread)(void);
	void (*leave_thread)(void);
	/* zeroed */
	bool can_limit_workers; /* launches take no more threads than properties.workers */
	sonde_status (*allocate)(struct device *device, size_t bytes, const char *what, void **memory);
	void (*release)(struct device *device, void *memory);
	sonde_status (*write)(struct device *device, void *memory, size_t offset, const void *from, size_t bytes);
	sonde_status (*read)(struct device *device, void *memory, size_t offset, void *to, size_t bytes);
	sonde_status (*clear)(struct device *device, void *memory, size_t offset, size_t bytes);
	sonde_status (*wait)(struct device *device);
	/* windows of buffers, and copies beside kernels; null: the device has none */
	size_t (*window_chunk)(const struct device *device);
	sonde_status (*window_map)(struct device *device, struct device_window *window, const char *what,
				   void **memory);
	void (*window_unmap)(struct device *device, struct device_window *window, void *memory);
	sonde_status (*host_pin)(struct device *device, void *memory, size_t bytes);
	void (*host_unpin)(struct device *device, void *memory);
	/* copies that only join the queue; null: write and read */
	sonde_status (*send)(struct device *device, void *memory, size_t offset, const void *from, size_t bytes);
	sonde_status (*fetch)(struct device *device, void *memory, size_t offset, void *to, size_t bytes);
	sonde_status (*begin_after)(struct device *device, const struct device_event *event);
	sonde_status (*event_wait)(struct device *device, const struct device_event *event);
	/* null: it waits */
	sonde_status (*event_done)(struct device *device, const struct device_event *event, bool *done);
	/* from addresses of one device to those of another one of this back end, or of the same (peers.h); null: never */
	sonde_status (*copy)(struct device *device, const void *from, struct device *other, void *to, size_t bytes);
	const struct backend_sharing *sharing; /* null: other processes use nothing of it */
	sonde_status (*event_record)(struct device *device, struct device_event *event);
	sonde_status (*event_elapsed)(struct device *device, struct device_event *from, struct device_event *to,
				      double *seconds);
	void (*event_release)(struct device *device, struct device_event *event);
	sonde_status (*kernel)(struct device *device, const struct device_kernel_source *source,
			       const struct device_define *defines, size_t define_count,
			       struct device_kernel *kernel);
	/* begins to compile a kernel in the background, unless it is in the cache, and returns true; null: never */
	bool (*request)(struct device *device, const struct device_kernel_source *source,
			const struct device_define *defines, size_t define_count);
	sonde_status (*launch)(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			       const struct device_argument *arguments, size_t argument_count);
};

/* A compiled kernel, with everything that determined it. */
struct compiled_kernel {
	char key[65];
	struct device_kernel kernel;
};

/* Released buffers: kept_buffers.h */
#define MOST_KEPT_BUFFERS 40

struct kept_buffers {
	uint64_t most;         /* bytes: device_keep_buffers() */
	bool in_use;           /* kernels have been launched that may still use some of them */
	pthread_mutex_t mutex; /* a CPU is used by several threads */
	struct device_buffer buffers[MOST_KEPT_BUFFERS];
	int count;
	uint64_t bytes;
};

struct device {
	int queue; /* queue of launches, copies and events: below DEVICE_ALL_QUEUES */
	const struct backend *backend;
	sonde_device_description description;
	struct device_properties properties;
	double launch_limit;
	const int *stop; /* from its settings */
	uint64_t allocated;
	struct kept_buffers kept;
	struct kernel_cache cache;
	bool requesting; /* device_request_kernels() */
	uint32_t requested;
	struct compiled_kernel *compiled;
	size_t compiled_count, compiled_capacity;
	double kernel_seconds;                /* device_kernel_seconds() */
	const struct device_program **tested; /* programs whose self-test has passed or is running */
	size_t tested_count, tested_capacity;
	void *state; /* of the back end */
};

#define BACKEND(name) extern const struct backend name##_backend;
#include "device/backends.def"
#undef BACKEND

#endif
