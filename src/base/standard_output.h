/* The standard output as a result file: `--output -`. */
#ifndef SONDE_BASE_STANDARD_OUTPUT_H
#define SONDE_BASE_STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* The path by which it is opened; its kind of file follows from the ending of file_names_get() of it. */
#define STANDARD_OUTPUT_PATH "/dev/stdout"

/* From now on files of that path are written to `descriptor`, which stays the caller's. Until then the path is that of a device
 * and is refused. */
void standard_output_take(int descriptor);
bool standard_output_is(const char *path);

/* A file without a name that collects the output until it is complete. To be closed by the caller. */
sonde_status standard_output_open(FILE **stream);
/* Copies a complete one. False on failure, with the reason in errno. */
bool standard_output_copy(FILE *stream);
/* SONDE_RESOURCE, with the reason, an errno value. */
sonde_status standard_output_fail(int reason);

#endif
