/* Progress on a terminal, or as lines of JSON. */
#ifndef SONDE_CLI_PROGRAM_PROGRESS_H
#define SONDE_CLI_PROGRAM_PROGRESS_H

#include <stdbool.h>

#include "sonde/context.h"

/* Shows the context's progress on stderr: on a terminal one line that is rewritten (occasional lines if it is dumb or
 * NO_COLOR is set), with `json` lines of JSON, with `quiet` or into a pipe nothing. */
void progress_start(sonde_context *context, const char *command, bool quiet, bool json);
/* Clears the line, so that other text can follow. */
void progress_stop(void);
/* Warnings of a run that continued, one line each: "sonde: warning: ...", or JSON. */
void progress_warn(const char *notes);

#endif
