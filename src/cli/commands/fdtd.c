/* sonde fdtd */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/standard_output.h"
#include "base/status.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/commands/output.h"
#include "cli/plot/plot.h"
#include "cli/program/progress.h"
#include "fdtd/option_tables.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/output/result_folders.h"
#include "matter/build.h"

enum { BOUNDARIES, MATERIALS, BODIES, SOURCES, MONITORS, LISTS };

static void append_seconds(double seconds, char *text, size_t size)
{
	snprintf(text, size,
		 seconds < 90     ? "%.2g s"
		 : seconds < 5400 ? "%.2g min"
				  : "%.2g h",
		 seconds < 90     ? seconds
		 : seconds < 5400 ? seconds / 60
				  : seconds / 3600);
}

/* What a run takes -------------------------------------------------------------------------- */

static void print_plan(const sonde_fdtd_plan *plan)
{
	double cells = (double)plan->cells[0] * (double)plan->cells[1] * (double)plan->cells[2];
	char time[32];

	printf("cells          %lld x %lld x %lld = %.4g, of these %lld x %lld x %lld between the layers\n",
	       (long long)plan->cells[0], (long long)plan->cells[1], (long long)plan->cells[2], cells,
	       (long long)plan->inner_cells[0], (long long)plan->inner_cells[1], (long long)plan->inner_cells[2]);
	printf("cell           %.6g x %.6g x %.6g m\n", plan->cell[0], plan->cell[1], plan->cell[2]);
	if (plan->shortest_wavelength > 0.0)
		printf("wavelength     %.3g cells, the shortest there is\n", plan->shortest_wavelength);
	printf("time step      %.6g s\n", plan->time_step);
	if (plan->steps > 0)
		printf("steps          %lld = %.6g s%s\n", (long long)plan->steps,
		       (double)plan->steps * plan->time_step,
		       plan->runs > 2   ? ", as many of the wave alone, and as many with the reference run's bodies"
		       : plan->runs > 1 ? ", and as many without bodies"
					: "");
	else
		printf("steps          until the field has fallen%s\n",
		       plan->runs > 2   ? "; a run of the wave alone, and one with the reference run's bodies"
		       : plan->runs > 1 ? "; a second run without bodies"
					: "");
	printf("memory         %.4g GB of the device, %.3g bytes a cell\n", 1e-9 * plan->device_memory,
	       plan->memory_of_cell);
	append_seconds(plan->steps > 0 ? plan->seconds : cells * plan->runs / plan->rate * 1000.0, time, sizeof time);
	printf("time           about %s%s at %.3g Gcell/s\n", time, plan->steps > 0 ? "" : " for 1000 steps",
	       1e-9 * plan->rate);
}

static void print_plan_json(const sonde_context *context, const sonde_fdtd_plan *plan, const char *warnings)
{
	printf("{\"command\": \"fdtd\", \"cells\": [%lld, %lld, %lld], \"inner_cells\": [%lld, %lld, %lld], "
	       "\"time_step\": %.17g, \"steps\": %lld, \"runs\": %d, \"device_memory\": %.0f, \"rate\": %.6g, "
	       "\"seconds\": %.6g, \"cells_a_wavelength\": %.6g",
	       (long long)plan->cells[0], (long long)plan->cells[1], (long long)plan->cells[2],
	       (long long)plan->inner_cells[0], (long long)plan->inner_cells[1], (long long)plan->inner_cells[2],
	       plan->time_step, (long long)plan->steps, plan->runs, plan->device_memory, plan->rate, plan->seconds,
	       plan->shortest_wavelength);
	output_end_json("", warnings, context);
}

/* Results -------------------------------------------------------------------------------------- */

static void print_resonances(const sonde_fdtd_monitor *monitor)
{
	const sonde_fdtd_array *frequency = sonde_fdtd_find_array(monitor, "frequency"),
			       *error = sonde_fdtd_find_array(monitor, "frequency-error"),
			       *quality = sonde_fdtd_find_array(monitor, "quality");

	if (frequency == NULL || error == NULL || quality == NULL)
		return;
	if (frequency->sizes[0] == 0)
		printf("%s: no resonances found\n", monitor->name);
	for (int64_t n = 0; n < frequency->sizes[0]; ++n)
		printf("%s: %.9g +- %.2g THz, Q %.6g\n", monitor->name, 1e-12 * frequency->values[n],
		       1e-12 * error->values[n], quality->values[n]);
}

