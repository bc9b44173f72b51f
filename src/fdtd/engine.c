/* The engine's row: input, functions and reports of `sonde fdtd`. */
#include "matter/materials/material_list.h"
#include "fdtd/engine.h"

#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/checkpoint.h"
#include "fdtd/describe.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/fields/kernels.h"
#include "fdtd/job/prepared.h"
#include "fdtd/option_tables.h"
#include "fdtd/output/result_folders.h"
#include "matter/shape/body.h"

static const struct option_table *const lists[] = {&fdtd_boundary_table, &material_item_table, &body_table_in_meters,
						   &fdtd_source_table,   &fdtd_monitor_table,  NULL};
enum { BOUNDARIES, MATERIALS, BODIES, SOURCES, MONITORS };

void fdtd_job_of(const struct engine_request *request, sonde_fdtd_job *job)
{
	*job =
	    (sonde_fdtd_job){.struct_size = sizeof *job, .file = request->job, .option_lines = request->option_lines};
	job->options = *(const sonde_fdtd_options *)request->options;
	job->sample = request->described;
	job->build = request->build != NULL && request->build->present ? request->build->options : NULL;
	ENGINE_TAKE_LIST(job->boundaries, request->lists[BOUNDARIES]);
	ENGINE_TAKE_LIST(job->materials, request->lists[MATERIALS]);
	ENGINE_TAKE_LIST(job->bodies, request->lists[BODIES]);
	ENGINE_TAKE_LIST(job->sources, request->lists[SOURCES]);
	ENGINE_TAKE_LIST(job->monitors, request->lists[MONITORS]);
}

static sonde_status check(const struct engine_request *request)
{
	sonde_fdtd_job *job;

	CHECK(memory_allocate(&job, 1, sizeof *job, "a job"));
	fdtd_job_of(request, job);
	const sonde_status status = fdtd_check_folders(job, request->overwrite);
	free(job);
	return status;
}

/* The plan -------------------------------------------------------------------------------------------- */

static const char *of_runs(int runs, bool steps_known)
{
	if (steps_known)
		return runs > 2   ? ", as many of the wave alone, and as many with the reference run's bodies"
		       : runs > 1 ? ", and as many without bodies"
				  : "";
	return runs > 2   ? "; a run of the wave alone, and one with the reference run's bodies"
	       : runs > 1 ? "; a second run without bodies"
			  : "";
}

static void report_streaming(const sonde_fdtd_plan *plan, struct report *report)
{
	if (plan->streaming == SONDE_FDTD_STREAMING_AUTO)
		return;
	const char *const method = plan->streaming == SONDE_FDTD_STREAMING_SKEW ? "skew" : "pyramid";
	const double passes = plan->steps > 0 ? ceil((double)plan->steps / (double)plan->pass_height) : 0.0;

	report_line(
	    report, "streaming",
	    "%s: slabs of %lld planes of %lld, passes of %lld steps; %.3g GB on the host, %.3g GB/s each way; "
	    "%.2g of the rate on a device that holds the grid",
	    method, (long long)plan->slab_width, (long long)plan->planes, (long long)plan->pass_height,
	    1e-9 * plan->streamed_memory, 1e-9 * plan->link_rate, plan->rate / plan->whole_rate);
	if (plan->scratch_bytes > 0.0)
		report_line(report, "scratch file", "%.3g GB, %.3g GB/s each way", 1e-9 * plan->scratch_bytes,
			    1e-9 * plan->disk_rate);
	report_text(report, "streaming", method);
	report_integer(report, "slab_width", plan->slab_width);
	report_integer(report, "pass_height", plan->pass_height);
	report_number(report, "passes", passes);
	report_number(report, "streamed_memory", plan->streamed_memory);
	report_number(report, "link_rate", plan->link_rate);
	if (plan->scratch_bytes > 0.0) {
		report_number(report, "scratch_bytes", plan->scratch_bytes);
		report_number(report, "disk_rate", plan->disk_rate);
	}
	report_number(report, "whole_rate", plan->whole_rate);
}

static const char *way_of(const sonde_fdtd_plan *plan)
{
	return plan->exchange == SONDE_FDTD_EXCHANGE_DIRECT    ? ", ranks from GPU to GPU"
	       : plan->exchange == SONDE_FDTD_EXCHANGE_BY_HOST ? ", ranks by way of their hosts"
							       : "";
}

/* Between ranks. */
static void report_exchange(const sonde_fdtd_plan *plan, struct report *report)
{
	if (plan->exchange != SONDE_FDTD_EXCHANGE_IN_PROCESS)
		report_text(report, "exchange", plan->exchange == SONDE_FDTD_EXCHANGE_DIRECT ? "direct" : "host");
}

