/* A run from sample to result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "debye/curves/comparison.h"
#include "debye/curves/compton.h"
#include "debye/curves/contrast.h"
#include "debye/classes/copies.h"
#include "debye/classes/resident.h"
#include "debye/sums/counts.h"
#include "debye/curves/derived_curves.h"
#include "debye/motion/displacement.h"
#include "debye/motion/motion.h"
#include "debye/sums/prepared.h"
#include "debye/curves/resolved_curve.h"
#include "run/checkpoint.h"
#include "run/unfinished.h"

#define ARRANGING_BYTES 64.0 /* per atom */

static sonde_status allocate_reals(double **array, int64_t count)
{
	return memory_allocate(array, (size_t)count, sizeof **array, "the result");
}

sonde_status debye_allocate_curves(sonde_debye_result *result)
{
	int64_t n = result->q_count, pairs = result->pair_count;

	CHECK(allocate_reals(&result->q, n));
	CHECK(allocate_reals(&result->intensity, n));
	CHECK(allocate_reals(&result->intensity_per_atom, n));
	CHECK(allocate_reals(&result->error_estimate, n));
	CHECK(allocate_reals(&result->error_bound, n));
	CHECK(allocate_reals(&result->mean_square_amplitude, n));
	CHECK(allocate_reals(&result->square_mean_amplitude, n));
	CHECK(allocate_reals(&result->structure_factor, n));
	CHECK(allocate_reals(&result->reduced_structure_factor, n));
	CHECK(allocate_reals(&result->r, result->r_count));
	CHECK(allocate_reals(&result->pair_distribution, result->r_count));
	CHECK(allocate_reals(&result->partial_intensity, pairs * n));
	CHECK(allocate_reals(&result->partial_intensity_error, pairs * n));
	CHECK(allocate_reals(&result->partial_structure_factor_error, pairs * n));
	return allocate_reals(&result->partial_structure_factor, pairs * n);
}

static sonde_status describe_species(const struct debye_classes *classes, sonde_debye_result *result)
{
	int species = classes->species_count, pairs = species_pair_count(species);

	result->species_count = species;
	result->pair_count = pairs;
	result->atoms_present = classes->present;
	CHECK(memory_allocate(&result->species_label, (size_t)species, SONDE_LABEL_SIZE, "the result"));
	CHECK(memory_allocate(&result->species_atoms, (size_t)species, sizeof(int64_t), "the result"));
	CHECK(memory_allocate(&result->species_present, (size_t)species, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->pair_a, (size_t)pairs, sizeof(int), "the result"));
	CHECK(memory_allocate(&result->pair_b, (size_t)pairs, sizeof(int), "the result"));
	CHECK(memory_allocate(&result->pair_pairs, (size_t)pairs, sizeof(int64_t), "the result"));
	for (int c = 0; c < classes->count; ++c) {
		int s = classes->species[c];
		strcpy(result->species_label[s], classes->view.species[c].label);
		result->species_atoms[s] += classes->view.species[c].atoms;
		result->species_present[s] += classes->occupancy[c] * (double)classes->view.species[c].atoms;
	}
	for (int a = 0; a < species; ++a) {
		for (int b = a; b < species; ++b) {
			int64_t m = result->species_atoms[a], n = result->species_atoms[b];
			int pair = species_pair_index(species, a, b);
			result->pair_a[pair] = a;
			result->pair_b[pair] = b;
			result->pair_pairs[pair] = a == b ? m * (m - 1) / 2 : m * n;
		}
	}
	return SONDE_OK;
}

static sonde_status describe_blocks(const struct debye_classes *classes, sonde_debye_result *result)
{
	const size_t count = (size_t)classes->blocks.count;

	result->block_count = classes->blocks.count;
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&result->block_label, count, sizeof *result->block_label, "the result"));
	CHECK(memory_allocate(&result->block_atoms, count, sizeof *result->block_atoms, "the result"));
	for (size_t b = 0; b < count; ++b)
		strcpy(result->block_label[b], classes->blocks.names[b]);
	for (int c = 0; c < classes->count; ++c)
		result->block_atoms[classes->block[c]] +=
		    classes->occupancy[c] * (double)classes->view.species[c].atoms;
	const int64_t numbers = species_pair_count(result->block_count) * result->q_count;
	CHECK(allocate_reals(&result->block_intensity_error, numbers));
	return allocate_reals(&result->block_intensity, numbers);
}

