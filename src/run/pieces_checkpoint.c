#include "run/pieces_checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"
#include "run/provenance.h"
#include "run/result_file.h"
#include "run/state.h"

static const struct state_kind kind = {0x0150494543455331ull, "a checkpoint of pieces"};

/* All options that determine the values. */
static sonde_status append_job(const struct engine *engine, const void *options, struct text *job)
{
	text_append(job, "engine = %s\n", engine->name);
	checkpoint_append_version(job);
	for (size_t k = 0; k < engine->options->count; ++k) {
		const struct option_row *row = &engine->options->rows[k];
		if (option_may_change(row))
			continue;
		provenance_append_option(job, row, options);
		text_append(job, "\n");
	}
	return text_status(job);
}

sonde_status pieces_progress_make(const struct engine *engine, const void *options, uint64_t count, uint32_t each,
				  struct pieces_progress *progress)
{
	*progress = (struct pieces_progress){.engine = engine, .count = count, .each = each};
	CHECK(append_job(engine, options, &progress->job));
	CHECK(memory_allocate(&progress->done, count, 1, "the pieces"));
	return memory_allocate(&progress->values, count * each, sizeof(double), "the pieces");
}

void pieces_progress_free(struct pieces_progress *progress)
{
	text_free(&progress->job);
	free(progress->done);
	free(progress->values);
	*progress = (struct pieces_progress){.count = 0};
}

static sonde_status walk(void *user, struct state *state)
{
	struct pieces_progress *progress = user;

	CHECK(state_job(state, &progress->job));
	CHECK(state_same(state, progress->count, "pieces"));
	CHECK(state_same(state, progress->each, "values of a piece"));
	CHECK(state_bytes(state, progress->done, progress->count));
	for (uint64_t k = 0; k < progress->count; ++k)
		if (progress->done[k] > 1)
			return status_fail_file(SONDE_INVALID, state->path,
						"is damaged: piece %llu is neither done nor to be done",
						(unsigned long long)k);
	return state_bytes(state, progress->values, progress->count * progress->each * sizeof(double));
}

sonde_status pieces_checkpoint_save(const char *path, struct pieces_progress *progress)
{
	return checkpoint_save(path, &kind, walk, progress);
}

sonde_status pieces_checkpoint_restore(const char *path, struct pieces_progress *progress)
{
	return checkpoint_restore(path, &kind, walk, progress);
}

bool pieces_is_checkpoint(const char *path)
{
	return state_is_of(&kind, path);
}

/* The job's lines and the number of pieces done. */
static sonde_status read_summary(struct state *state, char **job, uint64_t *count, uint64_t *done)
{
	uint64_t each;
	uint8_t *flags;

	CHECK(state_job_there(state, job));
	CHECK(state_number(state, count, 0, UINT32_MAX, "pieces"));
	CHECK(state_number(state, &each, 0, UINT32_MAX, "values of a piece"));
	CHECK(memory_allocate(&flags, *count, 1, "the pieces"));
	const sonde_status status = state_bytes(state, flags, *count);
	*done = 0;
	for (uint64_t k = 0; k < *count; ++k)
		*done += flags[k] == 1;
	free(flags);
	return status;
}

sonde_status pieces_describe_checkpoint(const char *path, struct report *report)
{
	struct state state = {0};
	uint64_t count = 0, done = 0;
	char *job = NULL, engine[33] = "";
	sonde_status status = state_open(&kind, path, &state);

	if (status == SONDE_OK)
		status = read_summary(&state, &job, &count, &done);
	state_close(&state);
	if (status == SONDE_OK) {
		(void)sscanf(job, "engine = %32s", engine);
		result_file_checkpoint(report, engine);
		report_line(report, "pieces", "%llu of %llu done", (unsigned long long)done,
			    (unsigned long long)count);
		report_integer(report, "pieces", (int64_t)count);
		report_integer(report, "pieces_done", (int64_t)done);
		result_file_resume(report, path, job);
	}
	free(job);
	return status;
}
