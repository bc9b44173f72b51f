#include "debye/mean_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/build/size_distribution.h"

bool debye_has_samples(const sonde_debye_options *options, const char *path, const sonde_build_options *build)
{
	if (path == NULL)
		return build != NULL && build_has_sizes(build);
	return options->frames[0] != '\0' || options->topology[0] != '\0' || samples_is_list(path) ||
	       samples_is_bare(path);
}

static sonde_status check_frames(const sonde_debye_options *options, const char *what)
{
	const char *given = options->frames[0] != '\0'     ? "frames"
			    : options->topology[0] != '\0' ? "topology"
			    : options->error_blocks > 0    ? "error_blocks"
							   : NULL;

	return given == NULL
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, given, "is for a trajectory, and the sample is %s", what);
}

sonde_status debye_open_samples(sonde_context *context, const sonde_debye_options *options, const char *path,
				const sonde_build_options *build, bool counted, struct samples **samples)
{
	*samples = NULL;
	if (path == NULL) {
		CHECK(check_frames(options, "a distribution of sizes"));
		return samples_open_sizes(context, build, samples);
	}
	if (samples_is_list(path)) {
		CHECK(check_frames(options, "a list of structures"));
		return samples_open_list(context, path, samples);
	}
	return samples_open_trajectory(context, path, options->frames, options->topology,
				       counted || options->error_blocks > 0, samples);
}

void debye_options_of_sample(const sonde_debye_options *options, sonde_debye_options *of_sample)
{
	*of_sample = *options;
	of_sample->frames[0] = of_sample->topology[0] = '\0';
	of_sample->error_blocks = 0;
}

/* Names the sample in the message about it. */
static sonde_status prefix(const struct samples *samples, const struct sample *sample, sonde_status status)
{
	if (status != SONDE_INVALID)
		return status;
	if (samples_are_frames(samples))
		return status_prefix(status, "%s: frame %lld", samples_source(samples),
				     (long long)samples_frame(samples));
	return status_prefix(status, "%s", sample->name);
}

/* A line with the name of a component, and the digest of its file. */
static void append_name(const struct sample *sample, struct text *names)
{
	if (sample->name == NULL)
		return;
	text_append(names, "%s%s%s\n", sample->name, sample->atoms->sha256[0] != '\0' ? " sha256 " : "",
		    sample->atoms->sha256);
}

static sonde_status add_all(sonde_context *context, struct samples *samples, struct sonde_debye_mean *mean,
			    struct text *names)
{
	const char *unit = samples_are_frames(samples) ? "frames" : "samples";
	const struct sample *sample;
	struct stage stage;
	int64_t done = 0;

	stage_begin(&stage, context, unit, unit, (double)samples_count(samples));
	for (;;) {
		CHECK(samples_next(samples, &sample));
		if (sample == NULL)
			break;
		context_mute(context, true);
		const sonde_status status = sonde_debye_mean_add(mean, sample->atoms, sample->weight);
		context_mute(context, false);
		if (status != SONDE_OK)
			return prefix(samples, sample, status);
		append_name(sample, names);
		CHECK(stage_advance(&stage, (double)++done));
	}
	if (done == 0)
		return status_fail_option(SONDE_INVALID, "frames", "%s has fewer frames, none of them in this range",
					  samples_source(samples));
	if (done < samples_count(samples))
		context_notef(context, "%.300s: has %lld of the %lld chosen frames, of which the mean is computed",
			      samples_source(samples), (long long)done, (long long)samples_count(samples));
	return SONDE_OK;
}

/* The origin of a mean is that of all of its samples. */
static sonde_status describe_origin(struct samples *samples, struct text *names, sonde_debye_result *result)
{
	struct sonde_debye_provenance *provenance = result->provenance;

	free(provenance->run.sample);
	provenance->run.sample = NULL;
	CHECK(memory_copy_text(samples_source(samples), &provenance->run.sample, "the result"));
	CHECK(samples_sha256(samples, provenance->run.sha256));
	CHECK(text_status(names));
	provenance->samples = names->bytes;
	*names = (struct text){0};
	return SONDE_OK;
}

static sonde_status compute(sonde_context *context, struct samples *samples, struct sonde_debye_mean *mean,
			    sonde_debye_result **result)
{
	struct text names = {0};
	sonde_status status = add_all(context, samples, mean, &names);

	if (status == SONDE_OK)
		status = sonde_debye_mean_finish(mean, result);
	if (status == SONDE_OK)
		status = describe_origin(samples, &names, *result);
	text_free(&names);
	return status;
}

sonde_status debye_run_samples(sonde_context *context, const sonde_debye_options *options, struct samples *samples,
			       sonde_debye_result **result)
{
	const bool frames = samples_are_frames(samples);
	struct sonde_debye_mean *mean;

	*result = NULL;
	CHECK(sonde_debye_mean_begin(context, options, frames ? SONDE_DEBYE_FRAMES : SONDE_DEBYE_MIXTURE,
				     options->error_blocks > 0 ? samples_count(samples) : 0, &mean));
	const sonde_status status = compute(context, samples, mean, result);
	sonde_debye_mean_free(&mean);
	if (status != SONDE_OK)
		sonde_debye_result_free(result);
	return status;
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
		status = debye_open_samples(context, options, path, NULL, false, &samples);
	if (status == SONDE_OK)
		status = debye_run_samples(context, options, samples, result);
	samples_close(&samples);
	free(options);
	return status;
}
