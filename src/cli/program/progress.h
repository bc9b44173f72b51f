/* Progress on a terminal, or as lines of JSON. */
#ifndef SONDE_CLI_PROGRAM_PROGRESS_H
#define SONDE_CLI_PROGRAM_PROGRESS_H

#include <stdbool.h>

#include "sonde/context.h"

/* Shows the context's progress on stderr: on a terminal one line that rewrites itself (lines now and then, if it
 * is dumb or NO_COLOR is set), with `json` lines of
 * JSON, with `quiet` or into a pipe nothing. */
void progress_start(sonde_context *context, const char *command, bool quiet, bool json);
/* Clears the line, so that other text can follow. */
void progress_stop(void);
/* What went wrong though the run went on, a line each: "sonde: warning: ...", or JSON. */
void progress_warn(const char *notes);

#endif
