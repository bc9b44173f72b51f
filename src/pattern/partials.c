/* F = sum over parts s of F_s, the sums over the atoms of a label or block alone: those of a sample in which the others are absent. */
#include "pattern/partials.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atom_blocks.h"
#include "pattern/compute.h"
#include "pattern/errors/error_table.h"

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

_Static_assert(ATOM_GROUP_NAME == SONDE_LABEL_SIZE, "names of parts are as long as labels");

/* The part of the sample to which each atom belongs. */
struct parts {
	const sonde_atoms *atoms;
	int *of_species;           /* part of each species; null: blocks */
	struct atom_blocks blocks; /* else empty */
};

static int part_of(const struct parts *parts, int64_t atom)
{
	return parts->of_species != NULL ? parts->of_species[parts->atoms->species_of[atom]]
					 : atom_blocks_of(&parts->blocks, atom);
}

/* Classes of a label follow each other. */
static sonde_status find_labels(const struct pattern_sample *sample, struct parts *parts,
				sonde_pattern_result *result)
{
	const sonde_atoms *atoms = parts->atoms;

	CHECK(memory_allocate(&parts->of_species, (size_t)atoms->species_count, sizeof(int), "the parts"));
	CHECK(memory_allocate(&result->partial_label, (size_t)sample->class_count, SONDE_LABEL_SIZE, "the result"));
	for (int c = 0; c < sample->class_count; ++c) {
		const char *label = sample->classes[c].label;
		if (c > 0 && strcmp(label, sample->classes[c - 1].label) == 0)
			continue;
		for (int s = 0; s < atoms->species_count; ++s)
			if (strcmp(atoms->species[s].label, label) == 0)
				parts->of_species[s] = result->partial_count;
		strcpy(result->partial_label[result->partial_count++], label);
	}
	return SONDE_OK;
}

static sonde_status find_blocks(const sonde_pattern_options *options, struct parts *parts,
				sonde_pattern_result *result)
{
	static const enum atom_grouping groupings[] = {[SONDE_PATTERN_PARTIALS_BLOCK] = ATOM_BLOCK,
						       [SONDE_PATTERN_PARTIALS_CHAIN] = ATOM_CHAIN,
						       [SONDE_PATTERN_PARTIALS_RESIDUE] = ATOM_RESIDUE};

	CHECK(atom_blocks_find(parts->atoms, groupings[options->partials], options->copy_atoms, &parts->blocks));
	const size_t count = (size_t)parts->blocks.count;
	CHECK(memory_allocate(&result->partial_label, count, SONDE_LABEL_SIZE, "the result"));
	memcpy(result->partial_label, parts->blocks.names, count * SONDE_LABEL_SIZE);
	result->partial_count = parts->blocks.count;
	return SONDE_OK;
}

/* Of the atoms that are present, with the options of `model`. */
static sonde_status compute_present(sonde_context *context, const sonde_atoms *atoms,
				    const struct pattern_plan *model, const struct pattern_values *values,
				    double *error, double *errors)
{
	struct pattern_plan *plan;
	int64_t checked;

	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	context_mute(context, true);
	sonde_status status = pattern_plan_of_part(context, atoms, model, plan);
	if (status == SONDE_OK)
		status = pattern_compute_checked(context, plan, values, error, &checked);
	context_mute(context, false);
	if (status == SONDE_OK) {
		pattern_place_amplitudes(context, plan, values);
		error_table_of_part(&plan->sample, &plan->pixels, *error, errors);
	}
	pattern_plan_free(plan);
	free(plan);
	return status;
}

/* Parts whose atoms are all absent, by occupancies of 0, scatter nothing. */
static sonde_status compute_parts(sonde_context *context, const struct pattern_plan *plan, const struct parts *parts,
				  struct pattern_plan *model, double *occupancies, double *intensity,
				  sonde_pattern_result *result)
{
	const sonde_atoms *atoms = parts->atoms;
	const size_t pixels = (size_t)plan->pixels.count;
	sonde_atoms present = *atoms; /* which owns nothing */

	*model = *plan;
	model->options.labels[0] = '\0'; /* the atoms have the new ones */
	present.occupancies = occupancies;
	for (int p = 0; p < result->partial_count; ++p) {
		const struct pattern_values values = {intensity, result->partial_real + (size_t)p * pixels,
						      result->partial_imaginary + (size_t)p * pixels};
		bool some = false;
		for (int64_t i = 0; i < atoms->count; ++i) {
			const double occupancy = atoms->occupancies != NULL ? atoms->occupancies[i] : 1.0;
			occupancies[i] = part_of(parts, i) == p ? occupancy : 0.0;
			some = some || occupancies[i] > 0.0;
		}
		if (some)
			CHECK(compute_present(context, &present, model, &values, &result->partial_errors[p],
					      result->partial_amplitude_errors + p * PATTERN_ERROR_NODES));
	}
	return SONDE_OK;
}

static sonde_status allocate(const sonde_context *context, const struct pattern_plan *plan,
			     sonde_pattern_result *result)
{
	const size_t numbers = (size_t)plan->pixels.count * (size_t)result->partial_count;
	const double needed = 2.0 * sizeof(double) * (double)numbers, allowed = (double)context_host_memory(context);

	if (needed > allowed)
		return status_fail(
		    SONDE_RESOURCE,
		    "amplitudes of %d parts at %lld points need about %.3g MB of main memory, but %.3g MB are "
		    "allowed or free",
		    result->partial_count, (long long)plan->pixels.count, 1e-6 * needed, 1e-6 * allowed);
	CHECK(memory_allocate(&result->partial_errors, (size_t)result->partial_count, sizeof(double),
			      "the amplitudes"));
	CHECK(memory_allocate(&result->partial_amplitude_errors, (size_t)result->partial_count * PATTERN_ERROR_NODES,
			      sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&result->partial_real, numbers, sizeof(double), "the amplitudes"));
	return memory_allocate(&result->partial_imaginary, numbers, sizeof(double), "the amplitudes");
}

static sonde_status compute(sonde_context *context, const struct pattern_plan *plan, struct parts *parts,
			    sonde_pattern_result *result)
{
	const sonde_pattern_options *options = &plan->options;
	double *occupancies = NULL, *intensity = NULL;
	struct pattern_plan *model = NULL;
	sonde_status status;

	CHECK(options->partials == SONDE_PATTERN_PARTIALS_SPECIES ? find_labels(&plan->sample, parts, result)
								  : find_blocks(options, parts, result));
	CHECK(allocate(context, plan, result));
	CHECK_GOTO(status, memory_allocate(&model, 1, sizeof *model, "the plan"), done);
	CHECK_GOTO(status, memory_allocate(&intensity, (size_t)plan->pixels.count, sizeof(double), "the amplitudes"),
		   done);
	CHECK_GOTO(status,
		   memory_allocate(&occupancies, (size_t)parts->atoms->count, sizeof(double), "the amplitudes"),
		   done);
	status = compute_parts(context, plan, parts, model, occupancies, intensity, result);
done:
	free(model);
	free(intensity);
	free(occupancies);
	return status;
}

sonde_status partials_compute(sonde_context *context, const struct pattern_plan *plan, sonde_pattern_result *result)
{
	struct parts parts = {.atoms = &plan->relabeled.atoms};

	const sonde_status status = compute(context, plan, &parts, result);
	free(parts.of_species);
	atom_blocks_free(&parts.blocks);
	return status;
}