static sonde_status describe_origin(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				    sonde_debye_result *result)
{
	struct sonde_debye_provenance *provenance;

	CHECK(memory_allocate(&result->provenance, 1, sizeof *provenance, "the result"));
	provenance = result->provenance;
	provenance->table = plan->table;
	provenance->options = plan->options;
	result->options = &provenance->options;
	if (plan->options.form_factors[0] != '\0')
		CHECK(file_sha256(plan->options.form_factors, NULL, NULL, provenance->form_factors_sha256));
	CHECK(allocate_reals(&provenance->mean_amplitude, 2 * plan->options.q.points));
	return provenance_make(context, atoms->source.bytes, atoms->sha256, &provenance->run);
}

static sonde_status prepare_result(sonde_context *context, const struct debye_classes *classes,
				   const struct debye_plan *plan, sonde_debye_result *result)
{
	result->atom_count = classes->atoms;
	result->q_count = plan->options.q.points;
	result->r_count = plan->points.count > 1 ? plan->options.r.points : 0;
	result->bin_width = plan->bin_width;
	result->bin_count = plan->bin_count;
	CHECK(describe_species(classes, result));
	CHECK(describe_blocks(classes, result));
	CHECK(describe_origin(context, &classes->view, plan, result));
	CHECK(debye_allocate_curves(result));
	for (int64_t k = 0; k < result->q_count; ++k)
		result->q[k] = plan->points.q[k];
	if (plan->points.two_theta == NULL)
		return SONDE_OK;
	CHECK(allocate_reals(&result->two_theta, plan->points.count));
	memcpy(result->two_theta, plan->points.two_theta, (size_t)plan->points.count * sizeof(double));
	return SONDE_OK;
}

/* Of the summed atoms of the classes, or of those of another structure. */
static sonde_status sum_pairs(sonde_context *context, const struct debye_classes *classes, const sonde_atoms *atoms,
			      const struct debye_plan *plan, const struct arranged_atoms *early,
			      struct pair_sums *sums)
{
	const int method = plan->options.method;

	if (method == SONDE_DEBYE_METHOD_HISTOGRAM || method == SONDE_DEBYE_METHOD_LATTICE)
		CHECK(memory_allocate(&sums->errors, (size_t)species_pair_count(sums->species), sizeof *sums->errors,
				      "the error estimate"));
	switch (method) {
	case SONDE_DEBYE_METHOD_HISTOGRAM:
		return histogram_pair_sums(context, atoms, plan, early, sums);
	case SONDE_DEBYE_METHOD_LATTICE:
		return lattice_pair_sums(context, classes, plan, sums);
	case SONDE_DEBYE_METHOD_REFERENCE:
		return reference_pair_sums(context, atoms, sums);
	default:
		if (sums->periodic != NULL)
			return exact_image_sums(context, atoms, plan, sums);
		return exact_pair_sums(context, atoms, plan->options.precision == SONDE_DEBYE_PRECISION_FLOAT32,
				       sums);
	}
}

/* The pairs within one copy of another structure, by the method of the plan: its distances are its own. */
static sonde_status sum_structure(sonde_context *context, const struct debye_classes *classes,
				  const struct debye_plan *plan, int number, struct pair_sums *sums)
{
	const sonde_atoms atoms = debye_structure_atoms(classes, number);
	struct arranged_atoms early = {0};
	struct debye_plan own;

	CHECK(debye_plan_for_structure(context, &atoms, plan, &own));
	CHECK(memory_allocate(&sums->sums, (size_t)species_pair_count(sums->species) * (size_t)sums->q.points,
			      sizeof(double), "the sums"));
	return sum_pairs(context, classes, &atoms, &own, &early, sums);
}

/* From the pairs within the first copy of the largest structure to those within all copies of all structures. */
static sonde_status sum_structures(sonde_context *context, const struct debye_classes *classes,
				   const struct debye_plan *plan, struct pair_sums *sums)
{
	if (classes->structure_count > 0)
		debye_copies_scale(classes, classes->largest, sums);
	for (int s = 0; s < classes->structure_count; ++s) {
		struct pair_motion law;
		struct pair_sums more = {.q = sums->q,
					 .q_values = sums->q_values,
					 .species = sums->species,
					 .motion = debye_structure_motion(classes, s, &law),
					 .unfinished = sums->unfinished};
		if (s == classes->largest)
			continue;
		unfinished_set_number(sums->unfinished, s + 1);
		const sonde_status status = sum_structure(context, classes, plan, s, &more);
		if (status == SONDE_OK) {
			debye_copies_scale(classes, s, &more);
			debye_copies_include(classes, &more, sums);
		}
		free(more.sums);
		free(more.errors);
		CHECK(status);
	}
	return SONDE_OK;
}

