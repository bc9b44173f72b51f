/* The command of any engine: reads the job, runs it, delivers the result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/standard_output.h"
#include "base/status.h"
#include "cli/commands/output.h"
#include "cli/plot/plot.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/program/job.h"
#include "cli/program/job_blocks.h"
#include "cli/program/ranks.h"
#include "cli/program/progress.h"
#include "cli/program/spelling.h"
#include "matter/atoms/atoms.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/build/build.h"
#include "matter/sample/sample_atoms.h"
#include "run/engine_calls.h"
#include "run/share_record.h"
#include "sonde/lattice.h"

/* A command in progress. */
struct work {
	const struct command *command;
	const struct engine *engine;
	int argc;
	char **argv;
	struct arguments arguments;
	void *options; /* the engine's */
	size_t *option_lines;
	sonde_build_options build;
	struct job_blocks blocks; /* the engine's, then `build`, then those of other engines */
	struct engine_request request;
	sonde_context *context;
	sonde_atoms *atoms;
	sonde_lattice *lattice; /* in place of atoms, or null */
	sonde_sample *described;
	double began, sampled; /* clock_seconds() at the start, and with the sample */
	double processor;      /* seconds of this process on all processors, of the run */
	struct start_seconds start;
	struct share_row *shares; /* of all ranks, on the first one */
	size_t share_count;
};

static bool takes(const struct work *work, unsigned ability)
{
	return (work->engine->abilities & ability) != 0;
}

/* Reading ----------------------------------------------------------------------------------------------- */

static sonde_status prepare(struct work *work)
{
	const struct option_table *table = work->engine->options;

	CHECK(job_blocks_make_lists(work->engine, &work->arguments.lists, &work->arguments.list_count));
	CHECK(memory_allocate(&work->options, table->struct_size, 1, "a job"));
	CHECK(memory_allocate(&work->option_lines, table->count, sizeof *work->option_lines, "a job"));
	options_set_defaults(table, work->options);
	job_blocks_add(&work->blocks,
		       &(struct yaml_block){.table = table, .options = work->options, .lines = work->option_lines});
	if (takes(work, ENGINE_SAMPLE | ENGINE_CRYSTAL))
		job_blocks_add(&work->blocks,
			       &(struct yaml_block){.table = &build_option_table, .options = &work->build});
	return takes(work, ENGINE_SAMPLE | ENGINE_BODIES) ? job_blocks_add_probes(&work->blocks) : SONDE_OK;
}

static void release(struct work *work)
{
	sonde_atoms_free(&work->atoms);
	sonde_lattice_free(&work->lattice);
	sonde_sample_free(&work->described);
	text_free(&work->arguments.notes);
	job_blocks_free_lists(&work->arguments.lists, &work->arguments.list_count);
	job_blocks_free(&work->blocks);
	free(work->option_lines);
	free(work->shares);
	free(work->options);
}

/* The job of another program; the command line takes precedence over it. */
static sonde_status read_foreign_job(struct work *work)
{
	const struct engine_foreign_job *foreign = work->engine->foreign_job;
	struct arguments *arguments = &work->arguments;

	if (takes(work, ENGINE_SAMPLE) || arguments->positional == NULL || arguments->job != NULL ||
	    arguments->description != NULL)
		return SONDE_OK;
	if (foreign == NULL || !foreign->is_named(arguments->positional))
		return status_fail(SONDE_INVALID, "'%.64s' is %s a job file (.yaml)%s", arguments->positional,
				   foreign != NULL ? "neither" : "not",
				   work->engine->positional_advice != NULL ? work->engine->positional_advice : "");
	options_set_defaults(work->engine->options, work->options);
	CHECK(foreign->read(arguments->positional, work->options));
	return arguments_read(work->command, work->argc, work->argv, work->options, NULL, 0, arguments);
}

