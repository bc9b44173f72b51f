#include "cli/commands/output.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/standard_output.h"
#include "base/text.h"
#include "cli/figure/figure.h"
#include "run/engine_calls.h"

sonde_status output_check_distinct(const char *output, const char *input)
{
	struct stat a, b;

	if (output[0] != '\0' && input != NULL && stat(output, &a) == 0 && stat(input, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return status_fail_file(SONDE_INVALID, output,
					"would replace what the run reads or writes; choose another name");
	return SONDE_OK;
}

sonde_status output_check_input(const struct arguments *arguments, const char *input)
{
	CHECK(output_check_distinct(arguments->program.output, input));
	return output_check_distinct(arguments->program.plot, input);
}

sonde_status output_check(const struct arguments *arguments, const struct engine *engine)
{
	const sonde_program_options *program = &arguments->program;

	CHECK(output_check_input(arguments, arguments->positional));
	CHECK(output_check_input(arguments, program->sample));
	if (program->output[0] != '\0' && strcmp(program->output, program->plot) == 0)
		return status_fail_file(SONDE_INVALID, program->output,
					"is given both as result file and as picture");
	if (program->output[0] != '\0') {
		CHECK(engine_check_format(engine, program->output));
		CHECK(file_check_output(program->output, program->force != 0));
	}
	return program->plot[0] != '\0' ? figure_check(program->plot, program->force != 0) : SONDE_OK;
}

sonde_status output_print(const struct text *text)
{
	if (fwrite(text->bytes, 1, text->size, stdout) != text->size || fflush(stdout) != 0)
		return status_fail(SONDE_RESOURCE, "the standard output cannot be written");
	return SONDE_OK;
}

const char *output_name(const char *path)
{
	return standard_output_is(path) ? "standard output" : path;
}

sonde_status output_flush(const sonde_program_options *program)
{
	if (fflush(stdout) != 0)
		return status_fail(SONDE_RESOURCE, "%s is written, but the standard output cannot be",
				   program->output[0] != '\0' ? output_name(program->output) : program->plot);
	return SONDE_OK;
}
