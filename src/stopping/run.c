/* `sonde stopping`: options into tables. */
#include "stopping/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "run/context.h"
#include "stopping/energies.h"
#include "stopping/projectile.h"
#include "stopping/range.h"

#define OPTION_STRUCT sonde_stopping_options
#include "base/option_table.h"

static const struct option_row rows[] = {
#include "stopping/options.def"
};

const struct option_table stopping_option_table = {"stopping", rows, sizeof rows / sizeof *rows,
						   sizeof(sonde_stopping_options), true};

void sonde_stopping_options_init_sized(sonde_stopping_options *options, uint64_t size)
{
	options_init_sized(&stopping_option_table, options, size);
}

static sonde_status find_ion(const sonde_stopping_options *options, sonde_stopping_result *result)
{
	struct projectile projectile;

	CHECK(projectile_find(options->ion, options->ion_mass, &projectile));
	strcpy(result->provenance->symbol, projectile.symbol);
	result->ion_number = projectile.atomic_number;
	result->ion_mass = projectile.mass;
	return SONDE_OK;
}

static sonde_status find_material(const sonde_stopping_options *options, sonde_stopping_result *result,
				  struct material *material)
{
	if (options->target[0] == '\0')
		return status_fail_option(SONDE_INVALID, "target",
					  "not given; for example `target SiO2`, or "
					  "`target GaAs@5.32` with its density in g/cm^3");
	sonde_status status = material_parse(options->target, material);
	if (status != SONDE_OK)
		return status_prefix_option(status, "target");
	if (material->count == 0)
		return status_fail_option(SONDE_INVALID, "target", "vacuum does not stop ions; give a material");
	snprintf(result->provenance->material, sizeof result->provenance->material, "%s", material->name);
	snprintf(result->provenance->state, sizeof result->provenance->state, "%s",
		 material_state_name(material->state));
	result->provenance->factor = (1.0 + material->correction) * options->stopping_factor;
	result->element_count = material->count;
	memcpy(result->elements, material->atomic_number, sizeof result->elements);
	memcpy(result->masses, material->mass, sizeof result->masses);
	memcpy(result->fractions, material->fraction, sizeof result->fractions);
	result->density = material->density;
	result->atoms = 1e-3 * material->atoms;
	return SONDE_OK;
}

static sonde_status find_energies(const sonde_stopping_options *options, double last, sonde_stopping_result *result)
{
	sonde_status status = energies_parse(options->energies, &result->energies, &result->count);

	if (status != SONDE_OK)
		return status_prefix_option(status, "energies");
	if (result->energies[0] < RANGE_FIRST)
		return status_fail_option(SONDE_INVALID, "energies",
					  "%g eV is below %g eV, where ranges are meaningless", result->energies[0],
					  RANGE_FIRST);
	if (result->energies[result->count - 1] > last)
		return status_fail_option(SONDE_INVALID, "energies",
					  "%g keV is beyond %g keV, the highest energy with known stopping",
					  1e-3 * result->energies[result->count - 1], 1e-3 * last);
	double **columns[] = {&result->electronic, &result->nuclear,          &result->straggling,
			      &result->range,      &result->range_straggling, &result->lateral_straggling,
			      &result->path};
	for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
		CHECK(memory_allocate(columns[k], (size_t)result->count, sizeof(double), "the table"));
	return SONDE_OK;
}

/* The same with another source; factors of materials and options are the same for both. */
static sonde_status compare(const struct passage *passage, const struct stopping *other,
			    sonde_stopping_result *result)
{
	CHECK(memory_allocate(&result->difference, (size_t)result->count, sizeof(double), "the table"));
	for (int64_t k = 0; k < result->count; ++k) {
		double here = stopping_electronic(passage->stopping, passage->atomic_number, passage->mass,
						  passage->material, result->energies[k]),
		       there = stopping_electronic(other, passage->atomic_number, passage->mass, passage->material,
						   result->energies[k]);
		result->difference[k] = there > 0.0 ? here / there - 1.0 : 0.0;
		const double error =
		    stopping_electronic_error(passage->stopping, passage->atomic_number, passage->mass,
					      passage->material, result->energies[k]) +
		    stopping_electronic_error(other, passage->atomic_number, passage->mass, passage->material,
					      result->energies[k]);
		result->difference_error = fmax(result->difference_error, (1.0 + result->difference[k]) * error);
	}
	return SONDE_OK;
}

