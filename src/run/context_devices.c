/* The devices of a context: opened when they are needed or in advance, dropped when they fail, described, measured. */
#include "run/context_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/background.h"
#include "base/clock.h"
#include "device/measure.h"
#include "device/peak.h"
#include "parallel/parallel.h"
#include "run/openings.h"

static void finish_opening(sonde_context *context)
{
	if (context->opening)
		pthread_join(context->opener, NULL);
	context->opening = false;
}

static void close_devices(sonde_context *context)
{
	finish_opening(context);
	openings_close(context->devices, context->device_count);
	context->device_count = 0;
	context->on_cpu_for_now = false;
}

void context_close_devices(sonde_context *context)
{
	device_enter_thread();
	close_devices(context);
	device_close(&context->host);
	device_leave_thread();
}

struct device_settings context_settings(const sonde_context *context)
{
	return (struct device_settings){.threads =
					    context->ranks != NULL ? context_threads(context) : context->threads,
					.memory = context->device_memory,
					.launch_limit = context->launch_limit,
					.kernel_cache = context->kernel_cache != NULL ? context->kernel_cache : "",
					.stop = &context->cancelled};
}

/* Names of devices to be opened together. */
struct names {
	struct opening openings[MOST_DEVICES];
	int count;
};

static sonde_status add_name(const char *name, struct names *names)
{
	for (int k = 0; k < names->count; ++k)
		if (strcmp(names->openings[k].name, name) == 0)
			return status_fail(SONDE_INVALID, "device '%.32s' is named twice", name);
	if (names->count == MOST_DEVICES)
		return status_fail(SONDE_INVALID, "more than %d devices", MOST_DEVICES);
	snprintf(names->openings[names->count++].name, OPENING_NAME, "%s", name);
	return SONDE_OK;
}

static sonde_status add_device(sonde_context *context, const char *name)
{
	const struct device_settings settings = context_settings(context);

	CHECK(device_open(name, &settings, &context->devices[context->device_count]));
	++context->device_count;
	return SONDE_OK;
}

/* Opens the devices, and adds those that are usable. The others are noted, except the last one if none follows, whose
 * message is `refusal`. SONDE_INVALID for names of no devices. */
static sonde_status open_names(sonde_context *context, struct names *names, char refusal[512])
{
	const struct device_settings settings = context_settings(context);
	const struct opening *wrong = NULL;

	refusal[0] = '\0';
	openings_open(&settings, names->openings, names->count);
	for (int k = 0; k < names->count; ++k) {
		const struct opening *opening = &names->openings[k];
		if (opening->status == SONDE_OK) {
			context->devices[context->device_count++] = opening->device;
			continue;
		}
		if (opening->status != SONDE_RESOURCE && wrong == NULL)
			wrong = opening;
		if (opening->status == SONDE_RESOURCE && refusal[0] != '\0')
			context_note(context, refusal);
		if (opening->status == SONDE_RESOURCE)
			snprintf(refusal, 512, "%s", opening->message);
	}
	return wrong == NULL ? SONDE_OK : status_fail(wrong->status, "%s", wrong->message);
}

static int names_in(const char *list)
{
	int count = 1;

	for (const char *c = list; *c != '\0'; ++c)
		count += *c == ',';
	return count;
}

/* The devices of a list such as "cpu,cuda:0,1": a number alone is another device of the preceding kind. Ranks of a node deal it among
 * them. */
static sonde_status read_list(const sonde_context *context, const char *list, struct names *names)
{
	char kind[32] = "", name[OPENING_NAME];
	int first, step;

	parallel_deal(context->ranks, names_in(list), &first, &step);
	for (int k = 0;; ++k) {
		size_t length = strcspn(list, ",");
		if (length == 0 || length >= sizeof kind)
			return status_fail_option(SONDE_INVALID, "device", "'%.32s' is not a valid device list",
						  list);
		if (list[0] >= '0' && list[0] <= '9' && kind[0] != '\0') {
			snprintf(name, sizeof name, "%.30s:%.*s", kind, (int)length, list);
		} else {
			snprintf(name, sizeof name, "%.*s", (int)length, list);
			snprintf(kind, sizeof kind, "%.*s", (int)strcspn(name, ":"), name);
			const struct device_kind *of = device_kind_of(name);
			if (of != NULL && of->is_numbered && strcmp(name, kind) == 0)
				strcat(name, ":0");
		}
		if (k >= first && (k - first) % step == 0)
			CHECK(add_name(name, names));
		if (list[length] == '\0')
			return SONDE_OK;
		list += length + 1;
	}
}

