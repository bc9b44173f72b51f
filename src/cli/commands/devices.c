/* sonde devices */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "cli/program/arguments.h"
#include "cli/program/errors.h"
#include "cli/program/help.h"
#include "cli/program/json.h"
#include "cli/program/program.h"
#include "cli/program/ranks.h"
#include "run/context.h"
#include "sonde/measure.h"
#include "sonde/tune.h"

/* A rate of 0 is unknown. */
static void print_rate(double rate, const char *unit, const char *what, const char *after)
{
	bool large = rate >= 1e12;

	if (rate > 0.0)
		printf(" %.3g %c%s %s%s", rate * (large ? 1e-12 : 1e-9), large ? 'T' : 'G', unit, what, after);
	else
		printf(" %s not known%s", what, after);
}

static void print_speed(const char *how, double f64, double matrix_f64, double f32, double bandwidth)
{
	printf("            %s:", how);
	print_rate(f64, "FLOP/s", "float64", ",");
	if (matrix_f64 > 0.0)
		print_rate(matrix_f64, "FLOP/s", "in its matrix products", ",");
	print_rate(f32, "FLOP/s", "float32", ",");
	print_rate(bandwidth, "B/s", "memory", "");
	printf("\n");
}

static void print_facts(const sonde_device_description *device)
{
	printf("            %lld %s, kernels for %s, %.1f GB\n", (long long)device->threads,
	       device->is_cpu ? "threads" : "multiprocessors", device->instructions, (double)device->memory * 1e-9);
	if (device->software[0] != '\0')
		printf("            %s\n", device->software);
	if (device->peak_f32 > 0.0)
		print_speed("theoretical", device->peak_f64, device->peak_matrix_f64, device->peak_f32,
			    device->peak_bandwidth);
}

/* Copies from and to the host, which streamed grids wait for. */
static void print_link(const sonde_device_speed *speed)
{
	if (!(speed->both_ways > 0.0))
		return;
	printf("            link to the host, measured:");
	print_rate(speed->to_device, "B/s", "to the device", ",");
	print_rate(speed->to_host, "B/s", "to the host", ",");
	print_rate(speed->both_ways, "B/s", "each way at once", "");
	printf("\n");
}

/* Fails only if the user has asked to stop. */
static sonde_status print_measured(sonde_context *context, const sonde_device_description *device)
{
	sonde_device_speed speed;
	char message[ERRORS_MESSAGE_SIZE];

	fflush(stdout); /* if a driver crashes, its device is the last one listed */
	sonde_status status = sonde_context_measure_device(context, device->name, &speed);
	if (status == SONDE_CANCELLED)
		return status;
	if (status == SONDE_OK) {
		print_speed("measured", speed.f64, speed.matrix_f64, speed.f32, speed.bandwidth);
		print_link(&speed);
	} else {
		printf("            not measured: %s\n", errors_message(message));
	}
	return SONDE_OK;
}

static sonde_status print_people(sonde_context *context, const sonde_device_description *device)
{
	printf("%s %-9s %s\n", device->chosen ? "*" : " ", device->name, device->model);
	if (!device->absent)
		print_facts(device);
	if (device->usable && !device->absent)
		CHECK(print_measured(context, device));
	printf("            %s\n", device->reason);
	return SONDE_OK;
}

static void print_member(const char *name, const char *value)
{
	printf("\"%s\": ", name);
	json_print_string(stdout, value, strlen(value));
	fputs(", ", stdout);
}

/* Speeds in FLOP/s and bytes/s, memory in bytes; 0 is unknown. */
static sonde_status print_json(sonde_context *context, const sonde_device_description *device)
{
	sonde_device_speed speed = {0};

	if (device->usable && !device->absent) {
		sonde_status status = sonde_context_measure_device(context, device->name, &speed);
		if (status == SONDE_CANCELLED)
			return status;
		if (status != SONDE_OK)
			speed = (sonde_device_speed){0};
	}
	putchar('{');
	print_member("device", device->name);
	print_member("model", device->model);
	print_member("instructions", device->instructions);
	print_member("software", device->software);
	print_member("reason", device->reason);
	printf(
	    "\"present\": %s, \"usable\": %s, \"is_cpu\": %s, \"chosen\": %s, \"threads\": %lld, \"memory\": %llu, "
	    "\"peak_f64\": %.6g, \"peak_matrix_f64\": %.6g, \"peak_f32\": %.6g, \"peak_bandwidth\": %.6g, "
	    "\"measured_f64\": %.6g, \"measured_matrix_f64\": %.6g, \"measured_f32\": %.6g, \"measured_bandwidth\": "
	    "%.6g, \"measured_to_device\": %.6g, \"measured_to_host\": %.6g, \"measured_both_ways\": %.6g}\n",
	    device->absent ? "false" : "true", device->usable ? "true" : "false", device->is_cpu ? "true" : "false",
	    device->chosen ? "true" : "false", (long long)device->threads, (unsigned long long)device->memory,
	    device->peak_f64, device->peak_matrix_f64, device->peak_f32, device->peak_bandwidth, speed.f64,
	    speed.matrix_f64, speed.f32, speed.bandwidth, speed.to_device, speed.to_host, speed.both_ways);
	fflush(stdout);
	return SONDE_OK;
}