/* The sums that have been made before. */
static sonde_status take_sums(const struct given_sums *given, struct pair_sums *sums)
{
	const size_t pairs = (size_t)species_pair_count(sums->species);

	CHECK(memory_allocate(&sums->errors, pairs, sizeof *sums->errors, "the error estimate"));
	memcpy(sums->errors, given->errors, pairs * sizeof *sums->errors);
	memcpy(sums->sums, given->sums, pairs * (size_t)sums->q.points * sizeof *sums->sums);
	return SONDE_OK;
}

/* Work that can be done while a GPU is starting: values of the self-test, the processor's kernel for lists of distances and
 * its own self-test, and the order of the atoms. */
static sonde_status use_the_time(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				 struct arranged_atoms *early)
{
	const bool histogram = plan->options.method == SONDE_DEBYE_METHOD_HISTOGRAM;

	if (!context_is_starting(context) || early->size > 0)
		return SONDE_OK;
	debye_self_test_prepare(histogram);
	if (histogram || plan->options.method == SONDE_DEBYE_METHOD_LATTICE)
		sinc_list_prepare(context);
	if (!histogram || (double)atoms->count * ARRANGING_BYTES > (double)context_host_memory(context))
		return SONDE_OK;
	return histogram_arrange(context, atoms, early);
}

/* Prepares sums without damping, if G(r) needs them. `periodic` is their cell. */
static sonde_status add_undamped(struct pair_sums *sums, int64_t r_count, struct periodic *periodic,
				 struct pair_sums *undamped)
{
	if (sums->periodic == NULL || sums->periodic->damping == SONDE_DEBYE_DAMPING_NONE || r_count == 0)
		return SONDE_OK;
	*periodic = *sums->periodic;
	periodic->damping = SONDE_DEBYE_DAMPING_NONE;
	*undamped = *sums;
	undamped->periodic = periodic;
	undamped->sums = NULL;
	sums->undamped = undamped;
	return memory_allocate(&undamped->sums, (size_t)species_pair_count(sums->species) * (size_t)sums->q.points,
			       sizeof(double), "the sums");
}

/* Everything that is added to the sums over the pairs of atoms. */
static sonde_status complete_sums(sonde_context *context, const struct debye_classes *classes,
				  const struct amplitudes *amplitudes, struct pair_sums *sums)
{
	CHECK(debye_subtract_mean(context, classes, sums));
	CHECK(debye_copies_add(context, classes, sums));
	CHECK(debye_add_joint(context, classes, sums));
	displacements_damp(classes, amplitudes, sums->q.points, 1, sums);
	return sums->undamped != NULL ? complete_sums(context, classes, amplitudes, sums->undamped) : SONDE_OK;
}