static void print_text(const sonde_fdtd_result *result, const sonde_program_options *program,
		       const struct fdtd_folder_report reports[2])
{
	const sonde_fdtd_plan *plan = &result->plan;

	printf("%lld x %lld x %lld cells, %lld steps = %.6g s, %.3g Gcell/s, %.2f s\n", (long long)plan->cells[0],
	       (long long)plan->cells[1], (long long)plan->cells[2], (long long)result->steps, result->time,
	       1e-9 * result->rate, result->seconds);
	if (result->until_missed)
		printf("until: the field is at %.2g of its largest yet; it was to fall to %.2g\n", result->left,
		       result->options.until);
	for (int n = 0; n < result->monitor_count; ++n)
		if (strcmp(result->monitors[n].kind, "resonances") == 0)
			print_resonances(&result->monitors[n]);
	if (program->output[0] != '\0')
		printf("%s: written\n", output_name(program->output));
	if (program->plot[0] != '\0')
		printf("%s: drawn\n", program->plot);
	if (result->options.frames[0] != '\0')
		printf("%s: %lld pictures; films of them:\n%s", result->options.frames, (long long)reports[0].files,
		       reports[0].films.bytes != NULL ? reports[0].films.bytes : "");
	if (result->options.vtk[0] != '\0')
		printf("%s: %lld VTK files\n", result->options.vtk, (long long)reports[1].files);
}

static void print_json(const sonde_context *context, const sonde_fdtd_result *result, const char *warnings)
{
	printf(
	    "{\"command\": \"fdtd\", \"cells\": [%lld, %lld, %lld], \"steps\": %lld, \"time\": %.10g, \"left\": %.6g",
	    (long long)result->plan.cells[0], (long long)result->plan.cells[1], (long long)result->plan.cells[2],
	    (long long)result->steps, result->time, result->left);
	if (result->options.until > 0.0)
		printf(", \"until_reached\": %s", result->until_missed ? "false" : "true");
	printf(", \"seconds\": %.6f, \"cells_per_second\": %.6g", result->seconds, result->rate);
	output_end_json("", warnings, context);
}

static sonde_status print_table(const sonde_fdtd_result *result)
{
	struct text text = {0};
	sonde_status status = fdtd_table_text(result, false, &text);

	if (status == SONDE_OK)
		status = output_print(&text);
	text_free(&text);
	return status;
}

/* Pictures and VTK files; the result itself is written already. */
static sonde_status draw(sonde_context *context, const sonde_fdtd_result *result,
			 const sonde_program_options *program, struct fdtd_folder_report reports[2])
{
	bool force = program->force != 0;

	CHECK(fdtd_write_frames(context, result, force, &reports[0]));
	CHECK(fdtd_write_vtk(context, result, force, &reports[1]));
	return program->plot[0] != '\0' ? plot_fdtd(context, result, program) : SONDE_OK;
}

static sonde_status deliver(sonde_context *context, const sonde_fdtd_result *result,
			    const struct arguments *arguments)
{
	const sonde_program_options *program = &arguments->program;
	bool written = program->output[0] != '\0' || program->plot[0] != '\0' || result->options.frames[0] != '\0' ||
		       result->options.vtk[0] != '\0';
	struct fdtd_folder_report reports[2] = {{0}};

	progress_stop();
	if (standard_output_is(program->output))
		CHECK(sonde_fdtd_result_write(result, program->output, true));
	sonde_status status = draw(context, result, program, reports);
	if (status == SONDE_OK && !program->json && written && !program->quiet)
		print_text(result, program, reports);
	text_free(&reports[0].films);
	if (status != SONDE_OK)
		return program->output[0] != '\0' ? status_prefix(status, "%s is written, but", program->output)
						  : status;
	if (program->json)
		print_json(context, result, arguments->notes.bytes);
	else if (!written)
		CHECK(print_table(result));
	return output_flush(program);
}

/* The job ---------------------------------------------------------------------------------------- */

static void take_lists(const struct yaml_list *lists, sonde_fdtd_job *job)
{
#define TAKE(member, number)                              \
	job->member.count = (int64_t)lists[number].count; \
	job->member.items = lists[number].items;          \
	job->member.lines = lists[number].lines
	TAKE(boundaries, BOUNDARIES);
	TAKE(materials, MATERIALS);
	TAKE(bodies, BODIES);
	TAKE(sources, SOURCES);
	TAKE(monitors, MONITORS);
#undef TAKE
}