static void report_devices(const sonde_fdtd_plan *plan, struct report *report)
{
	if (plan->devices < 2)
		return;
	report_integer(report, "devices", plan->devices);
	if (plan->streaming != SONDE_FDTD_STREAMING_AUTO && plan->exchange_height > 0) {
		report_line(report, "devices",
			    "%d, each of which streams its part; they exchange planes after %lld steps%s",
			    plan->devices, (long long)plan->exchange_height, way_of(plan));
		report_integer(report, "exchange_height", plan->exchange_height);
		report_exchange(plan, report);
		return;
	}
	if (plan->streaming != SONDE_FDTD_STREAMING_AUTO) {
		report_line(report, "devices", "%d, through which the planes go one after the other", plan->devices);
		return;
	}
	report_line(report, "devices",
		    "%d, each with a part of the grid: at most %.3g GB; they exchange planes after %lld steps%s",
		    plan->devices, 1e-9 * plan->device_memory, (long long)plan->exchange_height, way_of(plan));
	report_integer(report, "exchange_height", plan->exchange_height);
	report_exchange(plan, report);
}

static void report_plan(const sonde_fdtd_plan *plan, struct report *report)
{
	const double cells = (double)plan->cells[0] * (double)plan->cells[1] * (double)plan->cells[2];

	report_line(report, "cells", "%lld x %lld x %lld = %.4g, of these %lld x %lld x %lld between the layers",
		    (long long)plan->cells[0], (long long)plan->cells[1], (long long)plan->cells[2], cells,
		    (long long)plan->inner_cells[0], (long long)plan->inner_cells[1],
		    (long long)plan->inner_cells[2]);
	report_integers(report, "cells", plan->cells, 3);
	report_integers(report, "inner_cells", plan->inner_cells, 3);
	report_line(report, "cell", "%.6g x %.6g x %.6g m", plan->cell[0], plan->cell[1], plan->cell[2]);
	report_numbers(report, "cell_m", plan->cell, 3);
	if (plan->shortest_wavelength > 0.0)
		report_line(report, "wavelength", "%.3g cells at the shortest", plan->shortest_wavelength);
	report_number(report, "cells_a_wavelength", plan->shortest_wavelength);
	report_line(report, "time step", "%.6g s", plan->time_step);
	report_number(report, "time_step", plan->time_step);
	if (plan->steps > 0)
		report_line(report, "steps", "%lld = %.6g s%s", (long long)plan->steps,
			    (double)plan->steps * plan->time_step, of_runs(plan->runs, true));
	else
		report_line(report, "steps", "until the field has decayed%s", of_runs(plan->runs, false));
	report_integer(report, "steps", plan->steps);
	report_integer(report, "runs", plan->runs);
	report_line(report, "rate", "%.3g Gcell/s, %.3g bytes per cell", 1e-9 * plan->rate, plan->memory_of_cell);
	report_number(report, "rate", plan->rate);
	if (plan->pair_memory > 0.0) {
		report_line(report, "pairs",
			    "two steps at once, if that measures faster: %.3g Gcell/s expected, with %.3g GB more",
			    1e-9 * plan->pair_rate, 1e-9 * plan->pair_memory);
		report_number(report, "pair_memory", plan->pair_memory);
		report_number(report, "pair_rate", plan->pair_rate);
	}
	report_streaming(plan, report);
	report_devices(plan, report);
	if (plan->steps == 0) {
		report_line(report, "1000 steps", "about %.2g s", cells * plan->runs / plan->rate * 1000.0);
		report_number(report, "seconds_of_1000_steps", cells * plan->runs / plan->rate * 1000.0);
	}
}

static sonde_status plan(sonde_context *context, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	sonde_fdtd_job *job;
	sonde_fdtd_plan fdtd;

	CHECK(memory_allocate(&job, 1, sizeof *job, "a job"));
	fdtd_job_of(request, job);
	sonde_status status = sonde_fdtd_make_plan(context, job, &fdtd);
	/* a job that is only drawn may still lack its monitors */
	if (status == SONDE_OK && !request->values_needed)
		status = fdtd_check_run(job, request->output);
	free(job);
	CHECK(status);
	report_plan(&fdtd, report);
	estimate->device_memory = fdtd.device_memory;
	snprintf(estimate->method, sizeof estimate->method, "Yee's scheme");
	estimate->seconds = fdtd.steps > 0 ? fdtd.seconds : NAN;
	return SONDE_OK;
}

/* Results ---------------------------------------------------------------------------------------------- */