sonde_status debye_carry_out(sonde_context *context, struct prepared_sample *prepared, double began,
			     sonde_debye_result **result)
{
	const struct debye_classes *classes = &prepared->classes;
	struct debye_plan *plan = &prepared->plan;
	struct arranged_atoms *early = &prepared->early;
	const sonde_atoms *atoms = &classes->summed;
	struct pair_sums sums = {.species = atoms->species_count}, undamped = {0};
	struct periodic undamped_cell;
	struct amplitudes amplitudes = {0};
	struct pair_counts counts = {0};
	double *reduced = NULL;
	sonde_status status;

	sums.q = plan->options.q;
	sums.periodic = plan->periodic.on ? &plan->periodic : NULL;
	sums.motion = classes->motion;
	sums.unfinished = plan->unfinished;
	if (prepared->given == NULL) {
		CHECK_GOTO(status, use_the_time(context, atoms, plan, early), done);
		CHECK_GOTO(status, debye_plan_settle(context, atoms, plan), done);
		/* for want of memory the method may be another one now */
		if (!resident_method(plan) && atoms_are_resident(atoms))
			CHECK_GOTO(status, resident_bring(&prepared->classes), done);
	}
	CHECK_GOTO(status, amplitudes_make(context, classes, plan, &amplitudes), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "the result"), done);
	CHECK_GOTO(status, prepare_result(context, classes, plan, *result), done);
	CHECK_GOTO(status,
		   memory_allocate(&sums.sums, (size_t)species_pair_count(sums.species) * (size_t)sums.q.points,
				   sizeof(double), "the sums"),
		   done);
	if (!plan->points.uniform)
		sums.q_values = (*result)->q;
	if (plan->options.counts) {
		CHECK_GOTO(status, pair_counts_make(classes, plan, &counts), done);
		sums.counts = &counts;
	}
	CHECK_GOTO(status, add_undamped(&sums, (*result)->r_count, &undamped_cell, &undamped), done);
	if (prepared->given != NULL) {
		CHECK_GOTO(status, take_sums(prepared->given, &sums), done);
	} else {
		CHECK_GOTO(status, sum_pairs(context, classes, atoms, plan, early, &sums), done);
		CHECK_GOTO(status, sum_structures(context, classes, plan, &sums), done);
	}
	if (plan->options.counts)
		CHECK_GOTO(status, pair_counts_deliver(classes, &counts, *result), done);
	CHECK_GOTO(status, complete_sums(context, classes, &amplitudes, &sums), done);
	CHECK_GOTO(status, debye_curves(context, classes, &amplitudes, &sums, *result), done);
	if (sums.undamped != NULL)
		CHECK_GOTO(status, debye_undamped_curve(classes, &amplitudes, sums.undamped, *result, &reduced),
			   done);
	CHECK_GOTO(status, debye_errors(context, classes, plan, &amplitudes, &sums, *result), done);
	CHECK_GOTO(status, compton_make(*result), done);
	CHECK_GOTO(status, resolved_curve_make(context, plan, *result), done);
	resolved_curve_trim(plan, *result);
	CHECK_GOTO(status, debye_distribution(context, reduced, prepared->sines, *result), done);
	CHECK_GOTO(status, derived_curves_make(*result), done);
	CHECK_GOTO(status, contrast_make_absolute(classes, *result), done);
	CHECK_GOTO(status, comparison_make(context, &plan->points.measured, *result), done);
	(*result)->seconds = clock_seconds() - began;
	provenance_end(context, &(*result)->provenance->run);
done:
	pair_counts_free(&counts);
	free(sums.sums);
	free(undamped.sums);
	free(reduced);
	free(sums.errors);
	amplitudes_free(&amplitudes);
	if (status != SONDE_OK)
		sonde_debye_result_free(result);
	return status;
}

/* Lines by which the job of a checkpoint is compared, in addition to the options. */
static sonde_status describe_sample(const struct prepared_sample *prepared, struct text *lines)
{
	const sonde_atoms *atoms = &prepared->classes.summed;
	const size_t count = (size_t)atoms->count;
	const sonde_debye_options *options = &prepared->plan.options;
	const char *const files[] = {options->form_factors, options->placements};
	char sha256[65];

	for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
		if (files[k][0] != '\0') {
			CHECK(file_sha256(files[k], NULL, NULL, sha256));
			text_append(lines, "sha256 of %s = %s\n", files[k], sha256);
		}
	for (int s = 0; s < atoms->species_count; ++s)
		text_append(lines, "atoms %d = %lld %s\n", s + 1, (long long)atoms->species[s].atoms,
			    atoms->species[s].label);
	text_append(lines, "bins = %lld of %.17g Angstrom\n", (long long)prepared->plan.bin_count,
		    prepared->plan.bin_width);
	checkpoint_append_digest(lines, "points", prepared->plan.points.q,
				 (size_t)prepared->plan.points.count * sizeof(double));
	checkpoint_append_digest(lines, "positions of the sample", atoms->positions,
				 3 * count * sizeof *atoms->positions);
	for (int s = 0; s < prepared->classes.structure_count; ++s) {
		const sonde_atoms structure = debye_structure_atoms(&prepared->classes, s);
		checkpoint_append_digest(lines, "positions of a structure", structure.positions,
					 3 * (size_t)structure.count * sizeof *structure.positions);
	}
	return text_status(lines);
}

/* Where the sums are kept. Methods that take moments have nothing to keep. */
static sonde_status begin_unfinished(sonde_context *context, const sonde_debye_options *options, const char *output,
				     struct prepared_sample *prepared)
{
	struct text lines = {0};
	sonde_debye_options *complete;

