/* The device "emulated": the CPU running the kernels written for GPUs, as plain C with work-groups of one work-item. Slow,
 * for testing their text where there is no GPU. */
#include <string.h>

#include "device/cpu.h"

#define LOCAL_MEMORY (200u << 10)

static sonde_status emulated_describe(int index, const struct device_settings *settings,
				      sonde_device_description *description, int *found)
{
	static const char *const names[] = {"emulated", "emulated:1", "emulated:2"};

	*found = index < (int)(sizeof names / sizeof *names);
	if (!*found)
		return SONDE_OK;
	CHECK(cpu_describe_as(names[index], settings, description));
	strcpy(description->instructions, "plain C");
	return SONDE_OK;
}

static sonde_status emulated_open(int index, const struct device_settings *settings, struct device *device)
{
	(void)index;
	return cpu_open_with(settings, true, LOCAL_MEMORY, device);
}

const struct backend emulated_backend = {
    .kind = {.name = "emulated", .help = "the CPU with the kernels for GPUs", .is_hidden = true},
    .describe = emulated_describe,
    .open = emulated_open,
    CPU_FUNCTIONS};
