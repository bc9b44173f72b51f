#include "debye/means/mean_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "debye/means/frame_lanes.h"
#include "debye/means/mean_checkpoint.h"
#include "parallel/parallel.h"
#include "run/checkpoint.h"

struct samples_choice debye_samples_choice(const sonde_debye_options *options, const char *path,
					   const sonde_build_options *build)
{
	return (struct samples_choice){path, build, options->frames, options->topology, options->error_blocks};
}

void debye_options_of_sample(const sonde_debye_options *options, sonde_debye_options *of_sample)
{
	*of_sample = *options;
	of_sample->frames[0] = of_sample->topology[0] = '\0';
	of_sample->error_blocks = 0;
	of_sample->resume = 0;
}

/* A line with the name of a component, and the digest of its file. */
static void append_name(const struct sample *sample, struct text *names)
{
	if (sample->name == NULL)
		return;
	text_append(names, "%s%s%s\n", sample->name, sample->atoms->sha256[0] != '\0' ? " sha256 " : "",
		    sample->atoms->sha256);
}

/* A mean in progress. */
struct mean_run {
	sonde_context *context;
	struct samples *samples;
	struct sonde_debye_mean *mean;
	const char *output;        /* null: no checkpoint */
	struct text job;           /* of the checkpoint */
	double saved;              /* clock_seconds() at the last one */
	bool kept;                 /* frames stay valid for lanes */
	struct frame_lanes *lanes; /* null: frames are computed one after the other */
};

static sonde_status add_sample(struct mean_run *run, const struct sample *sample)
{
	/* after the first frame, since those of a checkpoint are skipped */
	run->mean->next =
	    run->mean->sums.samples > 0 && samples_are_frames(run->samples) ? samples_peek(run->samples) : NULL;
	context_mute(run->context, true);
	const sonde_status status = sonde_debye_mean_add(run->mean, sample->atoms, sample->weight);
	context_mute(run->context, false);
	if (status != SONDE_OK)
		return samples_prefix(run->samples, sample, status);
	append_name(sample, &run->mean->names);
	return text_status(&run->mean->names);
}

/* Before the second frame is read. */
static sonde_status keep_frames(struct mean_run *run, const struct sample *sample)
{
	const char *device;
	int count;

	if (!samples_are_frames(run->samples))
		return SONDE_OK;
	CHECK(frame_lanes_choose(run->context, sonde_debye_plan_options(run->mean->plan), sample->atoms,
				 samples_count(run->samples) - 1, &count, &device));
	run->kept = count > 0 && samples_keep(run->samples, count + FRAMES_WAITING);
	return SONDE_OK;
}

/* The first sample begins the sums, or is replaced by those of a checkpoint, whose samples follow it. */
static sonde_status add_first(struct mean_run *run, const struct sample *sample)
{
	const struct sample *skipped;

	CHECK(add_sample(run, sample));
	CHECK(keep_frames(run, sample));
	CHECK(mean_checkpoint_job(run->mean, run->samples, sample->atoms, &run->job));
	if (!run->mean->options.resume)
		return SONDE_OK;
	/* all read the file before the first rank may replace it */
	CHECK(
	    parallel_agree(context_ranks(run->context), mean_checkpoint_restore(run->output, run->mean, &run->job)));
	for (int64_t k = 1; k < run->mean->sums.samples; ++k) {
		CHECK(samples_next(run->samples, &skipped));
		if (skipped == NULL)
			return status_fail_option(
			    SONDE_INVALID, "resume", "the checkpoint has %lld samples, and %s has only %lld",
			    (long long)run->mean->sums.samples, samples_source(run->samples), (long long)k);
	}
	return SONDE_OK;
}

static sonde_status save_sometimes(struct mean_run *run)
{
	if (run->output == NULL || !context_writes(run->context) ||
	    !checkpoint_is_due(run->mean->options.checkpoint, run->saved))
		return SONDE_OK;
	run->saved = clock_seconds();
	return mean_checkpoint_save(run->output, run->mean, &run->job);
}

/* Lanes ---------------------------------------------------------------------------------------------------------- */

/* After the first frame. */
static sonde_status begin_lanes(struct mean_run *run, const struct sample *sample)
{
	const int64_t left = samples_count(run->samples) - run->mean->sums.samples;

	return frame_lanes_begin(run->context, run->mean->plan, sample->atoms, left, &run->lanes);
}

/* Frames that lanes have not completed, one after the other: after a failure, which a device may have caused. */
static sonde_status repeat_frames(struct mean_run *run, struct given_frame first)
{
	struct given_frame frames[FRAME_LANES_MOST];
	int count = 0;

	frames[count++] = first;
	while (frame_lanes_pending(run->lanes) > 0)
		frames[count++] = frame_lanes_give_up(run->lanes);
	frame_lanes_end(&run->lanes);
	for (int k = 0; k < count; ++k) {
		const sonde_status status = sonde_debye_mean_add(run->mean, frames[k].atoms, 1.0);
		if (status != SONDE_OK)
			return samples_prefix_frame(run->samples, frames[k].number, status);
	}
	return SONDE_OK;
}

static sonde_status take_frame(struct mean_run *run)
{
	struct given_frame frame;
	sonde_debye_result *result;
	const sonde_status status = frame_lanes_take(run->lanes, &frame, &result);

	if (status == SONDE_CANCELLED)
		return status;
	if (status != SONDE_OK)
		return repeat_frames(run, frame);
	return samples_prefix_frame(run->samples, frame.number, debye_mean_take(run->mean, &frame.check, &result));
}

