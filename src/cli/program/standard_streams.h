/* '-' as a file: the standard input, kept in a file without a name so that it can be read more than once, and the
 * standard output. */
#ifndef SONDE_CLI_PROGRAM_STANDARD_STREAMS_H
#define SONDE_CLI_PROGRAM_STANDARD_STREAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Whether a file name is "-". */
bool standard_stream_is(const char *file);

/* Whether a path is that of the copy of the standard input. */
bool standard_stream_is_input(const char *path);

/* Copies the whole standard input and sets *path to the copy, valid as long as the process. `kind` is a choice of
 * --input-format; 0: recognized by its contents, `otherwise` if these are of unknown format. SONDE_INVALID if it is
 * already in use. */
sonde_status standard_input_keep(int kind, int otherwise, const char **path);

/* From now on the file STANDARD_OUTPUT_PATH is the standard output, in the format of names that end in .`format`, and printed text goes
 * to the standard error; may be repeated. SONDE_INVALID for formats that cannot be written to a stream. */
sonde_status standard_output_begin(const char *format);

/* Copies a message of at most `length` bytes with "standard input" and "standard output" for their paths. Returns `buffer`. */
const char *standard_streams_in(const char *message, size_t length, char *buffer, size_t size);

#endif
