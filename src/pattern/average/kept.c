#include "pattern/average/kept.h"

#include <stdlib.h>
#include <string.h>

#include "matter/atoms/placed_atoms.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"
#include "run/result_file.h"
#include "run/state.h"

static const struct state_kind kind = {0x024e544150444e31ull, "a checkpoint of sonde pattern"};

/* The job ----------------------------------------------------------------------------------------------------- */

sonde_status kept_append_files(const sonde_pattern_options *options, struct text *job)
{
	const char *const files[] = {options->form_factors, options->q_list, options->placements};
	char sha256[65] = "";

	text_append(job, "engine = pattern\n");
	checkpoint_append_version(job);

	for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
		if (files[k][0] != '\0') {
			CHECK(file_sha256(files[k], NULL, NULL, sha256));
			text_append(job, "sha256 of %s = %s\n", files[k], sha256);
		}
	return SONDE_OK;
}

void kept_append_options(const sonde_pattern_options *options, struct text *job)
{
	for (size_t k = 0; k < pattern_option_table.count; ++k) {
		const struct option_row *row = &pattern_option_table.rows[k];
		if (option_may_change(row))
			continue;
		provenance_append_option(job, row, options);
		text_append(job, "\n");
	}
}

static sonde_status append_samples(const struct kept *kept, struct text *job)
{
	const sonde_pattern_options *options = &kept->average->plan->options;
	char sha256[65] = "";

	if (kept->average->turns.listed != NULL)
		checkpoint_append_digest(job, "orientations", kept->average->turns.listed,
					 (size_t)kept->average->turns.count * sizeof *kept->average->turns.listed);
	if (kept->samples == NULL)
		return SONDE_OK;
	if (kept->shots != NULL)
		text_append(job, "shots = %lld of each sample\n", (long long)options->shots);
	text_append(job, "samples = %lld of %s\n", (long long)samples_count(kept->samples),
		    samples_source(kept->samples));
	if (samples_are_frames(kept->samples)) {
		text_append(job, "size of the file = %lld\n", (long long)samples_bytes(kept->samples));
		return SONDE_OK;
	}
	CHECK(samples_sha256(kept->samples, sha256));
	text_append(job, "sha256 of the list = %s\n", sha256);
	return SONDE_OK;
}

static sonde_status describe_job(struct kept *kept, const sonde_atoms *first)
{
	struct text *job = &kept->job;

	CHECK(kept_append_files(&kept->average->plan->options, job));
	CHECK(append_samples(kept, job));
	kept_append_options(&kept->average->plan->options, job);
	checkpoint_append_digest(job, "positions of the first sample", first->positions,
				 3 * (size_t)first->count * sizeof *first->positions);
	if (first->placements != NULL)
		checkpoint_append_digest(job, "placements", first->placements,
					 (size_t)atoms_copy_count(first) * sizeof *first->placements);
	return text_status(job);
}

/* The state ----------------------------------------------------------------------------------------------------- */

static sonde_status walk_rows(const struct average *average, struct state *state)
{
	double *rows[] = {average->intensity,     average->real,        average->imaginary,
			  average->variance,      average->own,         average->own_real,
			  average->own_imaginary, average->turn_mean,   average->turn_squares,
			  average->frames.block,  average->frames.mean, average->frames.squares};

	CHECK(state_same(state, (uint64_t)average->pixels, "points"));
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		if (rows[k] != NULL)
			CHECK(state_bytes(state, rows[k], (size_t)average->pixels * sizeof(double)));
	return SONDE_OK;
}

static sonde_status walk(void *user, struct state *state)
{
	struct kept *kept = user;
	struct average *average = kept->average;
	double seconds = kept->earlier + clock_seconds() - kept->began;
	uint64_t samples = (uint64_t)average->samples, done = (uint64_t)average->done;

	CHECK(state_job(state, &kept->job));
	CHECK(state_number(state, &samples, 0, KEPT_MOST, "number of samples"));
	CHECK(state_number(state, &done, 0, KEPT_MOST, "number of orientations"));
	CHECK(state_bytes(state, &seconds, sizeof seconds));
	CHECK(state_bytes(state, &average->weight, sizeof average->weight));
	CHECK(state_bytes(state, &average->atoms, sizeof average->atoms));
	CHECK(state_bytes(state, &average->present, sizeof average->present));
	CHECK(state_bytes(state, &average->largest_error, sizeof average->largest_error));
	CHECK(state_bytes(state, average->squares, sizeof average->squares));
	CHECK(state_bytes(state, &average->checked, sizeof average->checked));
	CHECK(state_bytes(state, &average->frames.frames, sizeof average->frames.frames));
	CHECK(state_bytes(state, &average->frames.in_block, sizeof average->frames.in_block));
	CHECK(state_bytes(state, &average->frames.values, sizeof average->frames.values));
	CHECK(walk_rows(average, state));
	if (kept->shots != NULL)
		CHECK(shots_walk(kept->shots, state));
	if (state->saving)
		return SONDE_OK;
	average->samples = (int64_t)samples;
	average->done = (int64_t)done;
	kept->earlier = seconds;
	return SONDE_OK;
}

