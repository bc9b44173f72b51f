/* Help texts, manual pages and completion, all made of the tables of commands and options. */
#ifndef SONDE_CLI_HELP_H
#define SONDE_CLI_HELP_H

#include "cli/program.h"

/* Prints the help of a command; of the program if it is null. */
sonde_status help_print(const struct command *command);

#endif
