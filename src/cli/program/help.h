/* Help texts, manual pages and completion, all made of the tables of commands and options. */
#ifndef SONDE_CLI_PROGRAM_HELP_H
#define SONDE_CLI_PROGRAM_HELP_H

#include "cli/program/arguments.h"

/* What stands for an option's value in "--name VALUE"; "" of a BOOLEAN. */
const char *help_placeholder(const struct option_row *row);
/* Prints the help of a command; of the program if it is null. */
sonde_status help_print(const struct command *command);
/* What --help or --version of a command asks for. */
sonde_status help_answer(const struct command *command, const struct arguments *arguments);

#endif
