/* The engine's row: input, work and reports of `sonde ions`. */
#include "ions/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "ions/describe.h"
#include "ions/histories/kernels.h"
#include "ions/option_table.h"
#include "ions/output/result.h"
#include "ions/output/srim_files.h"
#include "ions/plan/estimate.h"
#include "ions/run.h"
#include "ions/trim/trim_in.h"
#include "matter/materials/material_list.h"
#include "matter/shape/body.h"
#include "stopping/difference.h"

/* A resumed run replaces its files. */
static bool may_replace(const sonde_ions_options *options, const struct engine_request *request)
{
	return request->overwrite || options->resume != 0;
}

static sonde_status check(const struct engine_request *request)
{
	const sonde_ions_options *options = request->options;

	return options->srim[0] != '\0' ? ions_check_srim(options->srim, may_replace(options, request)) : SONDE_OK;
}

static const struct option_table *const lists[] = {&body_table_in_angstrom, &material_item_table, NULL};
enum { BODIES, MATERIALS };

void ions_job_of(const struct engine_request *request, sonde_ions_job *job)
{
	*job = (sonde_ions_job){.struct_size = sizeof *job, .file = request->job};
	job->options = *(const sonde_ions_options *)request->options;
	job->sample = request->described;
	job->build = request->build != NULL && request->build->present ? request->build->options : NULL;
	if (request->lists == NULL)
		return;
	ENGINE_TAKE_LIST(job->bodies, request->lists[BODIES]);
	ENGINE_TAKE_LIST(job->materials, request->lists[MATERIALS]);
}

/* Regions of the target: layers, or bodies with their extents along x. */
static void report_regions(const struct target *target, int first, int count, const char *title, const char *list,
			   struct report *report)
{
	report_open_list(report, list);
	for (int l = first; l < first + count; ++l) {
		const struct target_layer *layer = &target->layers[l];
		const double thickness = 10.0 * (layer->end - layer->begin);
		const char *name = l == first ? title : "";
		if (layer->material.count == 0)
			report_line(report, name, "vacuum, %.6g Angstrom", thickness);
		else
			report_line(report, name, "%d element%s, %.6g g/cm^3, %.6g Angstrom", layer->material.count,
				    layer->material.count == 1 ? "" : "s", layer->material.density, thickness);
		report_open_object(report, NULL);
		report_integer(report, "elements", layer->material.count);
		report_number(report, "thickness_angstrom", thickness);
		report_close(report);
	}
	report_close(report);
}

static void report_target_plan(const struct ions_plan *ions, struct report *report)
{
	const struct target *target = &ions->target;
	const struct ions_job *job = &ions->job;

	report_regions(target, 0, target->layer_count, "target", "layers", report);
	if (target->body_count > 0)
		report_regions(target, target->layer_count, target->body_count, "bodies", "bodies", report);
	report_line(report, "cells", "%u x %u x %u, %u sums each, %u groups for standard errors", job->cells[0],
		    job->cells[1], job->cells[2], job->rows, job->groups);
	report_integers(report, "cells", (const int64_t[]){job->cells[0], job->cells[1], job->cells[2]}, 3);
}

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	struct sonde_ions_plan *made;
	struct ions_estimate takes;
	sonde_ions_job *job;

	CHECK(memory_allocate(&job, 1, sizeof *job, "a job"));
	ions_job_of(request, job);
	const sonde_status planned = ions_run_plan(context, job, request->output, &made);
	free(job);
	CHECK(planned);
	const struct ions_plan *ions = ions_run_plan_of(made);
	const sonde_status status = ions_estimate_make(context, ions, &takes);
	if (status == SONDE_OK) {
		struct text flight = {0};
		option_print(options_find(&ions_option_table, "flight"), &ions->options, &flight);
		*estimate = (struct engine_estimate){
		    .seconds = takes.seconds, .device_memory = takes.tally_bytes, .host_memory = takes.host_bytes};
		snprintf(estimate->method, sizeof estimate->method, "%.40s flights",
			 flight.bytes != NULL ? flight.bytes : "");
		text_free(&flight);
		report_line(report, "ions", "%lld", (long long)ions->options.number);
		report_integer(report, "ions", ions->options.number);
		report_line(report, "collisions", "about %.3g per ion, %.3g of its recoils", takes.flights,
			    takes.recoil_collisions);
		report_number(report, "ion_collisions", takes.flights);
		report_number(report, "recoil_collisions", takes.recoil_collisions);
		report_target_plan(ions, report);
	}
	sonde_ions_plan_free(&made);
	return status;
}

