/* The CPU as a device: kernels compiled ahead of time for several instruction sets, work-groups
 * spread over threads, buffers in main memory. */
#include "device/cpu.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/clock.h"
#include "base/threads.h"
#include "device/device.h"

struct cpu {
	enum cpu_isa isa;
	uint32_t threads;
	char *local_memory; /* for all threads, consecutively */
};

static const char *const instruction_sets[CPU_ISA_COUNT] = {
#if defined(__x86_64__)
    "sse2",
#else
    "generic",
#endif
    "avx2", "avx512"};

static const uint32_t register_lanes[CPU_ISA_COUNT] = {2, 4, 8}; /* of float64: kernel_cpu.h */

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
#if defined(SONDE_CPU_AVX512)
	const enum cpu_isa last = CPU_ISA_AVX512;
#elif defined(SONDE_CPU_AVX2)
	const enum cpu_isa last = CPU_ISA_AVX2;
#else
	const enum cpu_isa last = CPU_ISA_BASELINE;
#endif
	return isa <= last;
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

int device_instruction_sets(const char *names[DEVICE_MOST_INSTRUCTION_SETS], const char **used)
{
	enum cpu_isa isa;
	int count = 0;

	for (int k = 0; k < CPU_ISA_COUNT; ++k)
		if (build_has((enum cpu_isa)k))
			names[count++] = instruction_sets[k];
	*used = choose_isa(&isa) == SONDE_OK ? instruction_sets[isa] : NULL;
	return count;
}

sonde_status device_host_kernel(const struct device_program *program, const char *name, cpu_kernel_entry **entry)
{
	const struct device_kernel_source *source = program->kernels;
	enum cpu_isa isa = CPU_ISA_BASELINE;

	CHECK(choose_isa(&isa));
	while (source->name != NULL && strcmp(source->name, name) != 0)
		++source;
	*entry = source->cpu != NULL ? source->cpu->entry[isa] : NULL;
	return *entry != NULL
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "kernel %s was not built for %s", name, instruction_sets[isa]);
}

