/* F = sum over labels s of F_s, the sums over the atoms of a label alone: those of a sample in which the others are absent. */
#include "pattern/partials.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pattern/compute.h"

sonde_status partials_check(const sonde_pattern_options *options, bool mean)
{
	if (options->partials == SONDE_PATTERN_PARTIALS_NONE)
		return SONDE_OK;
	if (mean)
		return status_fail_option(
		    SONDE_INVALID, "partials",
		    "these amplitudes are those of one sample in one orientation, not of a mean");
	return options->laue_class[0] == '\0'
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "laue_class",
					"means are those of I, not of amplitudes: leave out `partials`");
}

static sonde_status list_labels(const struct pattern_sample *sample, sonde_pattern_result *result)
{
	CHECK(memory_allocate(&result->partial_label, (size_t)sample->class_count, SONDE_LABEL_SIZE, "the result"));
	for (int c = 0; c < sample->class_count; ++c) { /* classes of a label follow each other */
		const char *label = sample->classes[c].label;
		if (c == 0 || strcmp(label, sample->classes[c - 1].label) != 0)
			strcpy(result->partial_label[result->partial_count++], label);
	}
	return SONDE_OK;
}

struct placing {
	const struct pattern_plan *plan;
	double *real, *imaginary;
};

static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		double vector[3];
		(void)pattern_pixel(&placing->plan->pixels, n, vector);
		pattern_place(&placing->plan->sample, vector, &placing->real[n], &placing->imaginary[n]);
	}
}

/* Of the atoms that are present, with the options of `model`. */
static sonde_status compute_present(sonde_context *context, const sonde_atoms *atoms,
				    const struct pattern_plan *model, const struct pattern_values *values)
{
	const int threads = context_threads(context);
	struct pattern_plan *plan;

	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	context_mute(context, true);
	sonde_status status = pattern_plan_follow(context, atoms, model, plan);
	if (status == SONDE_OK)
		status = pattern_compute(context, plan, values);
	context_mute(context, false);
	if (status == SONDE_OK) {
		struct placing placing = {plan, values->real, values->imaginary};
		threads_for(threads, plan->pixels.count, threads_grain(threads, plan->pixels.count), place_some,
			    &placing);
	}
	pattern_plan_free(plan);
	free(plan);
	return status;
}

static sonde_status compute_labels(sonde_context *context, const struct pattern_plan *plan,
				   struct pattern_plan *model, double *occupancies, double *intensity,
				   sonde_pattern_result *result)
{
	const sonde_atoms *atoms = &plan->relabeled.atoms;
	const size_t pixels = (size_t)plan->pixels.count;
	sonde_atoms part = *atoms; /* which owns nothing */

	*model = *plan;
	model->options.labels[0] = '\0'; /* the atoms have the new ones */
	part.occupancies = occupancies;
	for (int p = 0; p < result->partial_count; ++p) {
		const struct pattern_values values = {intensity, result->partial_real + (size_t)p * pixels,
						      result->partial_imaginary + (size_t)p * pixels};
		for (int64_t i = 0; i < atoms->count; ++i) {
			const bool present =
			    strcmp(atoms->species[atoms->species_of[i]].label, result->partial_label[p]) == 0;
			occupancies[i] = !present ? 0.0 : atoms->occupancies != NULL ? atoms->occupancies[i] : 1.0;
		}
		CHECK(compute_present(context, &part, model, &values));
	}
	return SONDE_OK;
}

sonde_status partials_compute(sonde_context *context, const struct pattern_plan *plan, sonde_pattern_result *result)
{
	const size_t pixels = (size_t)plan->pixels.count;
	double *occupancies = NULL, *intensity = NULL;
	struct pattern_plan *model = NULL;
	sonde_status status;

	CHECK(list_labels(&plan->sample, result));
	const size_t numbers = pixels * (size_t)result->partial_count;
	CHECK(memory_allocate(&result->partial_real, numbers, sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&result->partial_imaginary, numbers, sizeof(double), "the amplitudes"));
	CHECK_GOTO(status, memory_allocate(&model, 1, sizeof *model, "the plan"), done);
	CHECK_GOTO(status, memory_allocate(&intensity, pixels, sizeof(double), "the amplitudes"), done);
	CHECK_GOTO(
	    status,
	    memory_allocate(&occupancies, (size_t)plan->relabeled.atoms.count, sizeof(double), "the amplitudes"),
	    done);
	status = compute_labels(context, plan, model, occupancies, intensity, result);
done:
	free(model);
	free(intensity);
	free(occupancies);
	return status;
}