static sonde_status read(struct work *work)
{
	struct arguments *arguments = &work->arguments;

	CHECK(arguments_read(work->command, work->argc, work->argv, work->options, work->blocks.blocks,
			     work->blocks.count, arguments));
	if (arguments->help)
		return SONDE_OK;
	CHECK(read_foreign_job(work));
	if (takes(work, ENGINE_JOB) && arguments->job == NULL)
		return status_fail(SONDE_INVALID,
				   "a job file is needed: sonde %s JOB.yaml; 'sonde %s --help' describes it",
				   work->engine->name, work->engine->name);
	return SONDE_OK;
}

/* The description of the sample, for engines that read its bodies. A job with several blocks may name atoms for others. */
static sonde_status read_description(struct work *work)
{
	const struct arguments *arguments = &work->arguments;
	const char *path = arguments->program.sample;

	if (!takes(work, ENGINE_BODIES) || (arguments->description == NULL && path[0] == '\0'))
		return SONDE_OK;
	if (arguments->description != NULL && arguments->description != path && path[0] != '\0')
		return status_fail(SONDE_INVALID, "more than one sample is given; choose one");
	if (arguments->description != NULL)
		return sonde_sample_read(arguments->description, &work->described);
	if (arguments->job != NULL)
		return SONDE_OK;
	CHECK(file_check_input(path));
	return status_fail_option(
	    SONDE_INVALID, "sample",
	    "'%.64s' is not a description of a sample, a YAML file (.yaml) with a list of bodies, "
	    "which this command needs",
	    path);
}

static void make_request(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	const bool to_file = program->output[0] != '\0' && !standard_output_is(program->output);

	work->request = (struct engine_request){
	    .options = work->options,
	    .lists = work->arguments.lists,
	    .build = takes(work, ENGINE_SAMPLE | ENGINE_CRYSTAL) ? &work->blocks.blocks[1] : NULL,
	    .described = work->described,
	    .job = work->arguments.job,
	    .option_lines = work->arguments.job != NULL ? work->option_lines : NULL,
	    .output = to_file ? program->output : NULL,
	    .overwrite = program->force != 0,
	    .values_needed = program->plot[0] != '\0'};
}

/* Checks before the run ---------------------------------------------------------------------------------- */

/* Files and folders named by the engine's options: inputs must not be outputs, and outputs must be writable. */
static sonde_status check_named_files(struct work *work, bool *other_outputs)
{
	const struct option_table *table = work->engine->options;
	const sonde_program_options *program = &work->arguments.program;

	for (size_t k = 0; k < table->count; ++k) {
		const enum option_file kind = option_file(&table->rows[k]);
		const char *value = kind != OPTION_NO_FILE ? option_text(&table->rows[k], work->options) : "";
		if (value[0] == '\0')
			continue;
		if (kind == OPTION_FILE || kind == OPTION_FILE_OR_VALUE) {
			CHECK(output_check_input(&work->arguments, value));
			continue;
		}
		*other_outputs = true;
		if (kind != OPTION_NEW_FILE || program->plan)
			continue;
		if (strcmp(value, program->output) == 0)
			return status_fail_file(SONDE_INVALID, value,
						"is given twice, by --output and by another option");
		CHECK(file_check_output(value, program->force != 0));
	}
	return SONDE_OK;
}

static sonde_status check(struct work *work, bool *other_outputs)
{
	struct arguments all = work->arguments;

	/* a resumed run replaces the file that it continues */
	all.program.force =
	    work->arguments.program.force != 0 || options_flag(work->engine->options, work->options, "resume");
	CHECK(output_check(&all, work->engine));
	CHECK(check_named_files(work, other_outputs));
	CHECK(work->engine->check != NULL ? work->engine->check(&work->request) : SONDE_OK);
	return all.program.plot[0] != '\0' && !all.program.plan ? plot_check(work->engine, &work->request) : SONDE_OK;
}

