/* Runs: plan, sums, check, result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "pattern/average/average.h"
#include "pattern/average/kept.h"
#include "pattern/average/picture.h"
#include "pattern/compute.h"
#include "pattern/detector/response.h"
#include "pattern/errors/error_table.h"
#include "matter/atoms/atoms_gpu.h"
#include "pattern/partials.h"
#include "pattern/run.h"
#include "run/checkpoint.h"

/* "Co 512, O 512" by labels, with the sums of occupancies where these differ. */
static sonde_status describe_sample(const struct pattern_sample *sample, char **composition)
{
	struct text text = {0};

	for (int c = 0, next; c < sample->class_count; c = next) {
		int64_t sites = 0;
		double present = 0.0;
		for (next = c;
		     next < sample->class_count && strcmp(sample->classes[next].label, sample->classes[c].label) == 0;
		     ++next) {
			sites += sample->view.species[next].atoms;
			present += sample->classes[next].occupancy * (double)sample->view.species[next].atoms;
		}
		text_append(&text, "%s%s %lld", c > 0 ? ", " : "", sample->classes[c].label, (long long)sites);
		if (present < (double)sites)
			text_append(&text, " (%.10g present)", present);
	}
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = memory_copy_text(text.bytes, composition, "the result");
	text_free(&text);
	return status;
}

static const char *label_of_class(const void *of, int c)
{
	const struct pattern_sample *sample = of;

	return sample->classes[c].label;
}

static sonde_status describe_amplitudes(const struct pattern_plan *plan, char **amplitudes)
{
	struct text text = {0};
	struct probe probe = plan->probe;
	char sha256[65] = "";

	if (probe.form_factors[0] != '\0')
		CHECK(file_sha256(probe.form_factors, NULL, NULL, sha256));
	probe.form_factors_sha256 = sha256;
	probe_append_amplitudes(&probe, plan->sample.class_count, label_of_class, &plan->sample, &text);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = memory_copy_text(text.bytes, amplitudes, "the result");
	text_free(&text);
	return status;
}

/* With the phase of the sample's positions, if they are wanted. */
static void finish_amplitudes(const sonde_context *context, const struct pattern_plan *plan,
			      sonde_pattern_result *result)
{
	const struct pattern_values values = {result->intensity, result->real, result->imaginary};

	if (plan->options.amplitude) {
		pattern_place_amplitudes(context, plan, &values);
		return;
	}
	free(result->real);
	free(result->imaginary);
	result->real = result->imaginary = NULL;
}

/* The vectors go from the plan to the result. */
static void take_pixels(struct pattern_plan *plan, sonde_pattern_result *result)
{
	struct pattern_pixels *pixels = &plan->pixels;

	result->geometry = pixels->geometry;
	result->axis_count = pixels->axis_count;
	result->vectors = pixels->vectors;
	result->distance = pixels->distance;
	memcpy(result->sizes, pixels->sizes, sizeof result->sizes);
	memcpy(result->axes, pixels->axes, sizeof result->axes);
	memcpy(result->basis, pixels->basis, sizeof result->basis);
	memset(pixels->axes, 0, sizeof pixels->axes);
	result->masked = pixels->masked;
	pixels->vectors = NULL;
	pixels->masked = NULL;
}

/* What is known before the sums, after which short runs stay on the CPU. */
static sonde_status begin(sonde_context *context, const sonde_atoms *atoms, const struct pattern_plan *plan,
			  sonde_pattern_result *result)
{
	struct sonde_pattern_provenance *provenance = result->provenance;

	result->count = plan->pixels.count;
	result->wavelength = plan->pixels.wavelength;
	result->atom_count = plan->sample.count;
	result->atoms_present = plan->sample.present;
	CHECK(describe_sample(&plan->sample, &provenance->composition));
	CHECK(describe_amplitudes(plan, &provenance->amplitudes));
	CHECK(pattern_expect(context, plan));
	return provenance_make(context, atoms->source.bytes, atoms->sha256, &provenance->run);
}

static sonde_status make_errors(const struct pattern_plan *plan, sonde_pattern_result *result)
{
	double squares[PATTERN_ERROR_NODES] = {0.0};

	error_table_add(&plan->sample, &plan->pixels, 1.0, squares);
	return error_table_make(&plan->sample, &plan->pixels, squares, result->largest_error, result);
}