static sonde_status open_list(sonde_context *context, const char *list)
{
	struct names names = {.count = 0};
	char refusal[512];
	const sonde_status read = read_list(context, list, &names);

	CHECK(open_names(context, &names, refusal));
	if (read != SONDE_OK) { /* a wrong name comes first */
		names.count = 0;
		return read_list(context, list, &names);
	}
	if (context->device_count == 0)
		return status_fail(SONDE_RESOURCE, "%s", refusal);
	if (refusal[0] != '\0')
		context_note(context, refusal);
	return SONDE_OK;
}

/* Counts the usable GPUs of a kind. */
static sonde_status count_gpus(const struct device_kind *kind, const struct device_settings *settings, int *count)
{
	sonde_device_description description;
	int found = 1;

	*count = 0;
	for (int k = 0; found && kind->offers_gpus; ++k) {
		CHECK(device_describe_of(kind, k, settings, &description, &found));
		*count += found && description.usable && !description.is_cpu;
	}
	return SONDE_OK;
}

/* The GPUs for this rank: those of the node are dealt among its ranks. */
static sonde_status deal_gpus(const sonde_context *context, const struct device_kind *kind,
			      const struct device_settings *settings, int *first, int *step)
{
	int count = 0;

	*first = 0;
	*step = 1;
	if (parallel_local_size(context->ranks) == 1)
		return SONDE_OK;
	CHECK(count_gpus(kind, settings, &count));
	parallel_deal(context->ranks, count, first, step);
	return SONDE_OK;
}

/* The names of the usable GPUs of a kind that are for this rank. */
static sonde_status list_gpus(const sonde_context *context, const struct device_kind *kind, struct names *names)
{
	const struct device_settings settings = context_settings(context);
	sonde_device_description description;
	int first, step, found = 1, gpus = 0;

	CHECK(deal_gpus(context, kind, &settings, &first, &step));
	for (int k = 0; found && kind->offers_gpus && names->count < MOST_DEVICES; ++k) {
		CHECK(device_describe_of(kind, k, &settings, &description, &found));
		if (!found || !description.usable || description.is_cpu)
			continue;
		const int gpu = gpus++;
		if (gpu >= first && (gpu - first) % step == 0)
			CHECK(add_name(description.name, names));
	}
	return SONDE_OK;
}

/* Opens GPUs, all or the first, of the first kind that has any: others would offer the same ones again. A device that
 * does not open is noted and skipped. */
static sonde_status open_gpus(sonde_context *context, bool all)
{
	const struct device_kind *kind;
	char refusal[512];

	for (int of = 0; context->device_count == 0 && (kind = device_kind(of)) != NULL; ++of) {
		struct names names = {.count = 0};
		CHECK(list_gpus(context, kind, &names));
		for (int k = 0; !all && k < names.count && context->device_count == 0; ++k)
			if (add_device(context, names.openings[k].name) != SONDE_OK)
				context_note(context, status_message());
		if (!all)
			continue;
		if (open_names(context, &names, refusal) != SONDE_OK)
			context_note(context, status_message());
		if (refusal[0] != '\0')
			context_note(context, refusal);
	}
	return SONDE_OK;
}

/* Whether the user leaves the choice to Sonde, and with it the action when a GPU fails. */
static bool is_automatic(const sonde_context *context)
{
	const char *list = context->device_list;

	return list == NULL || strcmp(list, "auto") == 0 || strcmp(list, "gpu") == 0;
}