static sonde_status run(sonde_context *context, const struct engine_request *request, void **result)
{
	sonde_fdtd_job *job;
	sonde_fdtd_result *fdtd;

	CHECK(memory_allocate(&job, 1, sizeof *job, "a job"));
	fdtd_job_of(request, job);
	const sonde_status status =
	    request->output != NULL ? sonde_fdtd_run_to_file(context, job, request->output, request->overwrite, &fdtd)
				    : sonde_fdtd_run(context, job, &fdtd);
	free(job);
	*result = status == SONDE_OK ? fdtd : NULL;
	return status;
}

static sonde_status write(const void *result, const char *path, bool overwrite)
{
	return sonde_fdtd_result_write(result, path, overwrite);
}

static sonde_status append_table(const void *result, struct text *text)
{
	return fdtd_table_text(result, false, text);
}

static sonde_status write_more(sonde_context *context, const void *of, const struct engine_request *request,
			       struct text *written)
{
	const sonde_fdtd_result *result = of;
	struct fdtd_folder_report frames = {0}, vtk = {0};
	sonde_status status = fdtd_write_frames(context, result, request->overwrite, &frames);

	if (status == SONDE_OK)
		status = fdtd_write_vtk(context, result, request->overwrite, &vtk);
	if (status == SONDE_OK && result->options->frames[0] != '\0')
		text_append(written, "%s: %lld pictures; films of them:\n%s", result->options->frames,
			    (long long)frames.files, frames.films.bytes != NULL ? frames.films.bytes : "");
	if (status == SONDE_OK && result->options->vtk[0] != '\0')
		text_append(written, "%s: %lld VTK files\n", result->options->vtk, (long long)vtk.files);
	text_free(&frames.films);
	return status;
}

static void free_result(void **result)
{
	sonde_fdtd_result *fdtd = *result;

	sonde_fdtd_result_free(&fdtd);
	*result = NULL;
}

static sonde_status read_result(sonde_context *context, const char *path, void **result)
{
	sonde_fdtd_result *fdtd = NULL;
	const sonde_status status = sonde_fdtd_result_read(context, path, &fdtd);

	*result = fdtd;
	return status;
}

static void report_resonances(const sonde_fdtd_monitor *monitor, struct report *report)
{
	const sonde_fdtd_array *frequency = sonde_fdtd_find_array(monitor, "frequency"),
			       *error = sonde_fdtd_find_array(monitor, "frequency-error"),
			       *quality = sonde_fdtd_find_array(monitor, "quality");

	if (frequency == NULL || error == NULL || quality == NULL)
		return;
	if (frequency->sizes[0] == 0)
		report_print(report, "%s: no resonances found\n", monitor->name);
	for (int64_t n = 0; n < frequency->sizes[0]; ++n)
		report_print(report, "%s: %.9g +- %.2g THz, Q %.6g\n", monitor->name, 1e-12 * frequency->values[n],
			     1e-12 * error->values[n], quality->values[n]);
}

static void report_errors(const sonde_fdtd_result *result, struct report *report)
{
	if (result->options->error == SONDE_FDTD_ERROR_NONE)
		return;
	report_number(report, "grid_error", text_round_up(result->grid_error, 3));
	report_number(report, "truncation_error", text_round_up(result->truncation_error, 3));
	report_number(report, "rounding_error", text_round_up(result->rounding_error, 3));
	if (isfinite(result->grid_error))
		report_print(report, "error: about %.2g of the grid, ", text_round_up(result->grid_error, 2));
	else
		report_print(report, "error: of the grid not known, ");
	report_print(report, "%.2g of the end, %.2g of round-off\n", text_round_up(result->truncation_error, 2),
		     text_round_up(result->rounding_error, 2));
	if (result->options->error != SONDE_FDTD_ERROR_COMPANION)
		return;
	if (!isfinite(result->companion_error)) {
		report_print(report,
			     "error: no quantity can be compared with the run with cells 1.5 times as long\n");
		return;
	}
	report_number(report, "companion_error", text_round_up(result->companion_error, 3));
	report_print(report, "error: at most %.2g, from a run with cells 1.5 times as long\n",
		     text_round_up(result->companion_error, 2));
}

static void report_streamed(const sonde_fdtd_plan *plan, struct report *report)
{
	if (plan->streaming == SONDE_FDTD_STREAMING_AUTO)
		return;
	const char *const method = plan->streaming == SONDE_FDTD_STREAMING_SKEW ? "skew" : "pyramid",
			  *const store = plan->scratch_bytes > 0.0 ? "disk" : "host";
	report_text(report, "streaming", method);
	report_integer(report, "slab_width", plan->slab_width);
	report_integer(report, "pass_height", plan->pass_height);
	report_text(report, "store", store);
	report_print(report, "streamed: %s, slabs of %lld planes of %lld, passes of %lld steps, numbers %s\n", method,
		     (long long)plan->slab_width, (long long)plan->planes, (long long)plan->pass_height,
		     plan->scratch_bytes > 0.0 ? "in a scratch file" : "in the host's memory");
}

