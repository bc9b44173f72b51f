/* A run from sample to result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "debye/copies.h"
#include "debye/counts.h"
#include "debye/derived_curves.h"
#include "debye/displacement.h"

#define ARRANGING_BYTES 64.0 /* per atom */

static sonde_status allocate_reals(double **array, int64_t count)
{
	return memory_allocate(array, (size_t)count, sizeof **array, "the result");
}

static sonde_status allocate_curves(sonde_debye_result *result)
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
	return allocate_reals(&result->block_intensity, species_pair_count(result->block_count) * result->q_count);
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
	return provenance_make(context, atoms->source.bytes, atoms->sha256, &provenance->run);
}

static sonde_status prepare_result(sonde_context *context, const struct debye_classes *classes,
				   const struct debye_plan *plan, sonde_debye_result *result)
{
	result->atom_count = classes->view.count;
	result->q_count = plan->options.q.points;
	result->r_count = plan->options.q.points > 1 ? plan->options.r.points : 0;
	result->bin_width = plan->bin_width;
	result->bin_count = plan->bin_count;
	CHECK(describe_species(classes, result));
	CHECK(describe_blocks(classes, result));
	CHECK(describe_origin(context, &classes->view, plan, result));
	CHECK(allocate_curves(result));
	for (int64_t k = 0; k < result->q_count; ++k)
		result->q[k] = q_of_point(&plan->options, k);
	return SONDE_OK;
}

static sonde_status sum_pairs(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
			      const struct arranged_atoms *early, struct pair_sums *sums)
{
	switch (plan->options.method) {
	case SONDE_DEBYE_METHOD_HISTOGRAM:
		CHECK(memory_allocate(&sums->errors, (size_t)species_pair_count(sums->species), sizeof *sums->errors,
				      "the error estimate"));
		return histogram_pair_sums(context, atoms, plan, early, sums);
	case SONDE_DEBYE_METHOD_REFERENCE:
		return reference_pair_sums(context, atoms, sums);
	default:
		return exact_pair_sums(context, atoms, plan->options.precision == SONDE_DEBYE_PRECISION_FLOAT32,
				       sums);
	}
}

/* Work that can be done while a GPU is starting. */
static sonde_status use_the_time(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				 struct arranged_atoms *early)
{
	if (!context_is_starting(context))
		return SONDE_OK;
	debye_self_test_prepare();
	if (plan->options.method != SONDE_DEBYE_METHOD_HISTOGRAM ||
	    (double)atoms->count * ARRANGING_BYTES > (double)context_host_memory(context))
		return SONDE_OK;
	return histogram_arrange(context, atoms, early);
}

/* Executes a plan for the sample that it was made for; its devices may still be starting. */
static sonde_status carry_out(sonde_context *context, const struct debye_classes *classes, struct debye_plan *plan,
			      double began, sonde_debye_result **result)
{
	const sonde_atoms *atoms = &classes->summed;
	struct pair_sums sums = {.species = atoms->species_count};
	struct amplitudes amplitudes = {0};
	struct arranged_atoms early = {0};
	struct pair_counts counts = {0};
	sonde_status status;

	sums.q = plan->options.q;
	sums.motion = classes->motion;
	CHECK_GOTO(status, use_the_time(context, atoms, plan, &early), done);
	CHECK_GOTO(status, debye_plan_settle(context, atoms, plan), done);
	CHECK_GOTO(status, amplitudes_make(context, classes, plan, &amplitudes), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "the result"), done);
	CHECK_GOTO(status, prepare_result(context, classes, plan, *result), done);
	CHECK_GOTO(status,
		   memory_allocate(&sums.sums, (size_t)species_pair_count(sums.species) * (size_t)sums.q.points,
				   sizeof(double), "the sums"),
		   done);
	if (q_is_by_angle(&plan->options))
		sums.q_values = (*result)->q;
	if (plan->options.counts) {
		CHECK_GOTO(status, pair_counts_make(classes, plan, &counts), done);
		sums.counts = &counts;
	}
	CHECK_GOTO(status, sum_pairs(context, atoms, plan, &early, &sums), done);
	if (plan->options.counts)
		CHECK_GOTO(status, pair_counts_deliver(classes, &counts, *result), done);
	CHECK_GOTO(status, debye_copies_add(context, classes, &sums), done);
	CHECK_GOTO(status, debye_add_joint(context, classes, &sums), done);
	displacements_damp(classes, &amplitudes, sums.q.points, 1, &sums);
	CHECK_GOTO(status, debye_curves(context, classes, &amplitudes, &sums, *result), done);
	CHECK_GOTO(status, derived_curves_make(*result), done);
	CHECK_GOTO(status, debye_errors(context, classes, plan, &amplitudes, &sums, *result), done);
	(*result)->seconds = clock_seconds() - began;
	(*result)->provenance->run.peak_memory = memory_peak();
