#include "run/unfinished.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"
#include "run/provenance.h"
#include "run/result_file.h"
#include "run/state.h"

#define SECONDS_OF_ROUND 5.0
#define SHARE_OF_TIME 0.05   /* of a run, for its checkpoints, at most */
#define SHARE_OF_MEMORY 0.25 /* of what is free, for the numbers of all parts */
#define MOST_PARTS 100000
#define MOST_BYTES (UINT64_C(1) << 40)

static const struct state_kind kind = {0x0148534946465531ull, "a checkpoint of a sum"};

struct unfinished {
	sonde_context *context;
	const char *path;
	double every, began, saved, earlier; /* seconds */
	double round_began;
	uint64_t round; /* pieces of the present one */
	struct text job;
	struct unfinished_part **parts;
	size_t count, capacity;
	int number;        /* of the present sums */
	uint64_t bytes;    /* of all numbers */
	double most_bytes; /* the same for all ranks */
};

/* The file ---------------------------------------------------------------------------------------------------- */

static sonde_status append_job(const struct unfinished_job *job, struct text *text)
{
	text_append(text, "engine = %s\n", job->options->name);
	checkpoint_append_version(text);
	for (size_t k = 0; k < job->options->count; ++k) {
		const struct option_row *row = &job->options->rows[k];
		if (option_may_change(row))
			continue;
		provenance_append_option(text, row, job->values);
		text_append(text, "\n");
	}
	text_append(text, "%s", job->sample->bytes);
	return text_status(text);
}

static sonde_status add_part(struct unfinished *unfinished, struct unfinished_part **part)
{
	CHECK(memory_grow(&unfinished->parts, &unfinished->capacity, unfinished->count + 1, sizeof(void *),
			  "the sums that are kept"));
	CHECK(memory_allocate(part, 1, sizeof **part, "the sums that are kept"));
	unfinished->parts[unfinished->count++] = *part;
	return SONDE_OK;
}

static sonde_status walk_part(struct unfinished_part *part, struct state *state)
{
	CHECK(state_bytes(state, part->name, sizeof part->name));
	CHECK(state_number(state, &part->pieces, 1, MOST_BYTES, "number of pieces"));
	CHECK(state_number(state, &part->done, 0, part->pieces, "number of finished pieces"));
	CHECK(state_number(state, &part->size, 1, MOST_BYTES, "size of the sums"));
	CHECK(state_number(state, &part->used, 1, part->size, "size of the finished sums"));
	if (!state->saving) {
		part->name[sizeof part->name - 1] = '\0';
		CHECK(state_has_left(state, part->used));
		CHECK(memory_allocate(&part->numbers, part->size, 1, "the sums that are kept"));
	}
	return state_bytes(state, part->numbers, part->used);
}

static sonde_status walk(void *user, struct state *state)
{
	struct unfinished *unfinished = user;
	double seconds = unfinished_seconds(unfinished);
	uint64_t count = unfinished->count;
	struct unfinished_part *part;

	CHECK(state_job(state, &unfinished->job));
	CHECK(state_bytes(state, &seconds, sizeof seconds));
	CHECK(state_number(state, &count, 1, MOST_PARTS, "number of sums"));
	for (uint64_t k = 0; k < count; ++k) {
		if (!state->saving)
			CHECK(add_part(unfinished, &part));
		CHECK(walk_part(unfinished->parts[k], state));
	}
	if (!state->saving)
		unfinished->earlier = seconds;
	return SONDE_OK;
}

static sonde_status save(struct unfinished *unfinished)
{
	if (!context_writes(unfinished->context))
		return SONDE_OK;
	const double began = clock_seconds();
	const sonde_status status = checkpoint_save(unfinished->path, &kind, walk, unfinished);
	unfinished->saved = clock_seconds();
	if (unfinished->every > 0.0)
		unfinished->every = fmax(unfinished->every, (unfinished->saved - began) / SHARE_OF_TIME);
	return status;
}

/* A run ------------------------------------------------------------------------------------------------------- */

