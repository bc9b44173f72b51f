/* The CPU as a device: kernels compiled ahead of time for several instruction sets, work-groups
 * spread over OpenMP threads, buffers in main memory. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"

#define MOST_ARGUMENTS 16

struct device {
	enum cpu_isa isa;
	uint32_t threads;
};

static const char *const instruction_sets[CPU_ISA_COUNT] = {
#if defined(__x86_64__)
    "sse2",
#else
    "generic",
#endif
    "avx2", "avx512"};

static bool processor_has(enum cpu_isa isa)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	if (isa == CPU_ISA_AVX2)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	if (isa == CPU_ISA_AVX512)
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
	return isa == CPU_ISA_BASELINE;
}

static bool build_has(enum cpu_isa isa)
{
#if defined(SONDE_CPU_X86_ISAS)
	(void)isa;
	return true;
#else
	return isa == CPU_ISA_BASELINE;
#endif
}

static sonde_status choose_isa(enum cpu_isa *isa)
{
	const char *forced = getenv("SONDE_ISA");

	for (int k = CPU_ISA_COUNT - 1; k >= 0; --k) {
		bool usable = processor_has((enum cpu_isa)k) && build_has((enum cpu_isa)k);
		bool wanted = forced == NULL || forced[0] == '\0' || strcmp(forced, instruction_sets[k]) == 0;
		if (wanted && usable) {
			*isa = (enum cpu_isa)k;
			return SONDE_OK;
		}
		if (wanted && forced != NULL && forced[0] != '\0')
			return status_fail(SONDE_INVALID, "SONDE_ISA=%s: this processor or this build has no %s",
					   forced, forced);
	}
	return status_fail(SONDE_INVALID, "SONDE_ISA=%.32s: choose one of %s, avx2, avx512", forced,
			   instruction_sets[0]);
}

sonde_status device_open_cpu(int64_t threads, struct device **device)
{
	enum cpu_isa isa = CPU_ISA_BASELINE;

	*device = NULL;
	CHECK(choose_isa(&isa));
	CHECK(memory_allocate(device, 1, sizeof **device, "a device"));
	(*device)->isa = isa;
	(*device)->threads = threads > 0 ? (uint32_t)threads : (uint32_t)omp_get_max_threads();
	return SONDE_OK;
}

void device_close(struct device **device)
{
	free(*device);
	*device = NULL;
}

static void read_model(char *model, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[256];

	snprintf(model, size, "processor of unknown make");
	while (file != NULL && fgets(line, sizeof line, file) != NULL) {
		char *value = strstr(line, ": ");
		if (strncmp(line, "model name", 10) == 0 && value != NULL) {
			value[strcspn(value, "\n")] = '\0';
			snprintf(model, size, "%s", value + 2);
			break;
		}
	}
	if (file != NULL)
		fclose(file);
}

void device_describe(const struct device *device, sonde_device_description *description)
{
	memset(description, 0, sizeof *description);
	strcpy(description->name, "cpu");
	read_model(description->model, sizeof description->model);
	snprintf(description->instructions, sizeof description->instructions, "%s", instruction_sets[device->isa]);
	description->threads = device->threads;
	description->memory = memory_installed();
}

uint32_t device_workers(const struct device *device)
{
	return device->threads;
}

uint32_t device_work_items(const struct device *device)
{
	(void)device;
	return 1;
}

uint32_t device_launch_groups(const struct device *device, uint32_t per_worker)
{
	return device->threads * per_worker;
}

sonde_status device_allocate(struct device *device, size_t bytes, const char *what, struct device_buffer *buffer)
{
	(void)device;
	buffer->bytes = bytes;
	return memory_allocate(&buffer->memory, bytes, 1, what);
}

void device_release(struct device *device, struct device_buffer *buffer)
{
	(void)device;
	free(buffer->memory);
	*buffer = (struct device_buffer){0};
}

static sonde_status check_range(const struct device_buffer *buffer, size_t offset, size_t bytes)
{
	if (offset > buffer->bytes || bytes > buffer->bytes - offset)
		return status_fail(SONDE_INTERNAL, "%zu bytes at %zu lie outside a buffer of %zu", bytes, offset,
				   buffer->bytes);
	return SONDE_OK;
}

sonde_status device_write(struct device *device, struct device_buffer *buffer, size_t offset, const void *from,
			  size_t bytes)
{
	(void)device;
	CHECK(check_range(buffer, offset, bytes));
	memcpy((char *)buffer->memory + offset, from, bytes);
	return SONDE_OK;
}

sonde_status device_read(struct device *device, const struct device_buffer *buffer, size_t offset, void *to,
			 size_t bytes)
{
	(void)device;
	CHECK(check_range(buffer, offset, bytes));
	memcpy(to, (const char *)buffer->memory + offset, bytes);
	return SONDE_OK;
}

sonde_status device_clear(struct device *device, struct device_buffer *buffer, size_t offset, size_t bytes)
{
	(void)device;
	CHECK(check_range(buffer, offset, bytes));
	memset((char *)buffer->memory + offset, 0, bytes);
	return SONDE_OK;
}

sonde_status device_kernel(struct device *device, const struct device_program *program, const char *name,
			   struct device_kernel *kernel)
{
	for (const struct cpu_kernel *known = program->cpu_kernels; known->name != NULL; ++known) {
		if (strcmp(known->name, name) == 0 && known->entry[device->isa] != NULL) {
			kernel->cpu_entry = known->entry[device->isa];
			return SONDE_OK;
		}
	}
	return status_fail(SONDE_INTERNAL, "program %s has no kernel %s for %s", program->name, name,
			   instruction_sets[device->isa]);
}

sonde_status device_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			   const struct device_argument *arguments, size_t argument_count)
{
	cpu_kernel_entry *entry = kernel->cpu_entry;
	void *values[MOST_ARGUMENTS];

	if (argument_count > MOST_ARGUMENTS)
		return status_fail(SONDE_INTERNAL, "%zu arguments are more than a kernel takes", argument_count);
	for (size_t k = 0; k < argument_count; ++k)
		values[k] = (void *)arguments[k].value;
#pragma omp parallel for schedule(dynamic) num_threads((int)device->threads)
	for (uint32_t id = 0; id < groups; ++id) {
		struct cpu_group group = {id, (uint32_t)omp_get_thread_num()};
		entry(&group, values);
	}
	return SONDE_OK;
}