/* The devices are opened while the sample is read; a small one may not need them. */
static bool may_need_devices(const struct work *work)
{
	const struct arguments *arguments = &work->arguments;
	const char *path = arguments->program.sample[0] != '\0' ? arguments->program.sample : arguments->positional;
	struct stat properties;

	return work->engine->large_sample > 0 &&
	       (strcmp(arguments->program.device, "auto") != 0 || path == NULL || stat(path, &properties) != 0 ||
		(size_t)properties.st_size > work->engine->large_sample);
}

/* Whether the engine reads the samples itself. */
static sonde_status has_several_samples(struct work *work, bool *several)
{
	const struct arguments *arguments = &work->arguments;

	*several = false;
	if (work->engine->reads_samples == NULL)
		return SONDE_OK;
	CHECK(job_sample_file(arguments, &work->blocks.blocks[1], &work->request.sample_file));
	*several = work->engine->reads_samples(&work->request);
	return *several && arguments->program.frame != 0
		   ? status_fail_option(SONDE_INVALID, "frame",
					"chooses one frame, but several samples are given; those of a trajectory are "
					"chosen by `frames`")
		   : SONDE_OK;
}

#define MANY_ATOMS 1000000 /* of which a list is avoided if it is not needed */

/* The sample as a lattice, if the engine takes that; null otherwise. */
static sonde_status read_lattice(struct work *work)
{
	const struct yaml_block *build = &work->blocks.blocks[1];
	const enum engine_form form =
	    work->engine->take_lattice != NULL ? work->engine->take_lattice(work->options) : ENGINE_FORM_ATOMS;

	if (form == ENGINE_FORM_ATOMS || !build->present || work->arguments.program.sample[0] != '\0')
		return SONDE_OK;
	sonde_status status = sonde_build_lattice(work->context, build->options, &work->lattice);
	if (form == ENGINE_FORM_LATTICE_IF_LARGE) {
		if (status == SONDE_OK && sonde_lattice_atoms(work->lattice) < MANY_ATOMS)
			sonde_lattice_free(&work->lattice);
		return status == SONDE_INVALID ? SONDE_OK : status;
	}
	if (status != SONDE_INVALID)
		return status;
	status_name_keys();
	return status_prefix(status, "%s: build", work->arguments.job);
}

static sonde_status read_sample(struct work *work)
{
	struct arguments all = work->arguments;
	bool several;

	if (!takes(work, ENGINE_SAMPLE))
		return SONDE_OK;
	CHECK(has_several_samples(work, &several));
	if (several) {
		if (may_need_devices(work))
			sonde_context_prepare(work->context);
		return SONDE_OK;
	}
	if (work->engine->choose_frame != NULL)
		CHECK(work->engine->choose_frame(work->options, &all.program.frame));
	if (may_need_devices(work))
		sonde_context_prepare(work->context);
	CHECK(read_lattice(work));
	if (work->lattice != NULL) {
		work->request.lattice = work->lattice;
		return SONDE_OK;
	}
	CHECK(job_sample(work->context, &all, &work->blocks.blocks[1], &work->atoms));
	if (!takes(work, ENGINE_COMPACT))
		CHECK(atoms_expand(work->context, &work->atoms));
	work->request.atoms = work->atoms;
	work->request.sample = work->atoms->source.bytes;
	work->request.sample_sha256 = work->atoms->sha256;
	return SONDE_OK;
}

/* The plan ------------------------------------------------------------------------------------------------ */

static void report_bytes(struct report *report, const char *name, const char *key, double bytes)
{
	if (bytes > 0.0) {
		report_line(report, name, "%.3g %s", bytes < 1e9 ? 1e-6 * bytes : 1e-9 * bytes,
			    bytes < 1e9 ? "MB" : "GB");
		report_number(report, key, bytes);
	}
}