/* 1 nm = 10 Angstrom. */
static void fill(const struct passage *passage, const struct range_table *ranges, sonde_stopping_result *result)
{
	for (int64_t k = 0; k < result->count; ++k) {
		double energy = result->energies[k];
		struct range range = range_table_at(ranges, energy);
		result->electronic[k] = 0.1 * passage_electronic(passage, energy);
		result->nuclear[k] = 0.1 * stopping_nuclear(passage->screening, passage->atomic_number, passage->mass,
							    passage->material, energy);
		result->straggling[k] = 0.1 * stopping_straggling(passage->stopping, passage->atomic_number,
								  passage->mass, passage->material, energy);
		result->range[k] = 10.0 * range.projected;
		result->range_straggling[k] = 10.0 * range.longitudinal;
		result->lateral_straggling[k] = 10.0 * range.lateral;
		result->path[k] = 10.0 * range.path;
	}
}

/* The energies, with all checks before the computation. */
static sonde_status settle(const sonde_stopping_options *options, const struct material *material,
			   struct stopping *stopping, sonde_stopping_result *result)
{
	if (options->stopping_table[0] != '\0')
		CHECK(stopping_use_table(stopping, options->stopping_table, result->ion_number, material));
	return find_energies(options, stopping_last_energy(stopping, result->ion_mass), result);
}

static double larger_difference(double before, double fine, double coarse)
{
	return fine > 0.0 ? fmax(before, fabs(coarse / fine - 1.0)) : before;
}

struct error_search {
	const struct passage *passage;
	sonde_stopping_result *result;
	double (*errors)[3]; /* of each energy: electronic, nuclear, straggling */
};

static void find_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct error_search *search = state;
	const struct passage *passage = search->passage;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		const double energy = search->result->energies[k];
		search->errors[k][0] = stopping_electronic_error(passage->stopping, passage->atomic_number,
								 passage->mass, passage->material, energy);
		search->errors[k][1] = stopping_nuclear_error(passage->screening, passage->atomic_number,
							      passage->mass, passage->material, energy);
		search->errors[k][2] = stopping_straggling_error(passage->stopping, passage->atomic_number,
								 passage->mass, passage->material, energy);
	}
}

/* The largest errors of formulas, tables, and integrals. */
static sonde_status find_errors_of_powers(const struct passage *passage, int threads, sonde_stopping_result *result)
{
	struct error_search search = {passage, result, NULL};
	double *largest[] = {&result->electronic_error, &result->nuclear_error, &result->straggling_error};

	CHECK(memory_allocate(&search.errors, (size_t)result->count, sizeof *search.errors, "the table"));
	threads_for(threads, result->count, threads_grain(threads, result->count), find_some, &search);
	for (int64_t k = 0; k < result->count; ++k)
		for (int n = 0; n < 3; ++n)
			*largest[n] = fmax(*largest[n], search.errors[k][n]);
	free(search.errors);
	return SONDE_OK;
}

/* The largest differences of the result from that with steps twice as long. */
static sonde_status find_errors(const struct passage *passage, int threads, sonde_stopping_result *result)
{
	struct range_table *coarse;

	CHECK(range_table_make_coarse(passage, result->energies[result->count - 1], threads, &coarse));
	for (int64_t k = 0; k < result->count; ++k) {
		const struct range range = range_table_at(coarse, result->energies[k]);
		result->range_error =
		    larger_difference(result->range_error, result->range[k], 10.0 * range.projected);
		result->range_straggling_error = larger_difference(
		    result->range_straggling_error, result->range_straggling[k], 10.0 * range.longitudinal);
		result->lateral_straggling_error = larger_difference(
		    result->lateral_straggling_error, result->lateral_straggling[k], 10.0 * range.lateral);
		result->path_error = larger_difference(result->path_error, result->path[k], 10.0 * range.path);
	}
	range_table_free(&coarse);
	return SONDE_OK;
}