static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	sonde_ions_result *ions = NULL;
	sonde_ions_job *job;

	CHECK(memory_allocate(&job, 1, sizeof *job, "a job"));
	ions_job_of(request, job);
	const sonde_status status = sonde_ions_job_run(context, job, request->output, request->overwrite, &ions);
	free(job);
	*result = ions;
	return status;
}

static sonde_status write(const void *result, const char *path, bool overwrite)
{
	return sonde_ions_result_write(result, path, overwrite);
}

static sonde_status append_table(const void *result, struct text *text)
{
	return ions_table_text(result, false, text);
}

static sonde_status write_more(sonde_context *context, const void *of, const struct engine_request *request,
			       struct text *written)
{
	const sonde_ions_result *result = of;
	const char *folder = result->options->srim;

	(void)context;
	(void)written;
	return folder[0] != '\0' ? sonde_ions_result_write_srim(result, folder, may_replace(result->options, request))
				 : SONDE_OK;
}

static void free_result(void **result)
{
	sonde_ions_result *ions = *result;

	sonde_ions_result_free(&ions);
	*result = NULL;
}

static sonde_status read_result(sonde_context *context, const char *path, void **result)
{
	sonde_ions_result *ions = NULL;
	const sonde_status status = sonde_ions_result_read(context, path, &ions);

	*result = ions;
	return status;
}

/* Summary ------------------------------------------------------------------------------------------ */

/* "704.1 ± 0.2", or without an error if it is unknown. */
static void report_estimate(struct report *report, const char *name, sonde_estimate estimate, const char *unit)
{
	if (isnan(estimate.error))
		report_print(report, "%-14s %.6g%s\n", name, estimate.value, unit);
	else
		report_print(report, "%-14s %.6g ± %.2g%s\n", name, estimate.value, estimate.error, unit);
}

/* A length in Angstrom, with a suitable prefix. */
static void report_length(struct report *report, const char *name, sonde_estimate estimate)
{
	const struct unit_scale scale = unit_scale_length(estimate.value);
	char unit[16];

	snprintf(unit, sizeof unit, " %s", scale.unit);
	report_estimate(report, name, (sonde_estimate){scale.factor * estimate.value, scale.factor * estimate.error},
			unit);
}

/* Fraction of the ions at rest outside profiles and maps. */
static double outside_cells(const sonde_ions_result *result)
{
	double inside = 0.0;

	for (int t = 0; t < result->tally_count; ++t)
		if (strcmp(result->tallies[t].name, "implanted ions") == 0)
			inside = result->tallies[t].inside.value;
	return result->implanted > 0 ? 1.0 - inside * (double)result->ions / (double)result->implanted : 0.0;
}

static void report_target(const sonde_ions_result *result, struct report *report)
{
	struct text text = {0};

	ions_append_leaving(result, "", &text);
	ions_append_target(result, "", true, &text);
	ions_append_stopping(result, "", &text);
	if (text_status(&text) == SONDE_OK)
		report_print(report, "%s", text.bytes);
	text_free(&text);
}

static void report_for_people(const sonde_ions_result *result, struct report *report)
{
	const double ions = (double)result->ions;
	const struct unit_scale energy = unit_scale_energy(result->energy);

	if (result->species_count > 1)
		report_print(report, "%lld ions of %d species, %.6g %s on average", (long long)result->ions,
			     result->species_count, energy.factor * result->energy, energy.unit);
	else
		report_print(report, "%lld ions %s of %.6g %s", (long long)result->ions, result->ion,
			     energy.factor * result->energy, energy.unit);
	report_print(report, ", %.0f ions/s, %.2f s\n", (ions - (double)result->resumed) / result->seconds,
		     result->seconds);
	if (result->implanted > 0) {
		report_length(report, "range", result->range);
		report_length(report, "straggling", result->straggling);
		report_length(report, "lateral", result->lateral_straggling);
	}
	report_estimate(report, "vacancies", result->vacancies, " per ion");
	if (result->sputtered.value > 0.0)
		report_estimate(report, "sputtered", result->sputtered, " per ion");
	report_print(report, "implanted %.4f %%, backscattered %.4f %%, transmitted %.4f %%\n",
		     100.0 * (double)result->implanted / ions, 100.0 * (double)result->backscattered / ions,
		     100.0 * (double)result->transmitted / ions);
	report_target(result, report);
}

