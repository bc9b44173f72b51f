/* Runs: plan, sums, check, result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/threads.h"
#include "pattern/detector/response.h"
#include "pattern/fast/fast.h"
#include "pattern/pattern.h"

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

struct placing {
	const struct pattern_plan *plan;
	sonde_pattern_result *result;
};

static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		double vector[3];
		(void)pattern_pixel(&placing->plan->pixels, n, vector);
		pattern_place(&placing->plan->sample, vector, &placing->result->real[n],
			      &placing->result->imaginary[n]);
	}
}

/* With the phase of the sample's positions, if they are wanted. */
static void finish_amplitudes(const sonde_context *context, const struct pattern_plan *plan,
			      sonde_pattern_result *result)
{
	struct placing placing = {plan, result};
	const int threads = context_threads(context);

	if (plan->options.amplitude) {
		threads_for(threads, result->count, threads_grain(threads, result->count), place_some, &placing);
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

static sonde_status sum_directly(sonde_context *context, const struct pattern_plan *plan,
				 const struct pattern_values *values, sonde_pattern_result *result)
{
	CHECK(pattern_sums(context, plan, values));
	return pattern_error(context, plan, values, &result->largest_error, &result->checked_points);
}

static sonde_status compute(sonde_context *context, const sonde_atoms *atoms, struct pattern_plan *plan,
			    sonde_pattern_result *result)
{
	struct sonde_pattern_provenance *provenance = result->provenance;
	const size_t count = (size_t)plan->pixels.count;

	result->count = plan->pixels.count;
	result->wavelength = plan->pixels.wavelength;
	result->atom_count = plan->sample.view.count;
	result->atoms_present = plan->sample.present;
	CHECK(describe_sample(&plan->sample, &provenance->composition));
	CHECK(describe_amplitudes(plan, &provenance->amplitudes));
	CHECK(memory_allocate(&result->intensity, count, sizeof(double), "the pattern"));
	CHECK(memory_allocate(&result->real, count, sizeof(double), "the pattern"));
	CHECK(memory_allocate(&result->imaginary, count, sizeof(double), "the pattern"));
	CHECK(pattern_expect(context, plan)); /* short runs stay on the CPU */
	CHECK(provenance_make(context, atoms->source.bytes, atoms->sha256, &provenance->run));
	const struct pattern_values values = {result->intensity, result->real, result->imaginary};
	CHECK(plan->fast.chosen ? fast_run(context, plan, &values, &result->largest_error, &result->checked_points)
				: sum_directly(context, plan, &values, result));
	finish_amplitudes(context, plan, result);
	take_pixels(plan, result);
	provenance->options = plan->options;
	return response_apply(context_threads(context), result);
}

static sonde_status make(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			 sonde_pattern_result *result)
{
	const double began = clock_seconds();
	struct pattern_plan *plan;

	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	result->options = &result->provenance->options;
	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	sonde_status status = pattern_plan_make(context, atoms, options, plan);
	if (status == SONDE_OK)
		status = compute(context, atoms, plan, result);
	pattern_plan_free(plan);
	free(plan);
	result->provenance->run.peak_memory = memory_peak();
	result->seconds = clock_seconds() - began;
	return status;
}

sonde_status sonde_pattern_run(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			       sonde_pattern_result **result)
{
	*result = NULL;
	if (context == NULL || atoms == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	CHECK(memory_allocate(result, 1, sizeof **result, "the result"));
	const sonde_status status = make(context, atoms, options, *result);
	if (status != SONDE_OK)
		sonde_pattern_result_free(result);
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
	if (r->provenance != NULL) {
		provenance_free(&r->provenance->run);
		free(r->provenance->composition);
		free(r->provenance->amplitudes);
	}
	free(r->provenance);
	free(r);
	*result = NULL;
}
