/* Help texts, manual pages and completion, all generated from the tables of commands and options. */
#ifndef SONDE_CLI_PROGRAM_HELP_H
#define SONDE_CLI_PROGRAM_HELP_H

#include "cli/program/arguments.h"

/* The placeholder of an option's value in "--name VALUE"; "" for a BOOLEAN. */
const char *help_placeholder(const struct option_row *row);
/* Prints the help of a command; of the program if it is null. */
sonde_status help_print(const struct command *command);
/* Prints the answer to --help or --version of a command. */
sonde_status help_answer(const struct command *command, const struct arguments *arguments);

#endif