static void report_members(const sonde_ions_result *result, struct report *report)
{
	report_integer(report, "ions", result->ions);
	report_decimal(report, "seconds", result->seconds, 6);
	report_text(report, "stopping", stopping_source_name((enum stopping_source)result->options->stopping));
	report_number(report, "range", result->range.value);
	report_number(report, "range_error", result->range.error);
	report_number(report, "straggling", result->straggling.value);
	report_number(report, "straggling_error", result->straggling.error);
	report_number(report, "lateral", result->lateral_straggling.value);
	report_number(report, "vacancies", result->vacancies.value);
	report_number(report, "vacancies_error", result->vacancies.error);
	report_number(report, "sputtered", result->sputtered.value);
	report_number(report, "sputtered_error", result->sputtered.error);
	if (result->options->until[0] != '\0')
		report_boolean(report, "until_reached", !result->until_missed);
	report_number(report, "ion_collisions", result->collisions[0]);
	report_number(report, "recoil_collisions", result->collisions[1]);
	report_integer(report, "implanted", result->implanted);
	report_integer(report, "backscattered", result->backscattered);
	report_integer(report, "transmitted", result->transmitted);
	report_text(report, "unit", "angstrom");
}

static void summarize(const void *of, const struct engine_request *request, struct report *report)
{
	const sonde_ions_result *result = of;
	const double outside = outside_cells(result);

	(void)request;
	report_members(result, report);
	report_for_people(result, report);
	if (outside > 0.005)
		report_note(report,
			    "%.2g %% of the implanted ions are outside the cells, which `depth` and `width` enlarge",
			    100.0 * outside);
	if (result->until_missed)
		report_note(report, "`until`: %.200s was not reached with these ions; `resume` continues",
			    result->options->until);
}

static double seconds(const void *result)
{
	return ((const sonde_ions_result *)result)->seconds;
}

static sonde_status read_trim_in(const char *path, void *options)
{
	return trim_in_read(path, options);
}

static const struct engine_foreign_job trim_in = {.is_named = trim_in_is_named, .read = read_trim_in};
static const struct device_program *const programs[] = {&ions_program, NULL};

const struct engine ions_engine = {
    .name = "ions",
    .summary = "ions stopping in a target: ranges, damage, ionization, sputtering",
    .usage = "sonde ions --ion ION --energy ENERGY --target LAYERS [options] [-o FILE]\n"
	     "       sonde ions JOB.yaml|TRIM.IN [options]",
    .description =
	"Follows ions and their recoils, collision by collision, through layers of amorphous "
	"materials across x: scattering by a screened Coulomb potential, electronic stopping and its fluctuation, "
	"displacement of atoms. The block ions: of a job may have lists of bodies in the layers and of named "
	"materials, "
	"like those of sonde fdtd; lengths are in Angstrom or have a unit.\n\n"
	"FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with all quantities, to which more ions can be "
	"added by "
	"--resume), or in .csv, .xy, .dat or .txt (a table of the profiles). --srim writes text files in the layout "
	"of SRIM. Every number has a standard error.",
    .examples = "sonde ions --ion H --energy 100keV --target C -n 1000000 -o h_c.h5 --plot h_c.png\n"
		"sonde ions --ion As --energy 50keV --target 'SiO2:10nm/Si' --until vacancies:0.5% -o as.h5\n"
		"sonde ions --ion Ar --energy 1keV --target W --surface planar --flight monolayer -n 100000",
    .options = &ions_option_table,
    .lists = lists,
    .abilities =
	ENGINE_CRYSTAL | ENGINE_BODIES | ENGINE_DEVICES | ENGINE_PICTURE | ENGINE_PICTURE_AXES | ENGINE_RANKS,
    .inputs = ENGINE_JOB_FILES " .in .IN",
    .outputs = ENGINE_RESULT_FILES,
    .stream = "txt",
    .positional_advice = " nor a TRIM.IN; the target is given by " OPTION_NAME("target"),
    .foreign_job = &trim_in,
    .programs = programs,
    .check = check,
    .check_format = ions_check_format,
    .plan = plan,
    .run = run,
    .write = write,
    .append_table = append_table,
    .write_more = write_more,
    .summarize = summarize,
    .seconds = seconds,
    .describe = ions_describe,
    .is_checkpoint = ions_is_checkpoint,
    .describe_checkpoint = ions_describe_checkpoint,
    .contents = ions_contents,
    .read = read_result,
    .free_result = free_result};