static sonde_status compute_one(sonde_context *context, struct pattern_plan *plan, const char *output,
				sonde_pattern_result *result)
{
	struct picture picture;

	const size_t count = (size_t)plan->pixels.count;

	CHECK(memory_allocate_to_fill(&result->intensity, count, sizeof(double), "the pattern"));
	CHECK(memory_allocate_to_fill(&result->real, count, sizeof(double), "the pattern"));
	CHECK(memory_allocate_to_fill(&result->imaginary, count, sizeof(double), "the pattern"));
	const struct pattern_values values = {result->intensity, result->real, result->imaginary};
	sonde_status status = picture_begin(context, plan, &values, output, &picture);
	if (status == SONDE_OK)
		status =
		    pattern_compute_checked(context, plan, &values, &result->largest_error, &result->checked_points);
	if (status == SONDE_OK && plan->options.partials != SONDE_PATTERN_PARTIALS_NONE)
		status = partials_compute(context, plan, result);
	result->seconds = picture.earlier;
	CHECK(picture_end(&picture, status));
	CHECK(make_errors(plan, result));
	finish_amplitudes(context, plan, result);
	return SONDE_OK;
}

/* A mean, or shots, of one sample. `shots` are complete but for the result. */
static sonde_status compute_mean(sonde_context *context, const sonde_atoms *atoms, const struct pattern_plan *plan,
				 const char *output, struct shots *shots, sonde_pattern_result *result)
{
	struct average average;
	struct kept kept = {.average = NULL};
	sonde_status status = average_begin(context, plan, AVERAGE_ONE, 1, &average);

	if (status == SONDE_OK)
		status = kept_begin(&average, NULL, atoms, output, shots, &kept);
	if (status == SONDE_OK)
		status = kept_end(&kept, average_add(&average, atoms, 1.0));
	if (status == SONDE_OK)
		status = average_deliver(&average, result);
	result->seconds = kept.earlier;
	kept_free(&kept);
	average_free(&average);
	return status;
}

/* What a run writes while it computes. */
struct destination {
	const char *output; /* null: nothing */
	bool overwrite, only_shots;
	struct turns turns; /* of shots */
	struct shots shots;
	bool has_shots;
};

static sonde_status begin_shots(const sonde_context *context, const struct pattern_plan *plan, int64_t samples,
				struct destination *to)
{
	if (!context_writes(context)) /* the first rank does that for all */
		return SONDE_OK;
	to->has_shots = true;
	CHECK(turns_make(&plan->options, &to->turns));
	return shots_begin(context_threads(context), plan, &to->turns, samples, to->output, to->overwrite,
			   &to->shots);
}

static sonde_status compute(sonde_context *context, const sonde_atoms *atoms, struct pattern_plan *plan,
			    struct destination *to, sonde_pattern_result *result)
{
	CHECK(average_check(&plan->options));
	CHECK(partials_check(&plan->options, average_is_needed(&plan->options)));
	CHECK(average_choose(context, 1, plan));
	if (plan->options.shots > 0)
		CHECK(begin_shots(context, plan, 1, to));
	else if (to->only_shots)
		return status_fail_option(SONDE_INVALID, "shots", "give their number");
	CHECK(begin(context, atoms, plan, result));
	CHECK(average_is_needed(&plan->options)
		  ? compute_mean(context, atoms, plan, to->output, to->has_shots ? &to->shots : NULL, result)
		  : compute_one(context, plan, to->output, result));
	result->provenance->options = plan->options;
	return SONDE_OK;
}

/* Samples ------------------------------------------------------------------------------------------------------ */

/* Those of an earlier run are passed over; `sample` is the first one. */
static sonde_status skip_samples(const struct average *average, struct samples *samples, const struct sample **sample)
{
	for (int64_t k = 0; k < average->samples; ++k) {
		if (*sample == NULL)
			return status_fail_option(SONDE_INVALID, "resume",
						  "the checkpoint has %lld samples, and %s has only %lld",
						  (long long)average->samples, samples_source(samples), (long long)k);
		CHECK(samples_next(samples, sample));
	}
	return SONDE_OK;
}

static sonde_status add_samples(struct average *average, struct samples *samples, const struct sample *sample,
				struct kept *kept)
{
	const char *unit = samples_are_frames(samples) ? "frames" : "samples";
	struct stage stage;

	stage_begin(&stage, average->context, unit, unit, (double)samples_count(samples));
	CHECK(skip_samples(average, samples, &sample));
	while (sample != NULL) {
		const sonde_status status = average_add(average, sample->atoms, sample->weight);
		if (status != SONDE_OK)
			return samples_prefix(samples, sample, status);
		CHECK(kept_save_sometimes(kept));
		CHECK(stage_advance(&stage, (double)average->samples));
		CHECK(samples_next(samples, &sample));
	}
	return SONDE_OK;
}

static void note_number(const struct average *average, const struct samples *samples)
{
	const long long chosen = samples_count(samples);

	if (average->samples < chosen && chosen < INT64_MAX)
		context_notef(average->context,
			      "%.300s: has %lld of the %lld chosen frames, of which the mean is computed",
			      samples_source(samples), (long long)average->samples, chosen);
}