static sonde_status open_now(sonde_context *context)
{
	const char *list = context->device_list != NULL ? context->device_list : "auto";
	bool all = strcmp(list, "all") == 0;

	if (!all && !is_automatic(context)) {
		sonde_status status = open_list(context, list);
		while (status != SONDE_OK && context->device_count > 0)
			device_close(&context->devices[--context->device_count]);
		return status;
	}
	CHECK(open_gpus(context, all));
	return context->device_count > 0 ? SONDE_OK : add_device(context, "cpu");
}

#define STARTING_A_GPU 0.3 /* seconds: its driver, the kernels, their self-test */

static bool is_free(const sonde_context *context)
{
	return context->device_list == NULL || strcmp(context->device_list, "auto") == 0;
}

bool context_expects(const sonde_context *context)
{
	return is_free(context) && !context->opening && (context->device_count == 0 || context->on_cpu_for_now);
}

sonde_status context_expect(sonde_context *context, double cpu_seconds)
{
	bool free_choice = is_free(context);
	bool is_short = cpu_seconds < STARTING_A_GPU;

	if (context->on_cpu_for_now && !is_short)
		close_devices(context);
	if (!free_choice || !is_short || context->opening || context->device_count > 0)
		return SONDE_OK;
	CHECK(add_device(context, "cpu"));
	context->on_cpu_for_now = true;
	return SONDE_OK;
}

static void *open_on_thread(void *argument)
{
	sonde_context *context = argument;

	context->opened = open_now(context);
	atomic_store(&context->has_opened, true);
	if (context->opened != SONDE_OK)
		snprintf(context->opened_message, sizeof context->opened_message, "%s", status_message());
	background_end();
	return NULL;
}

void sonde_context_prepare(sonde_context *context)
{
	if (context->opening || context->device_count > 0)
		return;
	atomic_store(&context->has_opened, false);
	background_begin();
	context->opening = pthread_create(&context->opener, NULL, open_on_thread, context) == 0;
	if (!context->opening)
		background_end();
}

bool context_is_starting(const sonde_context *context)
{
	return context->opening && !atomic_load(&context->has_opened);
}

static sonde_status wait_for_devices(sonde_context *context)
{
	bool opening = context->opening;

	finish_opening(context);
	if (opening && context->opened != SONDE_OK)
		return status_fail(context->opened, "%s", context->opened_message);
	return context->device_count > 0 ? SONDE_OK : open_now(context);
}

static sonde_status open_devices(sonde_context *context)
{
	if (!context->opening && context->device_count > 0)
		return SONDE_OK;
	const double began = clock_seconds();
	const sonde_status status = wait_for_devices(context);
	context->waited += clock_seconds() - began;
	return status;
}

void context_count_start(sonde_context *context, double seconds)
{
	context->waited += seconds;
}

sonde_status context_start_seconds(sonde_context *context, struct start_seconds *seconds)
{
	double longest[2] = {context->waited, context->host != NULL ? device_kernel_seconds(context->host) : 0.0};
	bool gpus = false;

	for (int k = 0; k < context->device_count; ++k) {
		sonde_device_description description;
		if (context->devices[k] == NULL)
			continue;
		device_identify(context->devices[k], &description);
		gpus = gpus || !description.is_cpu;
		longest[1] = fmax(longest[1], device_kernel_seconds(context->devices[k]));
	}
	CHECK(parallel_largest(context->ranks, longest, 2));
	*seconds = (struct start_seconds){longest[0], longest[1], gpus};
	return SONDE_OK;
}

sonde_status context_devices(sonde_context *context, struct device ***devices, int *count)
{
	CHECK(open_devices(context));
	*devices = context->devices;
	*count = context->device_count;
	for (int k = 0; k < *count; ++k)
		if (context->devices[k] != NULL)
			return SONDE_OK;
	close_devices(context); /* a later run may try them again */
	return status_fail(SONDE_RESOURCE, "no device is left");
}

sonde_status context_first_device(sonde_context *context, int *index, struct device **device)
{
	struct device **devices;
	int count;

	CHECK(context_devices(context, &devices, &count));
	for (*index = 0; devices[*index] == NULL;)
		++*index;
	*device = devices[*index];
	return SONDE_OK;
}