static void summarize(const void *of, const struct engine_request *request, struct report *report)
{
	const sonde_fdtd_result *result = of;
	const sonde_fdtd_plan *plan = result->plan;

	(void)request;
	report_integers(report, "cells", plan->cells, 3);
	report_integer(report, "steps", result->steps);
	report_number(report, "time", result->time);
	report_number(report, "left", result->left);
	if (result->options->until > 0.0)
		report_boolean(report, "until_reached", !result->until_missed);
	report_decimal(report, "seconds", result->seconds, 6);
	report_number(report, "cells_per_second", result->rate);
	report_exchange(plan, report);
	report_print(report, "%lld x %lld x %lld cells, %lld steps = %.6g s, %.3g Gcell/s, %.2f s\n",
		     (long long)plan->cells[0], (long long)plan->cells[1], (long long)plan->cells[2],
		     (long long)result->steps, result->time, 1e-9 * result->rate, result->seconds);
	report_streamed(plan, report);
	report_errors(result, report);
	if (result->until_missed)
		report_print(report, "until: the field is still at %.2g of its peak; the limit was %.2g\n",
			     result->left, result->options->until);
	for (int n = 0; n < result->monitor_count; ++n)
		if (strcmp(result->monitors[n].kind, "resonances") == 0)
			report_resonances(&result->monitors[n], report);
}

static double seconds(const void *result)
{
	return ((const sonde_fdtd_result *)result)->seconds;
}

static const struct device_program *const programs[] = {&fdtd_program, NULL};

const struct engine fdtd_engine = {
    .name = "fdtd",
    .summary = "light propagating through a structure: Maxwell's equations in the time domain",
    .usage = "sonde fdtd JOB.yaml [options] [-o FILE]",
    .description =
	"Solves Maxwell's equations on Yee's grid, in one, two or three dimensions. The job's block fdtd: specifies "
	"the grid, and lists of boundaries, materials, bodies, sources and monitors; options of the grid may also be "
	"given on the command line. Lengths, times and frequencies may have units (500 nm, 20 fs, 400 THz, 2 eV); "
	"without a unit they are in SI units. --plan reports the memory and the time that a job needs.\n\n"
	"FILE may end in .h5, .hdf5 or .nxs (HDF5 in NeXus form, with all quantities), or in .csv, .xy, .dat or .txt "
	"(a table of the one-dimensional data of the monitors). Without -o, --plot, --frames and --vtk the table is "
	"written to the standard output. --plot draws spectra, fields against time, resonances, far fields and maps "
	"into one picture; --frames makes pictures of snapshots for a film, --vtk files for ParaView.",
    .job = "fdtd:\n"
	   "  size: 1 um, 1 um, 1 um\n"
	   "  cell: 25 nm\n"
	   "  time: 100 fs\n"
	   "  until: 1e-3\n"
	   "  materials: [{name: glass, index: 1.5}]\n"
	   "  bodies: [{material: glass, shape: sphere, radius: 250 nm}]\n"
	   "  sources: [{kind: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], wavelength: 700 nm}]\n"
	   "  monitors: [{kind: cross-section, wavelengths: 600 nm:800 nm:41}]",
    .examples = "sonde fdtd mie.yaml --plan\n"
		"sonde fdtd mie.yaml --until 1e-6 -o mie.h5\n"
		"sonde fdtd slab.yaml --device cuda:0 -o slab.csv --plot slab.png\n"
		"sonde fdtd lens.yaml --frames film -o lens.h5",
    .options = &fdtd_option_table,
    .lists = lists,
    .abilities = ENGINE_CRYSTAL | ENGINE_BODIES | ENGINE_JOB | ENGINE_DEVICES | ENGINE_PICTURE | ENGINE_PICTURE_AXES |
		 ENGINE_RANKS,
    .inputs = ENGINE_JOB_FILES,
    .outputs = ENGINE_RESULT_FILES,
    .stream = "txt",
    .programs = programs,
    .check = check,
    .check_format = fdtd_check_format,
    .plan = plan,
    .run = run,
    .write = write,
    .append_table = append_table,
    .write_more = write_more,
    .summarize = summarize,
    .seconds = seconds,
    .describe = fdtd_describe,
    .is_checkpoint_file = fdtd_checkpoint_is_one,
    .describe_checkpoint_file = fdtd_describe_checkpoint,
    .contents = fdtd_contents,
    .read = read_result,
    .free_result = free_result};