sonde_status unfinished_begin(sonde_context *context, const struct unfinished_job *job, const char *path,
			      struct unfinished **unfinished)
{
	const double now = clock_seconds();
	struct unfinished *made;

	CHECK(memory_allocate(unfinished, 1, sizeof **unfinished, "the sums that are kept"));
	made = *unfinished;
	*made = (struct unfinished){.context = context,
				    .path = path,
				    .every = options_real(job->options, job->values, "checkpoint"),
				    .began = now,
				    .saved = now};
	made->most_bytes = SHARE_OF_MEMORY * (double)context_host_memory(context);
	CHECK(parallel_least(context_ranks(context), &made->most_bytes));
	CHECK(append_job(job, &made->job));
	if (!options_flag(job->options, job->values, "resume"))
		return SONDE_OK;
	/* all read the file before the first rank may replace it */
	CHECK(parallel_agree(context_ranks(context), checkpoint_restore(path, &kind, walk, made)));
	for (size_t k = 0; k < made->count; ++k)
		made->bytes += made->parts[k]->size;
	return SONDE_OK;
}

double unfinished_seconds(const struct unfinished *unfinished)
{
	return unfinished != NULL ? unfinished->earlier + clock_seconds() - unfinished->began : 0.0;
}

void unfinished_set_number(struct unfinished *unfinished, int number)
{
	if (unfinished != NULL)
		unfinished->number = number;
}

/* The name of a part in the file. */
static void make_name(const struct unfinished *unfinished, const char *part, char name[64])
{
	if (unfinished->number == 0)
		snprintf(name, 64, "%s", part);
	else
		snprintf(name, 64, "%d: %s", unfinished->number, part);
}

static struct unfinished_part *find(const struct unfinished *unfinished, const char *part)
{
	char name[64];

	make_name(unfinished, part, name);
	for (size_t k = 0; k < unfinished->count; ++k)
		if (strcmp(unfinished->parts[k]->name, name) == 0)
			return unfinished->parts[k];
	return NULL;
}

struct unfinished_part *unfinished_find(const struct unfinished *unfinished, const char *name, uint64_t pieces,
					uint64_t size)
{
	struct unfinished_part *part = unfinished != NULL ? find(unfinished, name) : NULL;

	return part != NULL && part->pieces == pieces && part->size == size ? part : NULL;
}

const char *unfinished_name(const struct unfinished *unfinished, const char *beginning)
{
	for (size_t k = 0; unfinished != NULL && k < unfinished->count; ++k)
		if (strncmp(unfinished->parts[k]->name, beginning, strlen(beginning)) == 0)
			return unfinished->parts[k]->name;
	return NULL;
}

sonde_status unfinished_part(struct unfinished *unfinished, const char *name, uint64_t *pieces, uint64_t size,
			     struct unfinished_part **part)
{
	*part = NULL;
	if (unfinished == NULL)
		return SONDE_OK;
	*part = find(unfinished, name);
	if (*part != NULL && (*part)->size != size)
		return status_fail_file(SONDE_INVALID, unfinished->path,
					"its checkpoint is of another kind of devices, whose sums '%s' have other "
					"numbers; resume it on such devices, or start again",
					name);
	if (*part != NULL) {
		*pieces = (*part)->pieces;
		return SONDE_OK;
	}
	if ((double)(unfinished->bytes + size) > unfinished->most_bytes)
		return SONDE_OK;
	CHECK(add_part(unfinished, part));
	CHECK(memory_allocate(&(*part)->numbers, size, 1, "the sums that are kept"));
	make_name(unfinished, name, (*part)->name);
	(*part)->pieces = *pieces;
	(*part)->size = (*part)->used = size;
	unfinished->bytes += size;
	return SONDE_OK;
}

static sonde_status first_round(struct unfinished *unfinished, uint64_t each)
{
	struct device_count devices;

	CHECK(context_count_devices(unfinished->context, &devices));
	unfinished->round = each * (devices.all > 1 ? (uint64_t)devices.all : 1);
	return parallel_sum(context_ranks(unfinished->context), &unfinished->round, 1);
}