static sonde_status save(struct kept *kept)
{
	sonde_status status = SONDE_OK;

	if (!context_writes(kept->average->context))
		return SONDE_OK;
	if (kept->shots != NULL)
		status = shots_flush(kept->shots);
	if (status == SONDE_OK)
		status = checkpoint_save(kept->output, &kind, walk, kept);
	kept->saved = clock_seconds();
	return status;
}

static sonde_status restore(struct kept *kept)
{
	CHECK(checkpoint_restore(kept->output, &kind, walk, kept));
	return kept->average->done <= kept->average->turns.count
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "shots", "%lld shots are done already",
					(long long)kept->average->done);
}

/* The first rank has the sums; the others continue at the same place. */
static sonde_status restore_for_all(struct kept *kept)
{
	struct average *average = kept->average;
	struct parallel *ranks = context_ranks(average->context);
	int64_t place[2] = {0};

	CHECK(parallel_agree(ranks, context_writes(average->context) ? restore(kept) : SONDE_OK));
	place[0] = average->samples;
	place[1] = average->done;
	CHECK(parallel_broadcast(ranks, place, sizeof place));
	average->samples = place[0];
	average->done = place[1];
	return SONDE_OK;
}

/* A run --------------------------------------------------------------------------------------------------------- */

sonde_status kept_save_sometimes(struct kept *kept)
{
	if (kept->shots != NULL)
		shots_mark(kept->shots);
	return kept->output != NULL && checkpoint_is_due(kept->average->plan->options.checkpoint, kept->saved)
		   ? save(kept)
		   : SONDE_OK;
}

/* Orientations of one sample, or of one in many, whose checkpoints are made by the caller. */
static sonde_status keep(void *user, int64_t first, int64_t count, const double *intensity)
{
	struct kept *kept = user;

	const struct average *average = kept->average;

	if (kept->shots != NULL)
		CHECK(shots_add(kept->shots, average->samples * average->turns.count + first, count, intensity));
	return kept->samples == NULL ? kept_save_sometimes(kept) : SONDE_OK;
}

sonde_status kept_begin(struct average *average, struct samples *samples, const sonde_atoms *first,
			const char *output, struct shots *shots, struct kept *kept)
{
	const double now = clock_seconds();

	*kept = (struct kept){
	    .average = average, .samples = samples, .output = output, .shots = shots, .began = now, .saved = now};
	average->keep = keep;
	average->user = kept;
	if (average->plan->options.resume && output == NULL)
		return status_fail_option(SONDE_INVALID, "resume",
					  "no file to resume from is given; name it by `output`");
	if (output != NULL)
		CHECK(describe_job(kept, first));
	if (average->plan->options.resume)
		CHECK(restore_for_all(kept));
	return shots != NULL && context_writes(average->context)
		   ? shots_open(shots, average->samples * average->turns.count + average->done)
		   : SONDE_OK;
}

sonde_status kept_end(struct kept *kept, sonde_status status)
{
	const struct average *average = kept->average;
	const bool samples = kept->samples != NULL;
	const long long done = samples ? average->samples : average->done,
			all = samples ? samples_count(kept->samples) : average->turns.count;

	if (status != SONDE_CANCELLED || done == 0 || kept->job.size == 0)
		return status;
	if (kept->output == NULL)
		return context_lose_work(average->context);
	/* the sample in progress begins again */
	if (samples)
		kept->average->done = 0;
	CHECK(save(kept));
	return status_fail(SONDE_SUSPENDED,
			   "stopped; %lld of %lld %s are kept in %s.checkpoint, continue with `resume`", done, all,
			   !samples && kept->shots != NULL     ? "shots"
			   : !samples                          ? "orientations"
			   : samples_are_frames(kept->samples) ? "frames"
							       : "samples",
			   kept->output);
}

void kept_free(struct kept *kept)
{
	text_free(&kept->job);
}

bool kept_is_checkpoint(const char *path)
{
	return state_is_of(&kind, path);
}

sonde_status kept_read_numbers(const struct state_kind *of, const char *path, int count, const char *const names[],
			       uint64_t numbers[], char **job)
{
	struct state state = {0};

	*job = NULL;
	sonde_status status = state_open(of, path, &state);
	if (status == SONDE_OK)
		status = state_job_there(&state, job);
	for (int k = 0; k < count && status == SONDE_OK; ++k)
		status = state_number(&state, &numbers[k], 0, KEPT_MOST, names[k]);
	state_close(&state);
	return status;
}

sonde_status kept_describe(const char *path, struct report *report)
{
	static const char *const names[] = {"number of samples", "number of orientations"};
	uint64_t numbers[2];
	char *job;

	const sonde_status status = kept_read_numbers(&kind, path, 2, names, numbers, &job);
	if (status == SONDE_OK) {
		result_file_checkpoint(report, "pattern");
		report_line(report, numbers[0] > 0 ? "samples" : "orientations", "%llu done",
			    (unsigned long long)(numbers[0] > 0 ? numbers[0] : numbers[1]));
		report_integer(report, "samples_done", (int64_t)numbers[0]);
		report_integer(report, "orientations_done", (int64_t)numbers[1]);
		result_file_resume(report, path, job);
	}
	free(job);
	return status;
}
