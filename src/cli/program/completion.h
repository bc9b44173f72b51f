/* Shell completion of command lines: commands, options, their values and files, all from the tables of commands and
 * options. */
#ifndef SONDE_CLI_PROGRAM_COMPLETION_H
#define SONDE_CLI_PROGRAM_COMPLETION_H

#include "base/status.h"

/* Prints the script for "bash", "zsh" or "fish". */
sonde_status completion_print(const char *shell);

#endif