sonde_status unfinished_round(struct unfinished *unfinished, uint64_t first, uint64_t left, uint64_t *count)
{
	const double now = clock_seconds();

	if (first > 0)
		CHECK(first_round(unfinished, first));
	else if (now - unfinished->round_began < SECONDS_OF_ROUND)
		unfinished->round *= 2;
	/* the clocks of ranks differ */
	CHECK(parallel_broadcast(context_ranks(unfinished->context), &unfinished->round, sizeof unfinished->round));
	unfinished->round_began = clock_seconds();
	*count = left < unfinished->round ? left : unfinished->round;
	return SONDE_OK;
}

sonde_status unfinished_advance(struct unfinished *unfinished, struct unfinished_part *part, uint64_t count)
{
	part->done += count;
	return checkpoint_is_due(unfinished->every, unfinished->saved) ? save(unfinished) : SONDE_OK;
}

static void free_all(struct unfinished **unfinished)
{
	for (size_t k = 0; k < (*unfinished)->count; ++k) {
		free((*unfinished)->parts[k]->numbers);
		free((*unfinished)->parts[k]);
	}
	free((*unfinished)->parts);
	text_free(&(*unfinished)->job);
	free(*unfinished);
	*unfinished = NULL;
}

static sonde_status keep(struct unfinished *unfinished)
{
	unsigned long long done = 0, pieces = 0;

	for (size_t k = 0; k < unfinished->count; ++k) {
		done += unfinished->parts[k]->done;
		pieces += unfinished->parts[k]->pieces;
	}
	if (done == 0)
		return SONDE_CANCELLED;
	CHECK(save(unfinished));
	return status_fail(SONDE_SUSPENDED,
			   "stopped; %llu of %llu pieces are kept in %s.checkpoint, continue with `resume`", done,
			   pieces, unfinished->path);
}

sonde_status unfinished_end(struct unfinished **unfinished, sonde_status status)
{
	if (*unfinished == NULL)
		return status;
	if (status == SONDE_CANCELLED)
		status = keep(*unfinished);
	free_all(unfinished);
	return status;
}

/* Descriptions ------------------------------------------------------------------------------------------------ */

bool unfinished_is_checkpoint(const char *path)
{
	return state_is_of(&kind, path);
}

static void report_parts(const struct unfinished *unfinished, struct report *report)
{
	uint64_t done = 0, pieces = 0;

	for (size_t k = 0; k < unfinished->count; ++k) {
		done += unfinished->parts[k]->done;
		pieces += unfinished->parts[k]->pieces;
	}
	report_line(report, "pieces", "%llu of %llu done, of the sums begun so far", (unsigned long long)done,
		    (unsigned long long)pieces);
	report_integer(report, "pieces", (int64_t)pieces);
	report_integer(report, "pieces_done", (int64_t)done);
}

static sonde_status read_parts(struct state *state, char **job, struct unfinished *unfinished)
{
	struct unfinished_part *part;
	uint64_t count = 0;
	double seconds;

	CHECK(state_job_there(state, job));
	CHECK(state_bytes(state, &seconds, sizeof seconds));
	CHECK(state_number(state, &count, 1, MOST_PARTS, "number of sums"));
	for (uint64_t k = 0; k < count; ++k) {
		CHECK(add_part(unfinished, &part));
		CHECK(walk_part(part, state));
	}
	return SONDE_OK;
}

sonde_status unfinished_describe(const char *path, struct report *report)
{
	struct unfinished *unfinished;
	struct state state = {0};
	char *job = NULL, engine[33] = "";

	CHECK(memory_allocate(&unfinished, 1, sizeof *unfinished, "the checkpoint"));
	sonde_status status = state_open(&kind, path, &state);
	if (status == SONDE_OK)
		status = read_parts(&state, &job, unfinished);
	state_close(&state);
	if (status == SONDE_OK) {
		(void)sscanf(job, "engine = %32s", engine);
		result_file_checkpoint(report, engine);
		report_parts(unfinished, report);
		result_file_resume(report, path, job);
	}
	free(job);
	free_all(&unfinished);
	return status;
}