static void read_model(char *model, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[256];

	snprintf(model, size, "processor of unknown type");
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

static uint32_t thread_count(const struct device_settings *settings)
{
	return settings->threads > 0 ? (uint32_t)settings->threads : (uint32_t)threads_available();
}

sonde_status cpu_describe_as(const char *name, const struct device_settings *settings,
			     sonde_device_description *description)
{
	enum cpu_isa isa = CPU_ISA_BASELINE;

	CHECK(choose_isa(&isa));
	strcpy(description->name, name);
	read_model(description->model, sizeof description->model);
	snprintf(description->instructions, sizeof description->instructions, "%s", instruction_sets[isa]);
	description->threads = thread_count(settings);
	description->memory = memory_installed();
	description->usable = 1;
	description->is_cpu = 1;
	return SONDE_OK;
}

static sonde_status cpu_describe(int index, const struct device_settings *settings,
				 sonde_device_description *description, int *found)
{
	*found = index == 0;
	return *found ? cpu_describe_as("cpu", settings, description) : SONDE_OK;
}

sonde_status cpu_open_with(const struct device_settings *settings, bool gpu_kernels, uint32_t local_memory,
			   struct device *device)
{
	struct cpu *cpu;

	CHECK(memory_allocate(&cpu, 1, sizeof *cpu, "a device"));
	device->state = cpu;
	cpu->threads = thread_count(settings);
	sonde_status status = choose_isa(&cpu->isa);
	if (status == SONDE_OK)
		status = memory_allocate(&cpu->local_memory, cpu->threads, local_memory, "the local memory");
	if (status != SONDE_OK) {
		free(cpu);
		return status;
	}
	device->properties = (struct device_properties){.gpu_kernels = gpu_kernels,
							.fixed_kernels = true,
							.lanes = gpu_kernels ? 1 : register_lanes[cpu->isa],
							.workers = cpu->threads,
							.local_memory = local_memory,
							.most_work_items = 1,
							.large_kernel_items = 1,
							.memory = UINT64_MAX};
	return SONDE_OK;
}

static sonde_status cpu_open(int index, const struct device_settings *settings, struct device *device)
{
	(void)index;
	return cpu_open_with(settings, false, 0, device);
}

void cpu_close(struct device *device)
{
	struct cpu *cpu = device->state;

	free(cpu->local_memory);
	free(cpu);
}

sonde_status cpu_allocate(struct device *device, size_t bytes, const char *what, void **memory)
{
	(void)device;
	return memory_allocate_pages(memory, bytes, what);
}

void cpu_release(struct device *device, void *memory)
{
	(void)device;
	memory_release_pages(memory);
}

sonde_status cpu_write(struct device *device, void *memory, size_t offset, const void *from, size_t bytes)
{
	(void)device;
	memcpy((char *)memory + offset, from, bytes);
	return SONDE_OK;
}

sonde_status cpu_read(struct device *device, void *memory, size_t offset, void *to, size_t bytes)
{
	(void)device;
	memcpy(to, (const char *)memory + offset, bytes);
	return SONDE_OK;
}

sonde_status cpu_clear(struct device *device, void *memory, size_t offset, size_t bytes)
{
	(void)device;
	memset((char *)memory + offset, 0, bytes);
	return SONDE_OK;
}

sonde_status cpu_copy(struct device *device, const void *from, struct device *other, void *to, size_t bytes)
{
	(void)device;
	(void)other;
	memcpy(to, from, bytes);
	return SONDE_OK;
}

sonde_status cpu_wait(struct device *device)
{
	(void)device;
	return SONDE_OK;
}

size_t cpu_window_chunk(const struct device *device)
{
	(void)device;
	return device_window_page();
}

sonde_status cpu_window_map(struct device *device, struct device_window *window, const char *what, void **memory)
{
	(void)device;
	return device_window_map(window, what, memory);
}

void cpu_window_unmap(struct device *device, struct device_window *window, void *memory)
{
	(void)device;
	device_window_unmap(window, memory);
}

sonde_status cpu_event_record(struct device *device, struct device_event *event)
{
	(void)device;
	event->seconds = clock_seconds();
	return SONDE_OK;
}

sonde_status cpu_event_elapsed(struct device *device, struct device_event *from, struct device_event *to,
			       double *seconds)
{
	(void)device;
	*seconds = to->seconds - from->seconds;
	return SONDE_OK;
}

void cpu_event_release(struct device *device, struct device_event *event)
{
	(void)device;
	event->seconds = 0.0;
}

sonde_status cpu_kernel(struct device *device, const struct device_kernel_source *source,
			const struct device_define *defines, size_t define_count, struct device_kernel *kernel)
{
	const struct cpu *cpu = device->state;
	(void)defines;
	(void)define_count;

	if (source->cpu != NULL)
		kernel->cpu_entry = device->properties.gpu_kernels && source->cpu->plain != NULL
					? source->cpu->plain
					: source->cpu->entry[cpu->isa];
	if (kernel->cpu_entry == NULL)
		return status_fail(SONDE_INTERNAL, "kernel %s was not built for %s", source->name,
				   instruction_sets[cpu->isa]);
	return SONDE_OK;
}

/* A loop over groups of a kernel. */
struct launch {
	const struct cpu *cpu;
	cpu_kernel_entry *entry;
	uint64_t local_memory; /* bytes per worker */
	const int *stop;
	void *values[MOST_ARGUMENTS];
};

static void run_groups(void *state, int64_t first, int64_t end, int worker)
{
	struct launch *launch = state;

	for (int64_t id = first; id < end; ++id) {
		struct cpu_group group = {(uint32_t)id, (uint32_t)worker,
					  launch->cpu->local_memory + (size_t)worker * launch->local_memory,
					  launch->stop};
		launch->entry(&group, launch->values);
	}
}

sonde_status cpu_launch(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			const struct device_argument *arguments, size_t argument_count)
{
	const struct cpu *cpu = device->state;
	struct launch launch = {.cpu = cpu,
				.entry = kernel->cpu_entry,
				.local_memory = device->properties.local_memory,
				.stop = device->stop};

	for (size_t k = 0; k < argument_count; ++k)
		launch.values[k] = (void *)arguments[k].value;
	threads_for((int)device->properties.workers, groups, 1, run_groups, &launch);
	return SONDE_OK;
}

const struct backend cpu_backend = {.kind = {.name = "cpu", .help = "this machine's processors"},
				    .describe = cpu_describe,
				    .open = cpu_open,
				    CPU_FUNCTIONS};
