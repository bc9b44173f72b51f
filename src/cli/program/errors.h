/* How the program says that something failed: a line for people, or with --json an object. */
#ifndef SONDE_CLI_PROGRAM_ERRORS_H
#define SONDE_CLI_PROGRAM_ERRORS_H

#include <stdbool.h>

#include "cli/program/program.h"

/* Whether --json stands among the words of a command line, which may be wrong otherwise. */
bool errors_wants_json(int argc, char **argv);
/* From now on errors are objects, if `json`. */
void errors_as_json(bool json);

/* The thread's last message on stderr, of `command` or, if it is null, of the program:
 * "sonde NAME: MESSAGE", or {"command": "NAME", "error": {"status": "invalid", "exit_code": 2, "message": "...", "file": "...", "line": 3,
 * "column": 5, "key": "..."}} in one line, with those parts of the place that are known. */
void errors_print(const struct command *command, sonde_status status, int exit_code);

#endif