static void report_time(struct report *report, double seconds)
{
	const double divisor = seconds < 90.0 ? 1.0 : seconds < 5400.0 ? 60.0 : 3600.0;

	if (seconds >= 0.0)
		report_line(report, "time", "about %.2g %s", seconds / divisor,
			    divisor == 1.0    ? "s"
			    : divisor == 60.0 ? "min"
					      : "h");
	report_number(report, "seconds", seconds);
}

static sonde_status report_devices(const struct work *work, struct report *report)
{
	sonde_context *context = work->context;
	struct device **devices;
	int count;

	if (!takes(work, ENGINE_DEVICES)) {
		report_open_list(report, "devices");
		report_line(report, "device", "cpu");
		report_text(report, NULL, "cpu");
		report_close(report);
		return SONDE_OK;
	}
	CHECK(context_devices(context, &devices, &count));
	report_open_list(report, "devices");
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL) {
			report_line(report, "device", "%s", device_name(devices[k]));
			report_text(report, NULL, device_name(devices[k]));
		}
	report_close(report);
	return SONDE_OK;
}

/* Time of reading the job and the sample and opening devices, as in a run. While other processes use the same cores,
 * processor time is a better measure; the start of a GPU is not included in it. */
static double seconds_so_far(const struct work *work)
{
	struct device **devices;
	int count = 0;
	bool gpu = false;

	if (takes(work, ENGINE_DEVICES) && context_devices(work->context, &devices, &count) == SONDE_OK)
		for (int k = 0; k < count; ++k)
			gpu |= devices[k] != NULL && device_properties(devices[k])->gpu_kernels;
	const double wall = clock_seconds() - work->began;
	return gpu ? wall : fmin(wall, clock_processor_seconds());
}

static sonde_status report_plan(struct work *work, struct report *report)
{
	struct engine_estimate estimate = {0};

	CHECK(engine_plan(work->context, work->engine, &work->request, &estimate, report));
	if (estimate.method[0] != '\0') {
		report_line(report, "method", "%s", estimate.method);
		report_text(report, "method", estimate.method);
	}
	CHECK(report_devices(work, report));
	report_bytes(report, "memory", "device_memory", estimate.device_memory);
	report_bytes(report, "main memory", "host_memory", estimate.host_memory);
	report_time(report, estimate.seconds + seconds_so_far(work));
	return SONDE_OK;
}

/* Warnings from before the run, with those of the context. */
static sonde_status finish(const struct work *work, struct report *report, const char *written)
{
	const sonde_program_options *program = &work->arguments.program;
	struct text warnings = {0};

	report_print(report, "%s", written);
	text_append(&warnings, "%s", work->arguments.notes.bytes != NULL ? work->arguments.notes.bytes : "");
	spelling_append(context_notes(work->context), &warnings);
	sonde_status status = report_end(report, warnings.bytes != NULL ? warnings.bytes : "");
	text_free(&warnings);
	if (status == SONDE_OK && report->text.bytes != NULL && (program->json || !program->quiet))
		fputs(report->text.bytes, stdout);
	return status == SONDE_OK ? output_flush(program) : status;
}

static sonde_status show_plan(struct work *work)
{
	const sonde_program_options *program = &work->arguments.program;
	struct report report;
	struct text written = {0};

	report_begin(&report, work->engine->name, program->json != 0);
	report.spell = spelling_of_program;
	sonde_status status = report_plan(work, &report);
	if (status == SONDE_OK && program->plot[0] != '\0' && context_writes(work->context)) {
		status = plot_plan(work->context, work->engine, &work->request, program);
		text_append(&written, "%s: drawn\n", program->plot);
	}
	progress_stop();
	if (status == SONDE_OK && context_writes(work->context))
		status = finish(work, &report, written.bytes != NULL ? written.bytes : "");
	text_free(&written);
	report_free(&report);
	return status;
}

/* Results ------------------------------------------------------------------------------------------------- */

