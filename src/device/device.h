/* One interface to every device. The CPU is cpu.c; further back ends are further files and one line in
 * device.c.
 *
 * A kernel is asked for by program and name, launched over work-groups with an array of pointers to its
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

/* The kernels of an engine: their text for run-time compilers and, for the CPU, their entries. */
struct device_program {
	const char *name;                     /* "debye" */
	const struct cpu_kernel *cpu_kernels; /* ends with a null name */
};

/* A kernel that is ready to be launched on one device. */
struct device_kernel {
	cpu_kernel_entry *cpu_entry;
};

/* A buffer: `memory` is where kernels see it. Given to kernels as a pointer argument, &buffer.memory. */
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
/* How many work-groups run at once, each as a worker with a number below this. */
uint32_t device_workers(const struct device *device);

/* A zeroed buffer. `what` names it in the message. */
sonde_status device_allocate(struct device *device, size_t bytes, const char *what, struct device_buffer *buffer);
void device_release(struct device *device, struct device_buffer *buffer);
sonde_status device_write(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
			  size_t bytes);
sonde_status device_read(struct device *device, const struct device_buffer *buffer, size_t offset, void *to,
			 size_t bytes);
sonde_status device_clear(struct device *device, struct device_buffer *buffer);

sonde_status device_kernel(struct device *device, const struct device_program *program, const char *name,
			   struct device_kernel *kernel);
/* Runs work-groups 0 to groups - 1; arguments[k] points to the k-th argument. */
sonde_status device_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			   void *const *arguments);

#endif