	if (options->resume && output == NULL)
		return status_fail_option(SONDE_INVALID, "resume",
					  "no file to resume from is given; name it by `output`");
	if (output == NULL || prepared->classes.summed.positions == NULL)
		return options->resume ? status_fail_option(SONDE_INVALID, "resume",
							    "a lattice without a list of atoms takes "
							    "moments, and leaves no checkpoint")
				       : SONDE_OK;
	CHECK(memory_allocate(&complete, 1, sizeof *complete, "the options"));
	sonde_status status = options_complete(&debye_option_table, options, complete);
	if (status == SONDE_OK)
		status = describe_sample(prepared, &lines);
	const struct unfinished_job job = {&debye_option_table, complete, &lines};
	if (status == SONDE_OK)
		status = unfinished_begin(context, &job, output, &prepared->plan.unfinished);
	free(complete);
	text_free(&lines);
	return status;
}

sonde_status debye_run_sample(sonde_context *context, const sonde_atoms *atoms, const sonde_lattice *lattice,
			      const sonde_debye_options *options, const char *output, sonde_debye_result **result)
{
	const double began = clock_seconds();
	struct prepared_sample prepared = {0};

	*result = NULL;
	if (atoms != NULL && output != NULL) /* whose checkpoint has a digest of the positions */
		CHECK(atoms_need_positions(atoms));
	sonde_status status =
	    debye_prepare(context, atoms, lattice, options, false, &prepared.classes, &prepared.plan);
	if (status == SONDE_OK)
		status = begin_unfinished(context, &prepared.plan.options, output, &prepared);
	if (status == SONDE_OK)
		status = debye_carry_out(context, &prepared, began, result);
	status = unfinished_end(&prepared.plan.unfinished, status);
	debye_prepared_free(&prepared);
	return status;
}

sonde_status sonde_debye_run(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			     sonde_debye_result **result)
{
	*result = NULL;
	if (context == NULL || atoms == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	return debye_run_sample(context, atoms, NULL, options, NULL, result);
}

sonde_status sonde_debye_run_lattice(sonde_context *context, const sonde_lattice *lattice,
				     const sonde_debye_options *options, sonde_debye_result **result)
{
	*result = NULL;
	if (context == NULL || lattice == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, lattice and options are needed, one of them is null");
	return debye_run_sample(context, NULL, lattice, options, NULL, result);
}

void sonde_debye_result_free(sonde_debye_result **result)
{
	sonde_debye_result *r = result != NULL ? *result : NULL;

	if (r == NULL)
		return;
	void *arrays[] = {r->q,
			  r->intensity,
			  r->intensity_per_atom,
			  r->error_estimate,
			  r->error_bound,
			  r->mean_square_amplitude,
			  r->square_mean_amplitude,
			  r->structure_factor,
			  r->reduced_structure_factor,
			  r->r,
			  r->pair_distribution,
			  r->species_label,
			  r->species_atoms,
			  r->species_present,
			  r->pair_a,
			  r->pair_b,
			  r->pair_pairs,
			  r->partial_intensity,
			  r->partial_structure_factor,
			  r->counted_pairs,
			  r->counted_distances,
			  r->radial_distribution,
			  r->partial_radial_distribution,
			  r->pair_correlation,
			  r->running_coordination,
			  r->partial_running_coordination,
			  r->intensity_corrected,
			  r->structure_factor_nn,
			  r->structure_factor_nc,
			  r->structure_factor_cc,
			  r->differential_correlation,
			  r->total_correlation,
			  r->two_theta,
			  r->standard_error,
			  r->structure_factor_standard_error,
			  r->reduced_structure_factor_standard_error,
			  r->pair_distribution_standard_error,
			  r->partial_intensity_standard_error,
			  r->partial_structure_factor_standard_error,
			  r->radial_distribution_standard_error,
			  r->running_coordination_standard_error,
			  r->partial_radial_distribution_standard_error,
			  r->partial_running_coordination_standard_error,
			  r->sample_weights,
			  r->intensity_resolved,
			  r->intensity_absolute,
			  r->intensity_compton,
			  r->intensity_total,
			  r->block_label,
			  r->block_atoms,
			  r->block_intensity,
			  r->laue,
			  r->intensity_without_laue,
			  r->intensity_resolved_standard_error,
			  r->intensity_absolute_standard_error,
			  r->block_intensity_standard_error,
			  r->partial_intensity_error,
			  r->partial_structure_factor_error,
			  r->block_intensity_error,
			  r->intensity_resolved_error};
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		free(arrays[k]);
	comparison_free(&r->comparison);
	if (r->provenance != NULL) {
		provenance_free(&r->provenance->run);
		free(r->provenance->mean_amplitude);
		free(r->provenance->samples);
	}
	free(r->provenance);
	free(r);
	*result = NULL;
}