static sonde_status run(sonde_context *context, const sonde_fdtd_job *job, const struct arguments *arguments)
{
	const sonde_program_options *program = &arguments->program;
	sonde_fdtd_result *result = NULL;
	sonde_fdtd_plan plan;
	sonde_status status;

	if (job->options.plan) {
		CHECK(sonde_fdtd_make_plan(context, job, &plan));
		if (program->plot[0] != '\0')
			CHECK(plot_fdtd_geometry(context, job, program->plot, program->force != 0));
		progress_stop();
		if (program->json)
			print_plan_json(context, &plan, arguments->notes.bytes);
		else
			print_plan(&plan);
		if (program->plot[0] != '\0' && !program->json && !program->quiet)
			printf("%s: drawn\n", program->plot);
		return output_flush(program);
	}
	status = program->output[0] != '\0' && !standard_output_is(program->output)
		     ? sonde_fdtd_run_to_file(context, job, program->output, program->force, &result)
		     : sonde_fdtd_run(context, job, &result);
	if (status == SONDE_OK)
		status = deliver(context, result, arguments);
	sonde_fdtd_result_free(&result);
	return status;
}

/* Before the run: what is to be drawn can be, and the folders can be written. */
static sonde_status check_pictures(const sonde_fdtd_job *job, const sonde_program_options *program)
{
	if (program->plot[0] != '\0' && !job->options.plan)
		CHECK(plot_fdtd_check(job));
	return fdtd_check_folders(job, program->force != 0);
}

/* Of numbers that may lack a unit, before a run that may then be very long; a job that is refused has its own message. */
static sonde_status warn(sonde_context *context, const sonde_fdtd_job *job, const struct arguments *arguments)
{
	sonde_fdtd_plan plan;

	if (arguments->notes.bytes == NULL)
		return SONDE_OK;
	CHECK(sonde_fdtd_make_plan(context, job, &plan));
	progress_stop();
	progress_warn(arguments->notes.bytes);
	return SONDE_OK;
}

sonde_status command_fdtd(int argc, char **argv)
{
	const struct command *command = command_find("fdtd");
	struct yaml_list lists[LISTS] = {{.block = "fdtd", .table = &fdtd_boundary_table},
					 {.block = "fdtd", .table = &fdtd_material_table},
					 {.block = "fdtd", .table = &fdtd_body_table},
					 {.block = "fdtd", .table = &fdtd_source_table},
					 {.block = "fdtd", .table = &fdtd_monitor_table}};
	struct arguments arguments = {.lists = lists, .list_count = LISTS};
	sonde_context *context = NULL;
	sonde_fdtd_job job;
	sonde_build_options build;
	size_t *option_lines = NULL;
	struct yaml_block blocks[] = {{&fdtd_option_table, &job.options, false, NULL, NULL, NULL},
				      {&build_option_table, &build, false, NULL, NULL, NULL}};
	sonde_status status;

	sonde_fdtd_job_init(&job);
	CHECK(memory_allocate(&option_lines, fdtd_option_table.count, sizeof *option_lines, "a job"));
	blocks[0].lines = option_lines;
	status = arguments_read(command, argc, argv, &job.options, blocks, 2, &arguments);
	if (status == SONDE_OK && arguments.help)
		status = help_answer(command, &arguments);
	if (status != SONDE_OK || arguments.help)
		goto done;
	if (arguments.job == NULL) {
		status =
		    status_fail(SONDE_INVALID,
				"a job file is needed: sonde fdtd JOB.yaml; 'sonde fdtd --help' says what is in it");
		goto done;
	}
	job.file = arguments.job;
	job.option_lines = option_lines;
	job.build = blocks[1].present ? &build : NULL;
	take_lists(lists, &job);
	CHECK_GOTO(status, output_check(&arguments, NULL, fdtd_check_format), done);
	CHECK_GOTO(status, check_pictures(&job, &arguments.program), done);
	CHECK_GOTO(status, program_context(&arguments.program, command, argc, argv, &context), done);
	status = warn(context, &job, &arguments);
	if (status == SONDE_OK)
		status = run(context, &job, &arguments);
	program_context_free(&context);
done:
	text_free(&arguments.notes);
	for (int n = 0; n < LISTS; ++n)
		yaml_list_free(&lists[n]);
	free(option_lines);
	return status;
}