static sonde_status print_table(const struct work *work, const void *result)
{
	struct text text = {0};
	sonde_status status = engine_append_table(work->engine, result, &text);

	if (status == SONDE_OK)
		status = output_print(&text);
	text_free(&text);
	return status;
}

/* Everything except the result file, which is written already unless it is the standard output. */
static sonde_status write_others(const struct work *work, const void *result, struct text *written)
{
	const sonde_program_options *program = &work->arguments.program;
	struct text more = {0};
	sonde_status status = SONDE_OK;

	if (standard_output_is(program->output))
		CHECK(engine_write(work->engine, result, program->output, true));
	if (program->output[0] != '\0')
		text_append(written, "%s: written\n", output_name(program->output));
	if (work->engine->write_more != NULL)
		status = work->engine->write_more(work->context, result, &work->request, &more);
	if (status == SONDE_OK && program->plot[0] != '\0') {
		status = plot_result(work->context, work->engine, result, program);
		text_append(written, "%s: drawn\n", program->plot);
	}
	text_append(written, "%s", more.bytes != NULL ? more.bytes : "");
	text_free(&more);
	if (status != SONDE_OK && program->output[0] != '\0')
		return status_prefix(status, "%s is written, but", output_name(program->output));
	return status;
}

/* The notes of other ranks that the first one does not have. */
static void add_notes(const struct work *work, const char *all, size_t size)
{
	for (const char *line = all; line < all + size; line += strcspn(line, "\n") + 1) {
		const char *text = strchr(line, ':') + 2; /* after "rank K: " */
		char *note = strndup(text, strcspn(text, "\n"));
		if (note != NULL && strstr(context_notes(work->context), note) == NULL)
			context_notef(work->context, "%.*s", (int)strcspn(line, "\n"), line);
		free(note);
	}
}

static sonde_status collect_notes(const struct work *work)
{
	struct parallel *ranks = context_ranks(work->context);
	struct text own = {0};
	void *all;
	size_t size;

	if (parallel_size(ranks) == 1)
		return SONDE_OK;
	for (const char *line = context_notes(work->context); *line != '\0' && !parallel_is_first(ranks);) {
		const size_t length = strcspn(line, "\n");
		text_append(&own, "rank %d: %.*s\n", parallel_rank(ranks), (int)length, line);
		line += length + (line[length] != '\0');
	}
	sonde_status status = parallel_agree(ranks, text_status(&own));
	if (status == SONDE_OK)
		status = parallel_gather(ranks, own.bytes, own.size, &all, &size);
	text_free(&own);
	CHECK(status);
	if (parallel_is_first(ranks))
		add_notes(work, all, size);
	free(all);
	return SONDE_OK;
}

/* Where the time went: what is shared by devices and ranks is `computing`. Files that are written during the run are part of it. */
static void report_times(const struct work *work, const void *result, struct report *report)
{
	const double run = engine_seconds(work->engine, result), now = clock_seconds(),
		     start = work->start.devices + work->start.kernels;

	if (work->start.gpus)
		report_line(report, "time", "%.3g s of computing, %.2g s of waiting for devices and kernels",
			    fmax(run - start, 0.0), start);
	report_open_object(report, "times");
	report_decimal(report, "sample", work->sampled - work->began, 6);
	report_decimal(report, "devices", work->start.devices, 6);
	report_decimal(report, "kernels", work->start.kernels, 6);
	report_decimal(report, "computing", fmax(run - start, 0.0), 6);
	report_decimal(report, "files", fmax(now - work->sampled - run, 0.0), 6);
	report_decimal(report, "processor", work->processor, 6);
	report_close(report);
	share_record_report(work->shares, work->share_count, report);
}