static sonde_status compute(const sonde_context *context, const sonde_stopping_options *options,
			    const struct material *material, struct stopping *stopping, const struct stopping *other,
			    sonde_stopping_result *result)
{
	const struct passage passage = {.stopping = stopping,
					.screening = (enum screening_kind)options->screening,
					.atomic_number = result->ion_number,
					.mass = result->ion_mass,
					.material = material,
					.factor = options->stopping_factor};
	struct range_table *ranges;

	CHECK(range_table_make(&passage, result->energies[result->count - 1], context_threads(context), &ranges));
	fill(&passage, ranges, result);
	range_table_free(&ranges);
	CHECK(find_errors(&passage, context_threads(context), result));
	CHECK(find_errors_of_powers(&passage, context_threads(context), result));
	return other != NULL ? compare(&passage, other, result) : SONDE_OK;
}

/* Opens both sources before the computation; the second one is null unless it is requested. */
static sonde_status open_sources(const char *data, const sonde_stopping_options *options, struct stopping **stopping,
				 struct stopping **other)
{
	/* options.compare has the order of the sources */
	enum stopping_source source = (enum stopping_source)options->stopping,
			     second = (enum stopping_source)options->compare;

	CHECK(stopping_open_in(data, source, (enum straggling_source)options->straggling, stopping));
	return second != STOPPING_NONE ? stopping_open_in(data, second, STRAGGLING_NONE, other) : SONDE_OK;
}

static sonde_status prepare(sonde_context *context, const sonde_stopping_options *options,
			    sonde_stopping_result *result, struct material *material)
{
	CHECK(provenance_begin(context, NULL, NULL, &result->provenance->run));
	CHECK(find_ion(options, result));
	CHECK(find_material(options, result, material));
	char note[MATERIAL_NOTE_SIZE];
	if (material_gas_note(material, note))
		context_note(context, note);
	return SONDE_OK;
}

/* A result with its energies and, unless it is only planned, all its values. */
static sonde_status run(sonde_context *context, const sonde_stopping_options *options, bool planned,
			sonde_stopping_result **result)
{
	double began = clock_seconds();
	struct stopping *stopping = NULL, *other = NULL;
	struct material material;
	sonde_status status;

	*result = NULL;
	if (context == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context and options are needed, one of them is null");
	CHECK(memory_allocate(result, 1, sizeof **result, "the result"));
	CHECK_GOTO(status, memory_allocate(&(*result)->provenance, 1, sizeof *(*result)->provenance, "the result"),
		   done);
	sonde_stopping_options *own = &(*result)->provenance->options;
	(*result)->options = own;
	CHECK_GOTO(status, options_complete(&stopping_option_table, options, own), done);
	CHECK_GOTO(status, options_check(&stopping_option_table, own), done);
	CHECK_GOTO(status, prepare(context, own, *result, &material), done);
	CHECK_GOTO(status, open_sources(context_data(context), own, &stopping, &other), done);
	CHECK_GOTO(status, settle(own, &material, stopping, *result), done);
	if (!planned)
		status = compute(context, own, &material, stopping, other, *result);
	provenance_end(context, &(*result)->provenance->run);
	(*result)->seconds = clock_seconds() - began;
done:
	stopping_free(&stopping);
	stopping_free(&other);
	if (status != SONDE_OK)
		sonde_stopping_result_free(result);
	return status;
}

sonde_status sonde_stopping_run(sonde_context *context, const sonde_stopping_options *options,
				sonde_stopping_result **result)
{
	return run(context, options, false, result);
}

sonde_status stopping_plan(sonde_context *context, const sonde_stopping_options *options,
			   sonde_stopping_result **result)
{
	return run(context, options, true, result);
}

void sonde_stopping_result_free(sonde_stopping_result **result)
{
	sonde_stopping_result *r = result != NULL ? *result : NULL;

	if (r == NULL)
		return;
	free(r->energies);
	free(r->electronic);
	free(r->nuclear);
	free(r->straggling);
	free(r->range);
	free(r->range_straggling);
	free(r->lateral_straggling);
	free(r->path);
	free(r->difference);
	if (r->provenance != NULL)
		provenance_free(&r->provenance->run);
	free(r->provenance);
	free(r);
	*result = NULL;
}
