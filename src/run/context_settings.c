/* What a context keeps: limits, texts, progress, the request to stop, notes. */
#include "run/context_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "parallel/parallel.h"

#define SECONDS_BETWEEN_REPORTS 0.1
#define MUTED_SECONDS 3.0 /* of the stages of one run of many */
#define MOST_THREADS 4096
#define SMALL_BYTES 4e6 /* which every machine has */

static _Thread_local bool thread_is_muted;

static sonde_status set_text(char **place, const char *text)
{
	char *copy = text != NULL ? strdup(text) : NULL;

	if (text != NULL && copy == NULL)
		return memory_missing("text");
	free(*place);
	*place = copy;
	return SONDE_OK;
}

sonde_status sonde_context_create(sonde_context **context)
{
	CHECK(memory_allocate(context, 1, sizeof **context, "a context"));
	notes_begin(&(*context)->notes);
	return SONDE_OK;
}

void sonde_context_free(sonde_context **context)
{
	if (context == NULL || *context == NULL)
		return;
	context_close_devices(*context);
	free((*context)->command);
	free((*context)->job_file);
	free((*context)->data);
	free((*context)->device_list);
	free((*context)->kernel_cache);
	notes_free(&(*context)->notes);
	free(*context);
	*context = NULL;
}

sonde_status context_create_beside(const sonde_context *context, const char *device, int threads, uint64_t parts,
				   sonde_context **beside)
{
	CHECK(sonde_context_create(beside));
	(*beside)->threads = threads;
	(*beside)->memory = context->memory / parts;
	(*beside)->device_memory = context->device_memory / parts;
	(*beside)->launch_limit = context->launch_limit;
	sonde_status status = sonde_context_set_device(*beside, device);
	if (status == SONDE_OK)
		status = sonde_context_set_kernel_cache(*beside, context->kernel_cache);
	if (status == SONDE_OK)
		status = sonde_context_set_command(*beside, context->command);
	if (status == SONDE_OK)
		status = sonde_context_set_data(*beside, context->data);
	if (status != SONDE_OK)
		sonde_context_free(beside);
	return status;
}

void context_set_ranks(sonde_context *context, struct parallel *ranks)
{
	context->ranks = ranks;
}

struct parallel *context_ranks(const sonde_context *context)
{
	return context != NULL ? context->ranks : NULL;
}

struct share_record *context_share_record(sonde_context *context)
{
	return &context->shared;
}

bool context_writes(const sonde_context *context)
{
	return parallel_is_first(context_ranks(context));
}

sonde_status sonde_context_set_threads(sonde_context *context, int64_t threads)
{
	if (threads < 0 || threads > MOST_THREADS)
		return status_fail(SONDE_INVALID, "%lld threads: the range is 0 (all) to %d", (long long)threads,
				   MOST_THREADS);
	context->threads = threads;
	context_close_devices(context);
	return SONDE_OK;
}

sonde_status sonde_context_set_memory(sonde_context *context, uint64_t bytes)
{
	context->memory = bytes;
	return SONDE_OK;
}

sonde_status sonde_context_set_device(sonde_context *context, const char *devices)
{
	CHECK(set_text(&context->device_list, devices));
	context_close_devices(context);
	return SONDE_OK;
}

sonde_status sonde_context_set_device_memory(sonde_context *context, uint64_t bytes)
{
	context->device_memory = bytes;
	context_close_devices(context);
	return SONDE_OK;
}

sonde_status sonde_context_set_kernel_cache(sonde_context *context, const char *folder)
{
	CHECK(set_text(&context->kernel_cache, folder));
	context_close_devices(context);
	return SONDE_OK;
}

sonde_status sonde_context_set_launch_limit(sonde_context *context, double seconds)
{
	if (!(seconds >= 0.0 && seconds <= 3600.0))
		return status_fail(SONDE_INVALID, "a launch limit of %g s: the range is 0 (default) to 3600",
				   seconds);
	context->launch_limit = seconds;
	context_close_devices(context);
	return SONDE_OK;
}

sonde_status sonde_context_set_command(sonde_context *context, const char *command)
{
	return set_text(&context->command, command);
}

sonde_status sonde_context_set_data(sonde_context *context, const char *folder)
{
	return set_text(&context->data, folder);
}

const char *context_data(const sonde_context *context)
{
	return context->data != NULL ? context->data : "";
}

const char *context_command(const sonde_context *context)
{
	return context != NULL && context->command != NULL ? context->command : "";
}

const char *context_job_file(const sonde_context *context)
{
	return context != NULL ? context->job_file : NULL;
}

void context_set_job_file(sonde_context *context, char *text)
{
	free(context->job_file);
	context->job_file = text;
}

