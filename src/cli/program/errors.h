/* Error reports of the program: a line for people, or with --json an object. */
#ifndef SONDE_CLI_PROGRAM_ERRORS_H
#define SONDE_CLI_PROGRAM_ERRORS_H

#include <stdbool.h>

#include "cli/program/program.h"

/* Whether --json is among the words of a command line, which may be invalid otherwise. */
bool errors_wants_json(int argc, char **argv);
/* If `json`, errors are objects from now on. */
void errors_as_json(bool json);

/* The thread's last message on stderr, of `command` or, if it is null, of the program: "sonde NAME: MESSAGE", or {"command": "NAME",
 * "error": {"status": "invalid", "exit_code": 2, "message": "...", "file": "...", "line": 3, "column": 5, "key": "..."}} on one line, with
 * the known parts of the place. */
void errors_print(const struct command *command, sonde_status status, int exit_code);

/* The thread's last message as users of the program read it, in `text`. */
#define ERRORS_MESSAGE_SIZE 8192
const char *errors_message(char text[ERRORS_MESSAGE_SIZE]);

#endif
