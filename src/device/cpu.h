/* The CPU's functions, for back ends that run kernels on it. */
#ifndef SONDE_DEVICE_CPU_H
#define SONDE_DEVICE_CPU_H

#include "device/backend.h"

/* The processor, under the name of a device. */
sonde_status cpu_describe_as(const char *name, const struct device_settings *settings,
			     sonde_device_description *description);
/* Opens it for the kernels for SIMD registers, or for those for GPUs, which run as plain C with work-groups of one
 * work-item and `local_memory` bytes. */
sonde_status cpu_open_with(const struct device_settings *settings, bool gpu_kernels, uint32_t local_memory,
			   struct device *device);

void cpu_close(struct device *device);
sonde_status cpu_allocate(struct device *device, size_t bytes, const char *what, void **memory);
void cpu_release(struct device *device, void *memory);
sonde_status cpu_write(struct device *device, void *memory, size_t offset, const void *from, size_t bytes);
sonde_status cpu_read(struct device *device, void *memory, size_t offset, void *to, size_t bytes);
sonde_status cpu_clear(struct device *device, void *memory, size_t offset, size_t bytes);
sonde_status cpu_copy(struct device *device, const void *from, struct device *other, void *to, size_t bytes);
sonde_status cpu_wait(struct device *device);
size_t cpu_window_chunk(const struct device *device);
sonde_status cpu_window_map(struct device *device, struct device_window *window, const char *what, void **memory);
void cpu_window_unmap(struct device *device, struct device_window *window, void *memory);
sonde_status cpu_event_record(struct device *device, struct device_event *event);
sonde_status cpu_event_elapsed(struct device *device, struct device_event *from, struct device_event *to,
			       double *seconds);
void cpu_event_release(struct device *device, struct device_event *event);
sonde_status cpu_kernel(struct device *device, const struct device_kernel_source *source,
			const struct device_define *defines, size_t define_count, struct device_kernel *kernel);
sonde_status cpu_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			const struct device_argument *arguments, size_t argument_count);

/* All functions of a back end but describe() and open(). */
#define CPU_FUNCTIONS                                                                                             \
	.can_limit_workers = true, .close = cpu_close, .allocate = cpu_allocate, .release = cpu_release,          \
	.write = cpu_write, .read = cpu_read, .clear = cpu_clear, .copy = cpu_copy, .wait = cpu_wait,             \
	.event_record = cpu_event_record, .event_elapsed = cpu_event_elapsed, .event_release = cpu_event_release, \
	.window_chunk = cpu_window_chunk, .window_map = cpu_window_map, .window_unmap = cpu_window_unmap,         \
	.send = cpu_write, .fetch = cpu_read, .kernel = cpu_kernel, .launch = cpu_launch

#endif
