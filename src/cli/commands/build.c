/* sonde build */
#include <stdio.h>

#include "base/file.h"
#include "base/status.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/commands/output.h"
#include "cli/program/program.h"
#include "matter/build.h"
#include "debye/debye.h"

static void print_summary(const sonde_context *context, const sonde_atoms *atoms,
			  const sonde_program_options *program)
{
	if (program->json) {
		printf("{\"command\": \"build\", \"atoms\": %lld", (long long)sonde_atoms_count(atoms));
		output_end_json("", NULL, context);
		return;
	}
	if (program->quiet)
		return;
	printf("%s: %lld atoms:", output_name(program->output), (long long)sonde_atoms_count(atoms));
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s)
		printf(" %lld %s", (long long)sonde_atoms_species_atoms(atoms, s),
		       sonde_atoms_species_label(atoms, s));
	printf("\n");
}

static sonde_status build_and_write(sonde_context *context, const sonde_build_options *options,
				    const sonde_program_options *program)
{
	sonde_atoms *atoms;
	sonde_status status;

	CHECK(sonde_build_run(context, options, &atoms));
	status = sonde_atoms_write(context, atoms, program->output, program->force);
	if (status == SONDE_OK)
		print_summary(context, atoms, program);
	sonde_atoms_free(&atoms);
	return status;
}

sonde_status command_build(int argc, char **argv)
{
	const struct command *command = command_find("build");
	struct arguments arguments = {0};
	sonde_build_options options;
	sonde_debye_options unused;
	struct yaml_block blocks[] = {{&build_option_table, &options, false, NULL, NULL, NULL},
				      {&debye_option_table, &unused, false, NULL, NULL, NULL}};
	sonde_context *context = NULL;
	sonde_status status;

	sonde_build_options_init(&options);
	CHECK(arguments_read(command, argc, argv, &options, blocks, 2, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	if (arguments.positional != NULL && arguments.job == NULL)
		return status_fail(SONDE_INVALID,
				   "'%.64s' is no job file (.yaml); where to write is said by -o FILE.xyz",
				   arguments.positional);
	if (arguments.program.output[0] == '\0')
		return status_fail(SONDE_INVALID, "say where to write: -o FILE.xyz");
	if (!file_has_suffix(arguments.program.output, ".xyz") &&
	    !file_has_suffix(arguments.program.output, ".xyz.gz") &&
	    !file_has_suffix(arguments.program.output, ".extxyz"))
		return status_fail_file(SONDE_INVALID, arguments.program.output,
					"unknown kind of file; end the name in .xyz, .xyz.gz or .extxyz");
	CHECK(file_check_output(arguments.program.output, arguments.program.force != 0));
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	status = build_and_write(context, &options, &arguments.program);
	program_context_free(&context);
	return status;
}