done:
	arranged_atoms_free(&early);
	pair_counts_free(&counts);
	free(sums.sums);
	free(sums.errors);
	amplitudes_free(&amplitudes);
	if (status != SONDE_OK)
		sonde_debye_result_free(result);
	return status;
}

static void note_overfull(sonde_context *context, const struct debye_classes *classes)
{
	if (classes->overfull == 0)
		return;
	context_notef(
	    context,
	    "occupancies: in %lld residue%s those of alternative locations add up to more than 1, to %.4g at most, "
	    "although only "
	    "one of them can be present",
	    (long long)classes->overfull, classes->overfull == 1 ? "" : "s", classes->fullest);
}

sonde_status debye_prepare(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			   struct debye_classes *classes, struct debye_plan *plan)
{
	sonde_debye_options complete;

	*classes = (struct debye_classes){0};
	CHECK(options_complete(&debye_option_table, options, &complete));
	CHECK(options_check(&debye_option_table, &complete));
	CHECK(debye_classes_make(atoms, &complete, displacements_are_of_sample(&complete), classes));
	note_overfull(context, classes);
	CHECK(debye_copies_take(context, &complete, atoms->count, classes));
	CHECK(displacements_read(&complete, classes));
	return debye_plan_make(context, classes, options, plan);
}

/* A sample with its plan, which is executed or only made. */
static sonde_status with_sample(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
				struct debye_plan *plan, sonde_debye_result **result)
{
	double began = clock_seconds();
	struct debye_classes classes;
	sonde_status status = debye_prepare(context, atoms, options, &classes, plan);

	if (status == SONDE_OK)
		status = result != NULL ? carry_out(context, &classes, plan, began, result)
					: debye_plan_settle(context, &classes.summed, plan);
	debye_classes_free(&classes);
	return status;
}

sonde_status sonde_debye_run(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			     sonde_debye_result **result)
{
	struct debye_plan plan;

	*result = NULL;
	if (context == NULL || atoms == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	return with_sample(context, atoms, options, &plan, result);
}

/* The common state of the samples that are executed. */
struct sonde_debye_plan {
	sonde_context *context;
	sonde_debye_options wanted;  /* of the caller, with the method and the boundary decided by the plan */
	sonde_debye_options settled; /* for a run of the sample of the plan */
};

sonde_status sonde_debye_plan(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			      struct sonde_debye_plan **plan)
{
	struct debye_plan made;

	*plan = NULL;
	if (context == NULL || atoms == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	CHECK(with_sample(context, atoms, options, &made, NULL));
	CHECK(memory_allocate(plan, 1, sizeof **plan, "the plan"));
	(*plan)->context = context;
	(*plan)->settled = made.options;
	/* the precision depends on the devices of each sample: a small one may stay on the CPU */
	const sonde_status status = options_complete(&debye_option_table, options, &(*plan)->wanted);
	(*plan)->wanted.method = made.options.method;
	(*plan)->wanted.boundary = made.options.boundary;
	if (status != SONDE_OK)
		sonde_debye_plan_free(plan);
	return status;
}

const sonde_debye_options *sonde_debye_plan_options(const struct sonde_debye_plan *plan)
{
	return &plan->settled;
}

sonde_status sonde_debye_execute(struct sonde_debye_plan *plan, const sonde_atoms *atoms, sonde_debye_result **result)
{
	struct debye_plan made;

	*result = NULL;
	if (plan == NULL || atoms == NULL)
		return status_fail(SONDE_INVALID, "a plan and atoms are needed, one of them is null");
	return with_sample(plan->context, atoms, &plan->wanted, &made, result);
}

void sonde_debye_plan_free(struct sonde_debye_plan **plan)
{
	if (plan == NULL)
		return;
	free(*plan);
	*plan = NULL;
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
			  r->block_label,
			  r->block_atoms,
			  r->block_intensity,
			  r->laue,
			  r->intensity_without_laue};
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		free(arrays[k]);
	if (r->provenance != NULL)
		provenance_free(&r->provenance->run);
	free(r->provenance);
	free(r);
	*result = NULL;
}
