/* sonde devices */
#include <stdio.h>

#include "base/status.h"
#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/program.h"

static void print_facts(const sonde_device_description *device)
{
	printf("            %lld %s, kernels for %s, %.1f GB\n", (long long)device->threads,
	       device->is_cpu ? "threads" : "multiprocessors", device->instructions, (double)device->memory * 1e-9);
	if (device->software[0] != '\0')
		printf("            %s\n", device->software);
	if (device->peak_f64 > 0.0)
		printf("            by the maker's figures %.3g TFLOP/s float64, %.3g float32, %.3g TB/s\n",
		       device->peak_f64 * 1e-12, device->peak_f32 * 1e-12, device->peak_bandwidth * 1e-12);
}

static sonde_status list(sonde_context *context)
{
	sonde_device_description device;
	int found;

	for (int k = 0;; ++k) {
		CHECK(sonde_context_describe_device(context, k, &device, &found));
		if (!found)
			return SONDE_OK;
		if (device.hidden)
			continue;
		printf("%s %-9s %s\n", device.chosen ? "*" : " ", device.name, device.model);
		if (!device.absent)
			print_facts(&device);
		printf("            %s\n", device.reason);
	}
}

sonde_status command_devices(int argc, char **argv)
{
	const struct command *command = command_find("devices");
	struct arguments arguments = {0};
	sonde_context *context = NULL;
	sonde_status status;

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &arguments));
	if (arguments.help)
		return help_print(command);
	if (arguments.positional != NULL)
		return status_fail(SONDE_INVALID, "'%.64s': this command takes no file", arguments.positional);
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	status = list(context);
	program_context_free(&context);
	return status;
}
