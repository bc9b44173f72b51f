/* One interface to every device. Behind it, today, is the CPU: cpu.c.
 *
 * A kernel is asked for by program and name, launched over work-groups with its
 * arguments, and runs to its end before device_launch() returns. Buffers are memory of the device.
 */
#ifndef SONDE_DEVICE_DEVICE_H
#define SONDE_DEVICE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "device/cpu_kernel.h"
#include "sonde/context.h"

struct device;

/* The kernels of an engine: for the CPU, their entries. */
struct device_program {
	const char *name;                     /* "debye" */
	const struct cpu_kernel *cpu_kernels; /* ends with a null name */
};

/* A kernel that is ready to be launched on one device. */
struct device_kernel {
	cpu_kernel_entry *cpu_entry;
};

/* One argument of a kernel: a number, or the memory of a buffer. */
struct device_argument {
	size_t size;
	const void *value;
};
#define DEVICE_ARGUMENT(x)      \
	{                       \
		sizeof(x), &(x) \
	}

/* A buffer: `memory` is where kernels see it. Given to kernels as DEVICE_ARGUMENT(buffer.memory). */
struct device_buffer {
	void *memory;
	size_t bytes;
};

/* Opens the CPU with `threads` threads (0: all that the process may use). The instruction set is the
 * best that processor and build have, or the one that SONDE_ISA names (sse2, avx2, avx512). */
sonde_status device_open_cpu(int64_t threads, struct device **device);
void device_close(struct device **device);

/* What the device is; `chosen` and `reason` are the context's to fill. */
void device_describe(const struct device *device, sonde_device_description *description);
/* Scratch memory is given out per worker: how many there are, how many work-items each has (WORKER_ID is below the
 * first, LOCAL_ID below the second). */
uint32_t device_workers(const struct device *device);
uint32_t device_work_items(const struct device *device);
/* Work-groups that one launch should have at most, where a worker may run `per_worker` of them one after the other.
 * Where every group is a worker of its own, there are as many as workers. */
uint32_t device_launch_groups(const struct device *device, uint32_t per_worker);

/* A zeroed buffer. `what` names it in the message. */
sonde_status device_allocate(struct device *device, size_t bytes, const char *what, struct device_buffer *buffer);
void device_release(struct device *device, struct device_buffer *buffer);
sonde_status device_write(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
			  size_t bytes);
sonde_status device_read(struct device *device, const struct device_buffer *buffer, size_t offset, void *to,
			 size_t bytes);
sonde_status device_clear(struct device *device, struct device_buffer *buffer, size_t offset, size_t bytes);

sonde_status device_kernel(struct device *device, const struct device_program *program, const char *name,
			   struct device_kernel *kernel);
/* Runs work-groups 0 to groups - 1. */
sonde_status device_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			   const struct device_argument *arguments, size_t argument_count);

#endif
