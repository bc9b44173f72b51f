/* sonde stopping */
#include "stopping/run.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "cli/commands/output.h"
#include "stopping/difference.h"

static void print_summary(const sonde_context *context, const sonde_stopping_result *result,
			  const sonde_program_options *program)
{
	const sonde_stopping_options *options = &result->options;

	if (program->json) {
		printf("{\"command\": \"stopping\", \"energies\": %lld, \"ion_mass\": %.10g, \"density\": %.10g, "
		       "\"stopping\": \"%s\", \"seconds\": %.6f",
		       (long long)result->count, result->ion_mass, result->density,
		       stopping_source_name((enum stopping_source)options->stopping), result->seconds);
		output_end_json("", NULL, context);
		return;
	}
	if (program->quiet)
		return;
	struct text source = {0};
	stopping_append_electronic(result, &source);
	const char *state = result->provenance->state;
	printf("%s (%.6g amu) in %s, %.6g g/cm^3%s%s%s: %lld energies, %.2f s\n", options->ion, result->ion_mass,
	       options->target, result->density, state[0] != '\0' ? " (" : "", state, state[0] != '\0' ? ")" : "",
	       (long long)result->count, result->seconds);
	if (text_status(&source) == SONDE_OK)
		fputs(source.bytes, stdout);
	text_free(&source);
	if (program->output[0] != '\0')
		printf("%s: written\n", output_name(program->output));
	if (options->srim[0] != '\0')
		printf("%s: written\n", options->srim);
}

static sonde_status print_table(const sonde_stopping_result *result)
{
	struct text text = {0};
	sonde_status status = stopping_table_text(result, false, &text);

	if (status == SONDE_OK)
		status = output_print(&text);
	text_free(&text);
	return status;
}

static sonde_status deliver(const sonde_context *context, const sonde_stopping_result *result,
			    const sonde_program_options *program)
{
	const char *srim = result->options.srim;

	if (program->output[0] == '\0' && srim[0] == '\0')
		return print_table(result);
	if (program->output[0] != '\0')
		CHECK(sonde_stopping_result_write(result, program->output, program->force));
	if (srim[0] != '\0') {
		sonde_status status = sonde_stopping_result_write_srim(result, srim, program->force);
		if (status != SONDE_OK && program->output[0] != '\0')
			return status_prefix(status, "%s is written, but", program->output);
		CHECK(status);
	}
	print_summary(context, result, program);
	return output_flush(program);
}

static sonde_status check(const struct arguments *arguments, const sonde_stopping_options *options)
{
	if (arguments->positional != NULL && arguments->job == NULL)
		return status_fail(SONDE_INVALID,
				   "'%.64s' is no job file (.yaml); the target is said by --target MATERIAL",
				   arguments->positional);
	CHECK(output_check(arguments, options->stopping_table, stopping_check_format));
	if (options->srim[0] == '\0')
		return SONDE_OK;
	if (strcmp(options->srim, arguments->program.output) == 0)
		return status_fail_file(SONDE_INVALID, options->srim,
					"is asked for twice, as table and in SRIM's layout");
	return file_check_output(options->srim, arguments->program.force != 0);
}

sonde_status command_stopping(int argc, char **argv)
{
	const struct command *command = command_find("stopping");
	struct arguments arguments = {0};
	sonde_stopping_options options;
	struct yaml_block block = {&stopping_option_table, &options, false, NULL, NULL, NULL};
	sonde_context *context = NULL;
	sonde_stopping_result *result = NULL;

	sonde_stopping_options_init(&options);
	CHECK(arguments_read(command, argc, argv, &options, &block, 1, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	CHECK(check(&arguments, &options));
	CHECK(program_context(&arguments.program, command, argc, argv, &context));
	sonde_status status = sonde_stopping_run(context, &options, &result);
	if (status == SONDE_OK)
		status = deliver(context, result, &arguments.program);
	sonde_stopping_result_free(&result);
	program_context_free(&context);
	return status;
}