sonde_status context_device(sonde_context *context, struct device **device)
{
	int index;

	return context_first_device(context, &index, device);
}

sonde_status context_host_device(sonde_context *context, struct device **device)
{
	const struct device_settings settings = context_settings(context);

	if (context->host == NULL)
		CHECK(device_open("cpu", &settings, &context->host));
	*device = context->host;
	return SONDE_OK;
}

sonde_status context_count_devices(sonde_context *context, struct device_count *count)
{
	struct device **devices;
	int places;

	*count = (struct device_count){0, 0};
	CHECK(context_devices(context, &devices, &places));
	for (int k = 0; k < places; ++k) {
		if (devices[k] == NULL)
			continue;
		++count->all;
		count->gpus += device_properties(devices[k])->gpu_kernels;
	}
	uint64_t counts[2] = {(uint64_t)count->all, (uint64_t)count->gpus};
	CHECK(parallel_sum(context->ranks, counts, 2));
	*count = (struct device_count){(int)counts[0], (int)counts[1]};
	return SONDE_OK;
}

sonde_status context_drop_device(sonde_context *context, int index, sonde_status status)
{
	char message[512];
	bool automatic = is_automatic(context);

	snprintf(message, sizeof message, "%.500s", status_message());
	automatic = automatic && strcmp(device_name(context->devices[index]), "cpu") != 0;
	device_close(&context->devices[index]);
	for (int k = 0; k < context->device_count; ++k) {
		if (context->devices[k] != NULL) {
			context_note(context, message);
			return SONDE_OK;
		}
	}
	close_devices(context);
	/* the GPU was not requested */
	if (automatic && add_device(context, "cpu") == SONDE_OK) {
		context_note(context, message);
		return SONDE_OK;
	}
	return status_fail(status, "%s", message);
}

static sonde_status describe_device(sonde_context *context, int index, sonde_device_description *description,
				    int *found)
{
	struct device_settings settings = context_settings(context);
	struct device **devices;
	int count = 0;
	bool automatic = is_automatic(context);

	CHECK(device_describe(index, &settings, description, found));
	if (!*found || description->reason[0] != '\0')
		return SONDE_OK;
	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL || strcmp(device_name(devices[k]), description->name) != 0)
			continue;
		device_identify(devices[k], description); /* the open device has more information */
		description->chosen = 1;
	}
	if (description->is_cpu) {
		struct peak peak = peak_of_processor((uint32_t)description->threads, description->instructions);
		description->peak_f64 = peak.f64;
		description->peak_f32 = peak.f32;
	}
	if (description->chosen && automatic)
		snprintf(description->reason, sizeof description->reason, "chosen: %s",
			 strcmp(description->name, "cpu") == 0 ? "no GPU can be used"
							       : "the first GPU; short runs stay on the CPU");
	else
		snprintf(description->reason, sizeof description->reason, "%s",
			 description->chosen ? "chosen by name" : "not chosen");
	return SONDE_OK;
}

sonde_status sonde_context_describe_device_sized(sonde_context *context, int index,
						 sonde_device_description *description, uint64_t size, int *found)
{
	sonde_device_description whole = {0};

	CHECK(describe_device(context, index, &whole, found));
	if (*found) {
		whole.struct_size = size < sizeof whole ? size : sizeof whole;
		memcpy(description, &whole, whole.struct_size);
	}
	return SONDE_OK;
}

sonde_status sonde_context_measure_device_sized(sonde_context *context, const char *name, sonde_device_speed *speed,
						uint64_t size)
{
	const struct device_settings settings = context_settings(context);
	sonde_device_speed whole = {0};

	if (context_cancelled(context))
		return status_fail(SONDE_CANCELLED, "stopped on request before measuring %s", name);
	CHECK(device_measure(name, &settings, &whole));
	whole.struct_size = size < sizeof whole ? size : sizeof whole;
	memcpy(speed, &whole, whole.struct_size);
	return SONDE_OK;
}
