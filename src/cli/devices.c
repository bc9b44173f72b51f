/* sonde devices */
#include <stdio.h>

#include "base/status.h"
#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/program.h"
#include "sonde/tune.h"

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

	/* what is wrong shows before the first line is printed */
	for (int k = 0, all = 0; all == 0; ++k) {
		CHECK(sonde_context_describe_device(context, k, &device, &found));
		all = !found;
	}
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

static void print_trial(const sonde_tune_trial *trial, void *user)
{
	(void)user;
	printf("%-8s %-14s %s: ", trial->device, trial->kernel, trial->shape);
	if (trial->rate > 0.0)
		printf("%.3g %s/s, %d registers, %d bytes spilled%s\n", trial->rate, trial->unit, trial->registers,
		       trial->spilled_bytes, trial->best ? "  *" : "");
	else
		printf("skipped: %s\n", trial->reason);
	fflush(stdout);
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
	if (status == SONDE_OK && arguments.program.tune)
		status = sonde_debye_tune(context, print_trial, NULL);
	program_context_free(&context);
	return status;
}
