/* Outputs, common to all subcommands. */
#ifndef SONDE_CLI_COMMANDS_OUTPUT_H
#define SONDE_CLI_COMMANDS_OUTPUT_H

#include "base/text.h"
#include "cli/program/arguments.h"

/* Checks before the computation that the output and the picture can be written: file formats, folders, duplicate
 * names, inputs of the command line. */
sonde_status output_check(const struct arguments *arguments, const struct engine *engine);
/* With --force an output may replace any file except the run's own inputs, which may be null, and outputs. */
sonde_status output_check_distinct(const char *output, const char *input);
/* The same for both of them. */
sonde_status output_check_input(const struct arguments *arguments, const char *input);
/* Writes a result to the standard output. */
sonde_status output_print(const struct text *text);
/* The name of an output in a summary. */
const char *output_name(const char *path);
/* Prints the end of a summary. */
sonde_status output_flush(const sonde_program_options *program);

#endif