static sonde_status give_frame(struct mean_run *run, const struct sample *sample)
{
	const int64_t frame = run->mean->sums.samples + frame_lanes_pending(run->lanes);

	frame_lanes_give(run->lanes, sample->atoms, samples_frame(run->samples), debye_mean_checks(frame));
	return frame_lanes_pending(run->lanes) < frame_lanes_most(run->lanes) ? SONDE_OK : take_frame(run);
}

static sonde_status take_last(struct mean_run *run, struct stage *stage)
{
	while (run->lanes != NULL && frame_lanes_pending(run->lanes) > 0) {
		CHECK(take_frame(run));
		CHECK(save_sometimes(run));
		CHECK(stage_advance(stage, (double)run->mean->sums.samples));
	}
	return SONDE_OK;
}

/* All samples ---------------------------------------------------------------------------------------------------- */

static sonde_status add_next(struct mean_run *run, const struct sample *sample, bool first)
{
	if (run->lanes != NULL)
		return give_frame(run, sample);
	CHECK(first ? add_first(run, sample) : add_sample(run, sample));
	return first && run->kept ? begin_lanes(run, sample) : SONDE_OK;
}

static sonde_status add_all(struct mean_run *run)
{
	const char *unit = samples_are_frames(run->samples) ? "frames" : "samples";
	const struct sample *sample;
	struct stage stage;

	stage_begin(&stage, run->context, unit, unit, (double)samples_count(run->samples));
	for (bool first = true;; first = false) {
		CHECK(samples_next(run->samples, &sample));
		if (sample == NULL)
			return take_last(run, &stage);
		CHECK(add_next(run, sample, first));
		CHECK(save_sometimes(run));
		CHECK(parallel_agree(context_ranks(run->context),
				     stage_advance(&stage, (double)run->mean->sums.samples)));
	}
}

static sonde_status check_number(const struct mean_run *run)
{
	const long long done = run->mean->sums.samples, chosen = samples_count(run->samples);

	if (done == 0)
		return status_fail_option(SONDE_INVALID, "frames", "%s has fewer frames, none of them in this range",
					  samples_source(run->samples));
	if (done < chosen)
		context_notef(run->context,
			      "%.300s: has %lld of the %lld chosen frames, of which the mean is computed",
			      samples_source(run->samples), done, chosen);
	return SONDE_OK;
}

/* Completed samples are kept if there is a file for them. */
static sonde_status stop(struct mean_run *run)
{
	const long long done = run->mean->sums.samples;

	if (done == 0 || run->job.size == 0)
		return SONDE_CANCELLED;
	if (run->output == NULL)
		return context_lose_work(run->context);
	if (context_writes(run->context))
		CHECK(mean_checkpoint_save(run->output, run->mean, &run->job));
	return status_fail(SONDE_SUSPENDED,
			   "stopped; %lld of %lld %s are kept in %s.checkpoint, continue with `resume`", done,
			   (long long)samples_count(run->samples),
			   samples_are_frames(run->samples) ? "frames" : "samples", run->output);
}

/* The origin of a mean is that of all of its samples. */
static sonde_status describe_origin(struct samples *samples, sonde_debye_result *result)
{
	struct sonde_debye_provenance *provenance = result->provenance;

	free(provenance->run.sample);
	provenance->run.sample = NULL;
	CHECK(memory_copy_text(samples_source(samples), &provenance->run.sample, "the result"));
	return samples_sha256(samples, provenance->run.sha256);
}

static sonde_status compute(struct mean_run *run, sonde_debye_result **result)
{
	const sonde_status status = add_all(run);

	if (status == SONDE_CANCELLED)
		return stop(run);
	CHECK(status);
	CHECK(check_number(run));
	CHECK(sonde_debye_mean_finish(run->mean, result));
	return describe_origin(run->samples, *result);
}

sonde_status debye_run_samples(sonde_context *context, const sonde_debye_options *options, struct samples *samples,
			       const char *output, sonde_debye_result **result)
{
	const bool frames = samples_are_frames(samples);
	struct mean_run run = {.context = context, .samples = samples, .output = output, .saved = clock_seconds()};

	*result = NULL;
	if (options->resume && output == NULL)
		return status_fail_option(SONDE_INVALID, "resume",
					  "no file to resume from is given; name it by `output`");
	CHECK(sonde_debye_mean_begin(context, options, frames ? SONDE_DEBYE_FRAMES : SONDE_DEBYE_MIXTURE,
				     options->error_blocks > 0 ? samples_count(samples) : 0, &run.mean));
	const sonde_status status = compute(&run, result);
	frame_lanes_end(&run.lanes);
	sonde_debye_mean_free(&run.mean);
	text_free(&run.job);
	if (status != SONDE_OK)
		sonde_debye_result_free(result);
	return status;
}

static sonde_status open_samples(sonde_context *context, const sonde_debye_options *options, const char *path,
				 struct samples **samples)
{
	const struct samples_choice choice = debye_samples_choice(options, path, NULL);

	return samples_open(context, &choice, false, samples);
}

sonde_status sonde_debye_run_samples(sonde_context *context, const char *path, const sonde_debye_options *given,
				     sonde_debye_result **result)
{
	sonde_debye_options *options;
	struct samples *samples = NULL;

	*result = NULL;
	if (context == NULL || path == NULL || given == NULL)
		return status_fail(SONDE_INVALID, "context, path and options are needed, one of them is null");
	CHECK(memory_allocate(&options, 1, sizeof *options, "the options"));
	sonde_status status = options_complete(&debye_option_table, given, options);
	if (status == SONDE_OK)
		status = options_check(&debye_option_table, options);
	if (status == SONDE_OK)
		status = open_samples(context, options, path, &samples);
	if (status == SONDE_OK)
		status = debye_run_samples(context, options, samples, NULL, result);
	samples_close(&samples);
	free(options);
	return status;
}
