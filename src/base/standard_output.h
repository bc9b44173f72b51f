/* The standard output as a file that results are written to: `--output -`. */
#ifndef SONDE_BASE_STANDARD_OUTPUT_H
#define SONDE_BASE_STANDARD_OUTPUT_H

#include <stdbool.h>

#include "base/file.h"

/* The path by which it is opened; what kind of file it is, is said by the ending of file_names_get() of it. */
#define STANDARD_OUTPUT_PATH "/dev/stdout"

/* From now on files of that path are written to `descriptor`, which stays the caller's. Until then there is no such file, and the
 * path is that of a device, which is refused. */
void standard_output_take(int descriptor);
bool standard_output_is(const char *path);

/* For file_output_open() and file_output_commit(): what is written is kept in a file without a name, and copied when it is complete. */
sonde_status standard_output_open(struct file_output *output);
sonde_status standard_output_commit(struct file_output *output);
/* For file_output_fail(). */
sonde_status standard_output_fail(struct file_output *output, int reason);

#endif
