#include "device/context.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

#define SECONDS_BETWEEN_REPORTS 0.1
#define MOST_THREADS 4096

struct sonde_context {
	int64_t threads;
	uint64_t memory;
	sonde_progress_callback *progress;
	void *progress_user;
	atomic_int cancelled;
	char *command;         /* null: not said */
	struct device *device; /* null until it is needed */
};

sonde_status sonde_context_create(sonde_context **context)
{
	return memory_allocate(context, 1, sizeof **context, "a context");
}

void sonde_context_free(sonde_context **context)
{
	if (context == NULL || *context == NULL)
		return;
	device_close(&(*context)->device);
	free((*context)->command);
	free(*context);
	*context = NULL;
}

sonde_status sonde_context_set_threads(sonde_context *context, int64_t threads)
{
	if (threads < 0 || threads > MOST_THREADS)
		return status_fail(SONDE_INVALID, "%lld threads: 0 (all) to %d are possible", (long long)threads,
				   MOST_THREADS);
	context->threads = threads;
	device_close(&context->device);
	return SONDE_OK;
}

sonde_status sonde_context_set_memory(sonde_context *context, uint64_t bytes)
{
	context->memory = bytes;
	return SONDE_OK;
}

sonde_status sonde_context_set_device(sonde_context *context, const char *device)
{
	(void)context;
	if (strcmp(device, "cpu") != 0)
		return status_fail(SONDE_INVALID, "unknown device '%.32s': this version runs on 'cpu'", device);
	return SONDE_OK;
}

sonde_status sonde_context_set_command(sonde_context *context, const char *command)
{
	char *copy = strdup(command);

	if (copy == NULL)
		return status_fail(SONDE_RESOURCE, "not enough memory for text");
	free(context->command);
	context->command = copy;
	return SONDE_OK;
}

const char *context_command(const sonde_context *context)
{
	return context->command != NULL ? context->command : "";
}

void sonde_context_set_progress(sonde_context *context, sonde_progress_callback *callback, void *user)
{
	context->progress = callback;
	context->progress_user = user;
}

void sonde_context_cancel(sonde_context *context)
{
	atomic_store(&context->cancelled, 1);
}

void sonde_context_reset(sonde_context *context)
{
	atomic_store(&context->cancelled, 0);
}

bool context_cancelled(const sonde_context *context)
{
	return context != NULL && atomic_load(&context->cancelled) != 0;
}

void stage_begin(struct stage *stage, sonde_context *context, const char *name, const char *unit, double total)
{
	double now = clock_seconds();

	*stage = (struct stage){context, name, unit, total, now, now};
}

sonde_status stage_advance(struct stage *stage, double done)
{
	double now = clock_seconds();

	if (context_cancelled(stage->context))
		return status_fail(SONDE_CANCELLED, "stopped on request at %.1f %% of the %s",
				   stage->total > 0 ? 100.0 * done / stage->total : 0.0, stage->name);
	if (stage->context->progress != NULL &&
	    (now - stage->told >= SECONDS_BETWEEN_REPORTS || done >= stage->total)) {
		sonde_progress progress = {stage->name, done, stage->total, stage->unit, now - stage->began};
		stage->told = now;
		stage->context->progress(&progress, stage->context->progress_user);
	}
	return SONDE_OK;
}

sonde_status context_device(sonde_context *context, struct device **device)
{
	if (context->device == NULL)
		CHECK(device_open_cpu(context->threads, &context->device));
	*device = context->device;
	return SONDE_OK;
}

int context_threads(const sonde_context *context)
{
	return context->threads > 0 ? (int)context->threads : omp_get_max_threads();
}

uint64_t context_memory(const sonde_context *context)
{
	uint64_t available = memory_available();

	return context->memory != 0 && context->memory < available ? context->memory : available;
}

sonde_status sonde_context_describe_device(sonde_context *context, int index, sonde_device_description *description,
					   int *found)
{
	struct device *device;

	*found = 0;
	if (index != 0)
		return SONDE_OK;
	CHECK(context_device(context, &device));
	device_describe(device, description);
	description->chosen = 1;
	snprintf(description->reason, sizeof description->reason,
		 "chosen: the only kind of device that version %s runs on", sonde_version());
	*found = 1;
	return SONDE_OK;
}