static sonde_status deliver(const struct work *work, const void *result, bool other_outputs)
{
	const sonde_program_options *program = &work->arguments.program;
	const bool files = program->output[0] != '\0' || program->plot[0] != '\0' || other_outputs;
	struct report report;
	struct text written = {0};

	progress_stop();
	sonde_status status = write_others(work, result, &written);
	if (status == SONDE_OK && !files && !program->json) {
		status = print_table(work, result);
	} else if (status == SONDE_OK) {
		report_begin(&report, work->engine->name, program->json != 0);
		report.spell = spelling_of_program;
		engine_summarize(work->engine, result, &work->request, &report);
		report_times(work, result, &report);
		status = finish(work, &report, written.bytes != NULL ? written.bytes : "");
		report_free(&report);
	}
	text_free(&written);
	return status;
}

/* Those of values that may lack a unit. */
static void print_warnings(const struct work *work)
{
	if (work->arguments.notes.bytes == NULL)
		return;
	progress_stop();
	if (ranks_is_first())
		progress_warn(work->arguments.notes.bytes);
}

/* Warns of values that may lack a unit, before a run that may then be very long; a refused job has its own message.
 * */
static sonde_status warn(struct work *work)
{
	struct engine_estimate estimate = {0};
	struct report report;

	if (work->arguments.notes.bytes == NULL || work->arguments.program.plan)
		return SONDE_OK;
	report_begin(&report, work->engine->name, false);
	const sonde_status status = engine_has_plan(work->engine)
					? engine_plan(work->context, work->engine, &work->request, &estimate, &report)
					: SONDE_OK;
	report_free(&report);
	CHECK(status);
	print_warnings(work);
	return SONDE_OK;
}

static sonde_status compute(struct work *work, bool other_outputs)
{
	void *result = NULL;

	CHECK(read_sample(work));
	work->sampled = clock_seconds();
	CHECK(warn(work));
	if (work->arguments.program.plan) {
		CHECK(show_plan(work));
		print_warnings(work);
		return SONDE_OK;
	}
	const double processor = clock_processor_seconds();
	CHECK(engine_run(work->context, work->engine, &work->request, &result));
	work->processor = clock_processor_seconds() - processor;
	sonde_status status = collect_notes(work);
	if (status == SONDE_OK)
		status = context_start_seconds(work->context, &work->start);
	if (status == SONDE_OK)
		status = share_record_gather(work->context, &work->shares, &work->share_count);
	if (status == SONDE_OK && context_writes(work->context))
		status = deliver(work, result, other_outputs);
	engine_free_result(work->engine, &result);
	return status;
}

static sonde_status check_ranks(const struct work *work)
{
	if (parallel_size(ranks_of_program()) == 1 || takes(work, ENGINE_RANKS) || !takes(work, ENGINE_DEVICES))
		return SONDE_OK;
	return status_fail(SONDE_INVALID, "several ranks cannot share this command yet; start it without mpirun, and "
					  "use several devices by `device`");
}

static sonde_status carry_out(struct work *work)
{
	bool other_outputs = false;

	CHECK(prepare(work));
	CHECK(read(work));
	if (work->arguments.help)
		return ranks_is_first() ? help_answer(work->command, &work->arguments) : SONDE_OK;
	CHECK(check_ranks(work));
	CHECK(read_description(work));
	make_request(work);
	/* before the first rank writes, which the others would find */
	CHECK(parallel_agree(command_is_for_ranks(work->command) ? ranks_of_program() : NULL,
			     check(work, &other_outputs)));
	CHECK(program_context(&work->arguments.program, work->command, work->argc, work->argv, &work->context));
	if (work->described != NULL)
		sample_give_notes(work->context, work->described);
	const sonde_status status = compute(work, other_outputs);
	program_context_free(&work->context);
	return status;
}

sonde_status command_engine(int argc, char **argv)
{
	struct work *work;

	CHECK(memory_allocate(&work, 1, sizeof *work, "a job"));
	work->command = command_find(argv[0]);
	work->engine = work->command->engine;
	work->began = clock_seconds();
	work->argc = argc;
	work->argv = argv;
	const sonde_status status = carry_out(work);
	release(work);
	free(work);
	return status;
}
