/* '-' for a file: the standard input, kept in a file without a name so that it can be read more than once, and the standard output. */
#ifndef SONDE_CLI_PROGRAM_STANDARD_STREAMS_H
#define SONDE_CLI_PROGRAM_STANDARD_STREAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Whether a file is called "-". */
bool standard_stream_is(const char *file);

/* Whether a path is that of the standard input as it is kept. */
bool standard_stream_is_input(const char *path);

/* Keeps all of the standard input and sets *path to where it can be opened, valid as long as the process. `kind` is a choice of
 * --input-format; 0: it is known by its contents, `otherwise` where these are of no kind that is known. SONDE_INVALID if it was asked for
 * already. */
sonde_status standard_input_keep(int kind, int otherwise, const char **path);

/* From now on the file STANDARD_OUTPUT_PATH is the standard output, with the kind of a name that ends in .`format`, and what is printed
 * goes to the standard error; harmless when repeated. SONDE_INVALID for kinds that cannot be written to a stream. */
sonde_status standard_output_begin(const char *format);

/* Copies a message of at most `length` bytes with "standard input" and "standard output" for their paths. Returns `buffer`. */
const char *standard_streams_in(const char *message, size_t length, char *buffer, size_t size);

#endif
