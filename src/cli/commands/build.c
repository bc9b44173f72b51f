/* sonde build */
#include <stdio.h>

#include "base/file.h"
#include "base/status.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/commands/output.h"
#include "cli/program/job_blocks.h"
#include "cli/program/program.h"
#include "cli/program/spelling.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/files/atoms_output.h"
#include "matter/build/build.h"
#include "matter/build/size_distribution.h"
#include "matter/samples/size_files.h"
#include "matter/sample/sample_atoms.h"
#include "run/context.h"
#include "run/report.h"

static sonde_status print_summary(const sonde_context *context, const sonde_atoms *atoms,
				  const sonde_program_options *program)
{
	struct report report;
	struct text notes = {0};

	report_begin(&report, "build", program->json != 0);
	report.spell = spelling_of_program;
	report_integer(&report, "atoms", atoms_all(atoms));
	report_print(&report, "%s: %lld atoms:", output_name(program->output), (long long)atoms_all(atoms));
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s)
		report_print(&report, " %lld %s", (long long)atoms_all_of(atoms, s),
			     sonde_atoms_species_label(atoms, s));
	if (atoms->placements != NULL) {
		report_integer(&report, "stored_atoms", sonde_atoms_count(atoms));
		report_print(&report, "; %lld of them stored, with the places of %lld copies",
			     (long long)sonde_atoms_count(atoms), (long long)atoms_copy_count(atoms));
	}
	report_print(&report, "\n");
	spelling_append(context_notes(context), &notes);
	const sonde_status status = report_end(&report, notes.bytes != NULL ? notes.bytes : "");
	text_free(&notes);
	if (status == SONDE_OK && (program->json || !program->quiet))
		fputs(report.text.bytes, stdout);
	report_free(&report);
	return status;
}

static sonde_status print_sizes(const sonde_context *context, const struct size_files *written,
				const sonde_program_options *program)
{
	struct report report;
	struct text notes = {0};

	report_begin(&report, "build", program->json != 0);
	report.spell = spelling_of_program;
	report_integer(&report, "samples", written->samples);
	report_integer(&report, "fewest_atoms", written->fewest);
	report_integer(&report, "most_atoms", written->most);
	report_print(&report, "%s: %lld samples with %lld to %lld atoms\n", output_name(program->output),
		     (long long)written->samples, (long long)written->fewest, (long long)written->most);
	spelling_append(context_notes(context), &notes);
	const sonde_status status = report_end(&report, notes.bytes != NULL ? notes.bytes : "");
	text_free(&notes);
	if (status == SONDE_OK && (program->json || !program->quiet))
		fputs(report.text.bytes, stdout);
	report_free(&report);
	return status;
}

static sonde_status build_sizes(sonde_context *context, const sonde_build_options *options,
				const sonde_program_options *program)
{
	struct size_files written;

	CHECK(size_files_write(context, options, program->output, program->force != 0, &written));
	return print_sizes(context, &written, program);
}

static sonde_status build_and_write(sonde_context *context, const sonde_build_options *options,
				    const struct arguments *arguments)
{
	const sonde_program_options *program = &arguments->program;
	sonde_atoms *atoms;
	sonde_status status;

	if (build_has_sizes(options))
		return build_sizes(context, options, program);
	if (arguments->description != NULL)
		CHECK(sample_read_atoms(context, arguments->description, 0, options, &atoms));
	else
		CHECK(sonde_build_run(context, options, &atoms));
	status = sonde_atoms_write(context, atoms, program->output, program->force);
	if (status == SONDE_OK)
		status = print_summary(context, atoms, program);
	sonde_atoms_free(&atoms);
	return status;
}

static sonde_status check(const struct arguments *arguments, const sonde_build_options *options)
{
	const char *output = arguments->program.output;

	if (arguments->positional != NULL && arguments->job == NULL && arguments->description == NULL)
		return status_fail(SONDE_INVALID,
				   "'%.64s' is not a job file or a description of a sample (.yaml); give the output "
				   "by -o FILE.xyz",
				   arguments->positional);
	if (arguments->job == NULL && arguments->description == NULL && arguments->program.sample[0] != '\0') {
		CHECK(file_check_input(arguments->program.sample));
		return status_fail_option(
		    SONDE_INVALID, "sample",
		    "'%.64s' is not a description of a sample, a YAML file (.yaml) with a list of "
		    "bodies",
		    arguments->program.sample);
	}
	if (arguments->description != NULL)
		CHECK(sample_check_changes(arguments->description, options));
	if (output[0] == '\0')
		return status_fail(SONDE_INVALID, "no output is given; add -o FILE.xyz");
	if (build_has_sizes(options))
		return size_files_check(options, output, arguments->program.force != 0);
	CHECK(options->compact ? atoms_check_compact_ending(output) : atoms_check_ending(output));
	return file_check_output(output, arguments->program.force != 0);
}

static sonde_status carry_out(int argc, char **argv, struct job_blocks *blocks, sonde_build_options *options,
			      struct arguments *arguments)
{
	const struct command *command = command_find(argv[0]);
	sonde_context *context = NULL;

	CHECK(job_blocks_make_lists(NULL, &arguments->lists, &arguments->list_count));
	CHECK(arguments_read(command, argc, argv, options, blocks->blocks, blocks->count, arguments));
	if (arguments->help)
		return help_answer(command, arguments);
	CHECK(check(arguments, options));
	CHECK(program_context(&arguments->program, command, argc, argv, &context));
	const sonde_status status = build_and_write(context, options, arguments);
	program_context_free(&context);
	return status;
}

sonde_status command_build(int argc, char **argv)
{
	struct job_blocks blocks = {.count = 0};
	struct arguments arguments = {.lists = NULL};
	sonde_build_options options;

	sonde_build_options_init(&options);
	job_blocks_add(&blocks, &(struct yaml_block){.table = &build_option_table, .options = &options});
	sonde_status status = job_blocks_add_probes(&blocks);
	if (status == SONDE_OK)
		status = carry_out(argc, argv, &blocks, &options, &arguments);
	job_blocks_free_lists(&arguments.lists, &arguments.list_count);
	text_free(&arguments.notes);
	job_blocks_free(&blocks);
	return status;
}
