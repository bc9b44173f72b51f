/* The public interface of refinements: the result of refine_run() as structs whose layout programs rely on. */
#include "sonde/refine.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "match/fit_file.h"
#include "match/match_interface.h"
#include "matter/files/atoms_output.h"
#include "refine/option_table.h"
#include "refine/refine.h"
#include "refine/refine_file.h"
#include "refine/state.h"

struct held {
	sonde_refine_result seen; /* first: programs have its address */
	struct refine_result result;
	char *path; /* of the job, for messages */
	struct refine_job *job;
	sonde_refine_options options;
	sonde_match_fit *curves;
	sonde_refine_value *parameters, *derived;
};

void sonde_refine_options_init_sized(sonde_refine_options *options, uint64_t size)
{
	options_init_sized(&refine_option_table, options, size);
}

static sonde_status view_values(const struct refine_value *values, int count, sonde_refine_value **views)
{
	CHECK(memory_allocate(views, (size_t)count, sizeof **views, "a result"));
	for (int k = 0; k < count; ++k)
		(*views)[k] = (sonde_refine_value){.name = values[k].name,
						   .start = values[k].start,
						   .value = values[k].value,
						   .error = values[k].error,
						   .low = values[k].low,
						   .high = values[k].high,
						   .lower = values[k].lower,
						   .upper = values[k].upper,
						   .bound = values[k].bound,
						   .step = values[k].step};
	return SONDE_OK;
}

static sonde_status view(struct held *held)
{
	const struct refine_result *result = &held->result;

	CHECK(view_values(result->parameters, result->parameter_count, &held->parameters));
	CHECK(view_values(result->derived, result->derived_count, &held->derived));
	CHECK(memory_allocate(&held->curves, (size_t)result->curve_count, sizeof *held->curves, "a result"));
	for (int d = 0; d < result->curve_count; ++d)
		CHECK(match_view_curve(&result->curves[d], &held->curves[d]));
	held->seen = (sonde_refine_result){.parameter_count = result->parameter_count,
					   .parameters = held->parameters,
					   .correlations = result->correlations,
					   .derived_count = result->derived_count,
					   .derived = held->derived,
					   .curve = held->curves,
					   .scale = result->curves[0].scale,
					   .chi_square = result->chi_square,
					   .rwp = result->rwp,
					   .points = result->points,
					   .fitted = result->fitted,
					   .atoms = result->atoms,
					   .structures = result->structures,
					   .converged = result->converged,
					   .step_count = result->step_count,
					   .step_rwp = result->step_rwp,
					   .step_values = result->step_values,
					   .pattern_error = result->error,
					   .options = &held->options,
					   .seconds = result->seconds,
					   .curve_count = result->curve_count,
					   .curves = held->curves,
					   .independent = result->independent};
	return SONDE_OK;
}

static sonde_status write_structure(sonde_context *context, const struct held *held)
{
	sonde_atoms *atoms;

	if (held->options.structure[0] == '\0')
		return SONDE_OK;
	CHECK(sonde_refine_result_atoms(context, &held->seen, &atoms));
	const sonde_status status = sonde_atoms_write(context, atoms, held->options.structure, 0);
	sonde_atoms_free(&atoms);
	return status;
}

static sonde_status run(sonde_context *context, const char *job, const sonde_refine_options *options,
			const char *output, struct held *held)
{
	CHECK(options_complete(&refine_option_table, options, &held->options));
	CHECK(options_check(&refine_option_table, &held->options));
	/* before the work */
	if (held->options.structure[0] != '\0') {
		CHECK(atoms_check_ending(held->options.structure));
		CHECK(file_check_output(held->options.structure, false));
	}
	if (output != NULL && output[0] != '\0')
		CHECK(fit_file_check(output));
	CHECK(memory_copy_text(job, &held->path, "a path"));
	CHECK(refine_job_read(held->path, &held->job));
	CHECK(refine_run(context, held->job, &held->options, output, &held->result));
	CHECK(view(held));
	return write_structure(context, held);
}

sonde_status sonde_refine_run(sonde_context *context, const char *job, const sonde_refine_options *options,
			      const char *output, sonde_refine_result **result)
{
	struct held *held;

	if (result == NULL)
		return status_fail(SONDE_INVALID, "result is null");
	*result = NULL;
	if (context == NULL || job == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, job, or options are null");
	CHECK(memory_allocate(&held, 1, sizeof *held, "a result"));
	*result = &held->seen;
	const sonde_status status = run(context, job, options, output, held);
	if (status != SONDE_OK)
		sonde_refine_result_free(result);
	return status;
}

sonde_status sonde_refine_result_atoms(sonde_context *context, const sonde_refine_result *result, sonde_atoms **atoms)
{
	double values[REFINE_MOST_PARAMETERS];

	if (atoms == NULL)
		return status_fail(SONDE_INVALID, "atoms is null");
	*atoms = NULL;
	if (context == NULL || result == NULL)
		return status_fail(SONDE_INVALID, "context or result are null");
	for (int64_t k = 0; k < result->parameter_count; ++k)
		values[k] = result->parameters[k].value;
	return refine_job_make(context, ((const struct held *)result)->job, values, atoms);
}

sonde_status sonde_refine_result_write(sonde_context *context, const sonde_refine_result *result, const char *path,
				       int overwrite)
{
	const struct held *held = (const struct held *)result;

	if (context == NULL || result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "context, result, or path are null");
	CHECK(refine_file_write(context, &held->result, path, overwrite != 0));
	if (held->options.resume)
		refine_state_remove(path);
	return SONDE_OK;
}

void sonde_refine_result_free(sonde_refine_result **result)
{
	struct held *held = result != NULL ? (struct held *)*result : NULL;

	if (held == NULL)
		return;
	for (int d = 0; held->curves != NULL && d < held->result.curve_count; ++d)
		match_unview_curve(&held->curves[d]);
	free(held->curves);
	free(held->parameters);
	free(held->derived);
	refine_result_free(&held->result);
	refine_job_free(&held->job);
	free(held->path);
	free(held);
	*result = NULL;
}
