/* A back end with all that one must have, and nothing else: numbered devices that run the kernels for GPUs as plain C on the
 * calling thread. scripts/check_new_engine.sh adds it to a copy of the source. The environment variable SINGLE_DEVICES gives
 * the number of devices; without it there is none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/backend.h"

#define LOCAL_MEMORY (200u << 10)
#define MEMORY (UINT64_C(1) << 30)

static int device_count(void)
{
	const char *count = getenv("SINGLE_DEVICES");

	return count != NULL ? atoi(count) : 0;
}

static sonde_status single_describe(int index, const struct device_settings *settings,
				    sonde_device_description *description, int *found)
{
	const int count = device_count();

	(void)settings;
	*found = index < count || index == 0;
	if (!*found)
		return SONDE_OK;
	snprintf(description->name, sizeof description->name, "single:%d", index);
	strcpy(description->model, "one thread");
	strcpy(description->instructions, "plain C");
	description->threads = 1;
	description->memory = MEMORY;
	description->usable = index < count;
	description->absent = !description->usable;
	if (description->absent)
		strcpy(description->reason, "SINGLE_DEVICES is not set");
	return SONDE_OK;
}

static sonde_status single_open(int index, const struct device_settings *settings, struct device *device)
{
	char *local_memory;

	(void)index;
	(void)settings;
	CHECK(memory_allocate(&local_memory, LOCAL_MEMORY, 1, "the local memory"));
	device->state = local_memory;
	device->properties = (struct device_properties){.gpu_kernels = true,
							.fixed_kernels = true,
							.lanes = 1,
							.workers = 1,
							.local_memory = LOCAL_MEMORY,
							.most_work_items = 1,
							.large_kernel_items = 1,
							.memory = MEMORY};
	return SONDE_OK;
}

static void single_close(struct device *device)
{
	free(device->state);
}

static sonde_status single_allocate(struct device *device, size_t bytes, const char *what, void **memory)
{
	(void)device;
	return memory_allocate(memory, bytes, 1, what);
}

static void single_release(struct device *device, void *memory)
{
	(void)device;
	free(memory);
}

static sonde_status single_write(struct device *device, void *memory, size_t offset, const void *from, size_t bytes)
{
	(void)device;
	memcpy((char *)memory + offset, from, bytes);
	return SONDE_OK;
}

static sonde_status single_read(struct device *device, void *memory, size_t offset, void *to, size_t bytes)
{
	(void)device;
	memcpy(to, (const char *)memory + offset, bytes);
	return SONDE_OK;
}

static sonde_status single_clear(struct device *device, void *memory, size_t offset, size_t bytes)
{
	(void)device;
	memset((char *)memory + offset, 0, bytes);
	return SONDE_OK;
}

static sonde_status single_wait(struct device *device)
{
	(void)device;
	return SONDE_OK;
}

static sonde_status single_event_record(struct device *device, struct device_event *event)
{
	(void)device;
	event->seconds = clock_seconds();
	return SONDE_OK;
}

static sonde_status single_event_elapsed(struct device *device, struct device_event *from, struct device_event *to,
					 double *seconds)
{
	(void)device;
	*seconds = to->seconds - from->seconds;
	return SONDE_OK;
}

static void single_event_release(struct device *device, struct device_event *event)
{
	(void)device;
	event->seconds = 0.0;
}

static sonde_status single_kernel(struct device *device, const struct device_kernel_source *source,
				  const struct device_define *defines, size_t define_count,
				  struct device_kernel *kernel)
{
	(void)device;
	(void)defines;
	(void)define_count;
	if (source->cpu != NULL)
		kernel->cpu_entry =
		    source->cpu->plain != NULL ? source->cpu->plain : source->cpu->entry[CPU_ISA_BASELINE];
	return kernel->cpu_entry != NULL
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "kernel %s was not built for it", source->name);
}

static sonde_status single_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
				  const struct device_argument *arguments, size_t argument_count)
{
	void *values[MOST_ARGUMENTS];

	for (size_t k = 0; k < argument_count; ++k)
		values[k] = (void *)arguments[k].value;
	for (uint32_t id = 0; id < groups; ++id) {
		const struct cpu_group group = {id, 0, device->state, device->stop};
		kernel->cpu_entry(&group, values);
	}
	return SONDE_OK;
}

static const struct device_variable variables[] = {{.name = "SINGLE_DEVICES", .help = "Number of devices single:N."},
						   {.name = NULL}};

const struct backend single_backend = {
    .kind =
	{.name = "single", .help = "one thread", .is_numbered = true, .offers_gpus = true, .variables = variables},
    .describe = single_describe,
    .open = single_open,
    .close = single_close,
    .allocate = single_allocate,
    .release = single_release,
    .write = single_write,
    .read = single_read,
    .clear = single_clear,
    .wait = single_wait,
    .event_record = single_event_record,
    .event_elapsed = single_event_elapsed,
    .event_release = single_event_release,
    .kernel = single_kernel,
    .launch = single_launch,
};
