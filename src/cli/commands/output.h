/* What the subcommands share about their outputs. */
#ifndef SONDE_CLI_COMMANDS_OUTPUT_H
#define SONDE_CLI_COMMANDS_OUTPUT_H

#include "base/text.h"
#include "cli/program/arguments.h"

/* Checks before the work that what is asked for can be written: kinds of files, folders, names given twice, inputs (those
 * of the command line and `input`, unless it is null or empty). `check_format` knows the engine's kinds of files. */
sonde_status output_check(const struct arguments *arguments, const char *input,
			  sonde_status (*check_format)(const char *path));
/* A result to the standard output. */
sonde_status output_print(const struct text *text);
/* How a summary calls an output. */
const char *output_name(const char *path);
/* The last members of a summary in JSON and its end: `notes`, lines about a result, and `warnings`, those that were given before the run (lines, or null)
 * and those of the run. */
void output_end_json(const char *notes, const char *warnings, const sonde_context *context);
/* The end of a summary. */
sonde_status output_flush(const sonde_program_options *program);

#endif