void sonde_context_set_progress(sonde_context *context, sonde_progress_callback *callback, void *user)
{
	context->progress = callback;
	context->progress_user = user;
}

void sonde_context_cancel(sonde_context *context)
{
	__atomic_store_n(&context->cancelled, 1, __ATOMIC_SEQ_CST);
}

void sonde_context_reset(sonde_context *context)
{
	__atomic_store_n(&context->cancelled, 0, __ATOMIC_SEQ_CST);
}

bool context_cancelled(const sonde_context *context)
{
	return context != NULL && __atomic_load_n(&context->cancelled, __ATOMIC_SEQ_CST) != 0;
}

const int *context_cancel_flag(const sonde_context *context)
{
	return &context->cancelled;
}

sonde_status context_lose_work(sonde_context *context)
{
	char message[256];

	context->lost_work = true;
	snprintf(message, sizeof message, "%s", status_message());
	return status_fail(SONDE_CANCELLED, "%s; nothing is kept without `output`", message);
}

bool context_lost_work(const sonde_context *context)
{
	return context->lost_work;
}

void stage_begin(struct stage *stage, sonde_context *context, const char *name, const char *unit, double total)
{
	double now = clock_seconds();

	/* the first progress is reported at once */
	*stage = (struct stage){context, name, unit, total, now, now - SECONDS_BETWEEN_REPORTS, 0.0};
}

void context_mute(sonde_context *context, bool muted)
{
	context->muted = muted;
}

bool context_mute_thread(bool muted)
{
	const bool before = thread_is_muted;

	thread_is_muted = muted;
	return before;
}

sonde_status stage_advance(struct stage *stage, double done)
{
	double now = clock_seconds();

	if (context_cancelled(stage->context))
		return status_fail(SONDE_CANCELLED, "stopped on request at %.1f %% of the %s",
				   stage->total > 0 ? 100.0 * done / stage->total : 0.0, stage->name);
	const bool muted = thread_is_muted || (stage->context->muted && now - stage->began < MUTED_SECONDS);
	if (stage->context->progress != NULL && !muted &&
	    (now - stage->told >= SECONDS_BETWEEN_REPORTS || done >= stage->total)) {
		sonde_progress progress = {stage->name,        done,          stage->total, stage->unit,
					   now - stage->began, stage->ceiling};
		stage->told = now;
		stage->context->progress(&progress, stage->context->progress_user);
	}
	return SONDE_OK;
}

void context_note(sonde_context *context, const char *note)
{
	notes_add(&context->notes, note);
}

void context_notef(sonde_context *context, const char *format, ...)
{
	char *note = NULL;
	char buffer[1024];
	const char *marked = option_marks(format, buffer, sizeof buffer);
	va_list arguments;

	va_start(arguments, format);
	const int length = vsnprintf(NULL, 0, marked, arguments);
	va_end(arguments);
	if (length >= 0)
		note = malloc((size_t)length + 1);
	if (note == NULL)
		return; /* as in context_note() without memory */
	va_start(arguments, format);
	vsnprintf(note, (size_t)length + 1, marked, arguments);
	va_end(arguments);
	context_note(context, note);
	free(note);
}

const char *sonde_context_notes(const sonde_context *context)
{
	return context->notes.spelled != NULL ? context->notes.spelled : "";
}

void sonde_context_forget_notes(sonde_context *context)
{
	notes_free(&context->notes);
	notes_begin(&context->notes);
}

const char *context_notes(const sonde_context *context)
{
	return context->notes.marked != NULL ? context->notes.marked : "";
}

char *context_copy_notes(sonde_context *context)
{
	return notes_copy(&context->notes);
}

int context_threads(const sonde_context *context)
{
	if (context != NULL && context->threads > 0)
		return (int)context->threads;
	return parallel_threads(context_ranks(context), threads_available());
}

uint64_t context_host_memory(const sonde_context *context)
{
	const uint64_t available = memory_available() / (uint64_t)parallel_local_size(context->ranks);

	return context->memory != 0 && context->memory < available ? context->memory : available;
}

uint64_t context_memory(const sonde_context *context)
{
	uint64_t available = context_host_memory(context);

	/* the CPU's device memory is main memory */
	for (int k = 0; k < context->device_count; ++k)
		if (context->devices[k] != NULL && !device_properties(context->devices[k])->gpu_kernels &&
		    context->device_memory != 0 && context->device_memory < available)
			available = context->device_memory;
	return available;
}

bool context_may_allocate(const sonde_context *context, double bytes)
{
	const bool limited = (context->memory != 0 && bytes > (double)context->memory) ||
			     (context->device_memory != 0 && bytes > (double)context->device_memory);

	return (bytes <= SMALL_BYTES && !limited) || bytes <= (double)context_memory(context);
}