/* The composition of a mixture is that of the first component and the number of all. */
static sonde_status describe_samples(struct samples *samples, sonde_pattern_result *result)
{
	struct sonde_pattern_provenance *provenance = result->provenance;
	struct text text = {0};

	free(provenance->run.sample);
	provenance->run.sample = NULL;
	CHECK(memory_copy_text(samples_source(samples), &provenance->run.sample, "the result"));
	CHECK(samples_sha256(samples, provenance->run.sha256));
	if (samples_are_frames(samples))
		return SONDE_OK;
	text_append(&text, "mean of %lld samples, the first: %s", (long long)result->sample_count,
		    provenance->composition);
	sonde_status status = text_status(&text);
	if (status == SONDE_OK) {
		free(provenance->composition);
		provenance->composition = NULL;
		status = memory_copy_text(text.bytes, &provenance->composition, "the result");
	}
	text_free(&text);
	return status;
}

static sonde_status average_samples(sonde_context *context, struct samples *samples, const struct sample *first,
				    const struct pattern_plan *plan, struct destination *to,
				    sonde_pattern_result *result)
{
	const bool frames = samples_are_frames(samples);
	struct average average;
	struct kept kept = {.average = NULL};
	sonde_status status =
	    average_begin(context, plan, frames ? AVERAGE_FRAMES : AVERAGE_MIXTURE, samples_count(samples), &average);

	if (status == SONDE_OK)
		status =
		    kept_begin(&average, samples, first->atoms, to->output, to->has_shots ? &to->shots : NULL, &kept);
	if (status == SONDE_OK)
		status = kept_end(&kept, add_samples(&average, samples, first, &kept));
	if (status == SONDE_OK) {
		note_number(&average, samples);
		status = average_deliver(&average, result);
	}
	result->seconds = kept.earlier;
	kept_free(&kept);
	average_free(&average);
	return status;
}

static sonde_status compute_samples(sonde_context *context, struct samples *samples,
				    const sonde_pattern_options *options, struct destination *to,
				    struct pattern_plan *plan, sonde_pattern_result *result)
{
	const struct sample *sample;

	CHECK(average_check(options));
	CHECK(partials_check(options, true));
	CHECK(samples_check_blocks(options->error_blocks, samples_are_frames(samples), samples_count(samples)));
	CHECK(samples_next(samples, &sample));
	if (sample == NULL)
		return status_fail_option(SONDE_INVALID, "frames", "%s has fewer frames, none of them in this range",
					  samples_source(samples));
	const sonde_status status = pattern_plan_make(context, sample->atoms, options, plan);
	if (status != SONDE_OK)
		return samples_prefix(samples, sample, status);
	CHECK(average_choose(context, samples_count(samples), plan));
	if (options->shots > 0)
		CHECK(begin_shots(context, plan, samples_count(samples), to));
	CHECK(begin(context, sample->atoms, plan, result));
	CHECK(average_samples(context, samples, sample, plan, to, result));
	CHECK(describe_samples(samples, result));
	result->provenance->options = plan->options;
	return SONDE_OK;
}

/* Runs ----------------------------------------------------------------------------------------------------------- */

/* Of atoms, or of samples. The result of shots is in their file when this returns. */
static sonde_status make(sonde_context *context, const sonde_atoms *atoms, struct samples *samples,
			 const sonde_pattern_options *options, struct destination *to, sonde_pattern_result *result)
{
	const double began = clock_seconds();
	struct pattern_plan *plan;

	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	result->options = &result->provenance->options;
	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	sonde_status status;
	if (samples != NULL) {
		status = compute_samples(context, samples, options, to, plan, result);
	} else {
		status = pattern_plan_make(context, atoms, options, plan);
		if (status == SONDE_OK)
			status = compute(context, atoms, plan, to, result);
	}
	provenance_end(context, &result->provenance->run);
	result->seconds += clock_seconds() - began;
	if (status == SONDE_OK && context_writes(context)) {
		take_pixels(plan, result);
		status = response_apply(context_threads(context), result);
		if (status == SONDE_OK && to->has_shots)
			status = shots_finish(&to->shots, result);
	}
	if (to->has_shots) {
		shots_free(&to->shots);
		turns_free(&to->turns);
	}
	pattern_plan_free(plan);
	free(plan);
	return status;
}

static sonde_status run_once(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			     struct destination *to, sonde_pattern_result **result)
{
	CHECK(memory_allocate(result, 1, sizeof **result, "the result"));
	const sonde_status status = make(context, atoms, NULL, options, to, *result);
	if (status != SONDE_OK)
		sonde_pattern_result_free(result);
	return status;
}

