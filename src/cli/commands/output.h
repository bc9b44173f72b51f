/* What the subcommands share about their outputs. */
#ifndef SONDE_CLI_COMMANDS_OUTPUT_H
#define SONDE_CLI_COMMANDS_OUTPUT_H

#include "base/text.h"
#include "cli/program/arguments.h"

/* Checks before the work that the output and the picture can be written: kinds of files, folders, names given twice, inputs
 * of the command line. */
sonde_status output_check(const struct arguments *arguments, const struct engine *engine);
/* Neither of the two may be the input of that name, which may be null. */
sonde_status output_check_input(const struct arguments *arguments, const char *input);
/* A result to the standard output. */
sonde_status output_print(const struct text *text);
/* How a summary calls an output. */
const char *output_name(const char *path);
/* The end of a summary. */
sonde_status output_flush(const sonde_program_options *program);

#endif