static sonde_status list(sonde_context *context, bool json)
{
	sonde_device_description device;
	int found;

	/* errors are reported before the first line is printed */
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
		CHECK((json ? print_json : print_people)(context, &device));
	}
}

static void print_trial(const sonde_tune_trial *trial, void *user)
{
	if (*(const bool *)user) {
		printf("{\"device\": \"%s\", \"kernel\": \"%s\", \"shape\": \"%s\", \"rate\": %.6g, "
		       "\"unit\": \"%s\", \"registers\": %d, \"spilled_bytes\": %d, \"best\": %s}\n",
		       trial->device, trial->kernel, trial->shape, trial->rate, trial->unit, trial->registers,
		       trial->spilled_bytes, trial->best ? "true" : "false");
		return;
	}
	printf("%-8s %-14s %s: ", trial->device, trial->kernel, trial->shape);
	if (trial->rate > 0.0)
		printf("%.3g %s/s, %d registers, %d bytes spilled%s\n", trial->rate, trial->unit, trial->registers,
		       trial->spilled_bytes, trial->best ? "  *" : "");
	else
		printf("skipped: %s\n", trial->reason);
	fflush(stdout);
}

/* The map of a job of several ranks ---------------------------------------------------------------------------- */

static void append_person(struct text *text, const sonde_context *context, struct device *const *devices, int count)
{
	const struct parallel *ranks = context_ranks(context);

	text_append(text, "rank %-4d %s: ", parallel_rank(ranks), parallel_host(ranks));
	for (int k = 0, listed = 0; k < count; ++k)
		if (devices[k] != NULL)
			text_append(text, "%s%s", listed++ > 0 ? ", " : "", device_name(devices[k]));
	text_append(text, "; %d CPU threads\n", context_threads(context));
}

static void append_object(struct text *text, const sonde_context *context, struct device *const *devices, int count)
{
	const struct parallel *ranks = context_ranks(context);

	text_append(text, "{\"rank\": %d, \"ranks\": %d, \"host\": \"%s\", \"threads\": %d, \"devices\": [",
		    parallel_rank(ranks), parallel_size(ranks), parallel_host(ranks), context_threads(context));
	for (int k = 0, listed = 0; k < count; ++k)
		if (devices[k] != NULL)
			text_append(text, "%s\"%s\"", listed++ > 0 ? ", " : "", device_name(devices[k]));
	text_append(text, "]}\n");
}

static sonde_status list_ranks(sonde_context *context, bool json)
{
	struct parallel *ranks = context_ranks(context);
	struct device **devices;
	struct text own = {0};
	void *all;
	size_t size;
	int count;

	CHECK(context_devices(context, &devices, &count));
	(json ? append_object : append_person)(&own, context, devices, count);
	sonde_status status = parallel_agree(ranks, text_status(&own));
	if (status == SONDE_OK)
		status = parallel_gather(ranks, own.bytes, own.size, &all, &size);
	text_free(&own);
	CHECK(status);
	if (parallel_is_first(ranks)) {
		if (!json)
			printf("%d ranks, %s\n", parallel_size(ranks), parallel_library(ranks));
		fwrite(all, 1, size, stdout);
	}
	free(all);
	return SONDE_OK;
}

sonde_status command_devices(int argc, char **argv)
{
	const struct command *command = command_find("devices");
	struct arguments arguments = {0};
	sonde_context *context = NULL;
	sonde_status status;

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &arguments));
	if (arguments.help)
		return ranks_is_first() ? help_answer(command, &arguments) : SONDE_OK;
	if (arguments.positional != NULL)
		return status_fail(SONDE_INVALID, "'%.64s': this command takes no file", arguments.positional);
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	bool json = arguments.program.json != 0;
	const bool several = parallel_size(context_ranks(context)) > 1;
	status = several ? list_ranks(context, json) : list(context, json);
	if (status == SONDE_OK && arguments.program.tune && !several)
		status = sonde_debye_tune(context, print_trial, &json);
	program_context_free(&context);
	return status;
}