/* Whether a device failed. Others report that the atoms are not in their memory. */
static bool is_failure_of_device(sonde_status status)
{
	return status == SONDE_RESOURCE || status == SONDE_INTERNAL;
}

static sonde_status run_to(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			   struct destination *to, sonde_pattern_result **result)
{
	*result = NULL;
	if (context == NULL || atoms == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	if (to->output != NULL) /* whose checkpoint has a digest of the positions */
		CHECK(atoms_need_positions(atoms));
	const sonde_status status = run_once(context, atoms, options, to, result);
	if (!is_failure_of_device(status) || !atoms_are_resident(atoms))
		return status;
	/* the GPU that has the atoms has failed */
	CHECK(atoms_need_positions(atoms));
	return run_once(context, atoms, options, to, result);
}

sonde_status pattern_run_to(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			    const char *output, bool overwrite, sonde_pattern_result **result)
{
	struct destination to = {.output = output, .overwrite = overwrite, .shots = {.file = -1}};

	return run_to(context, atoms, options, &to, result);
}

sonde_status sonde_pattern_run(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			       sonde_pattern_result **result)
{
	return pattern_run_to(context, atoms, options, NULL, false, result);
}

sonde_status sonde_pattern_run_shots(sonde_context *context, const sonde_atoms *atoms,
				     const sonde_pattern_options *options, const char *path, int overwrite,
				     sonde_pattern_result **result)
{
	struct destination to = {
	    .output = path, .overwrite = overwrite != 0, .only_shots = true, .shots = {.file = -1}};

	if (path == NULL)
		return status_fail(SONDE_INVALID, "a file is needed, its name is null");
	const sonde_status status = run_to(context, atoms, options, &to, result);
	if (status == SONDE_OK)
		checkpoint_remove(path);
	return status;
}

struct samples_choice pattern_samples_choice(const sonde_pattern_options *options, const char *path,
					     const sonde_build_options *build)
{
	return (struct samples_choice){path, build, options->frames, options->topology, options->error_blocks};
}

sonde_status pattern_run_samples(sonde_context *context, const sonde_pattern_options *options,
				 struct samples *samples, const char *output, bool overwrite,
				 sonde_pattern_result **result)
{
	struct destination to = {.output = output, .overwrite = overwrite, .shots = {.file = -1}};

	CHECK(memory_allocate(result, 1, sizeof **result, "the result"));
	const sonde_status status = make(context, NULL, samples, options, &to, *result);
	if (status != SONDE_OK)
		sonde_pattern_result_free(result);
	return status;
}

static sonde_status run_file(sonde_context *context, const char *path, const sonde_pattern_options *options,
			     sonde_pattern_result **result)
{
	const struct samples_choice choice = pattern_samples_choice(options, path, NULL);
	struct samples *samples = NULL;

	sonde_status status = samples_open(context, &choice, false, &samples);
	if (status == SONDE_OK)
		status = pattern_run_samples(context, options, samples, NULL, false, result);
	samples_close(&samples);
	return status;
}

sonde_status sonde_pattern_run_samples(sonde_context *context, const char *path, const sonde_pattern_options *given,
				       sonde_pattern_result **result)
{
	sonde_pattern_options *options;

	*result = NULL;
	if (context == NULL || path == NULL || given == NULL)
		return status_fail(SONDE_INVALID, "context, path and options are needed, one of them is null");
	CHECK(memory_allocate(&options, 1, sizeof *options, "the options"));
	sonde_status status = options_complete(&pattern_option_table, given, options);
	if (status == SONDE_OK)
		status = options_check(&pattern_option_table, options);
	if (status == SONDE_OK)
		status = run_file(context, path, options, result);
	free(options);
	return status;
}

void sonde_pattern_result_free(sonde_pattern_result **result)
{
	sonde_pattern_result *r = result != NULL ? *result : NULL;

	if (r == NULL)
		return;
	for (int axis = 0; axis < 3; ++axis)
		free(r->axes[axis]);
	free(r->vectors);
	free(r->intensity);
	free(r->real);
	free(r->imaginary);
	free(r->masked);
	free(r->counts);
	free(r->standard_error);
	free(r->partial_label);
	free(r->partial_real);
	free(r->partial_imaginary);
	free(r->partial_errors);
	free(r->error_q);
	free(r->amplitude_errors);
	free(r->partial_amplitude_errors);
	if (r->provenance != NULL) {
		provenance_free(&r->provenance->run);
		free(r->provenance->composition);
		free(r->provenance->amplitudes);
	}
	free(r->provenance);
	free(r);
	*result = NULL;
}
