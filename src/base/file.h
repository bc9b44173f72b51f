/* Output files that are either complete or absent, and input files as hashes. */
#ifndef SONDE_BASE_FILE_H
#define SONDE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* Checks before the work that `path` can be written: its folder exists and is writable, it is no folder, pipe or device, and it
 * does not exist unless `overwrite`. Then a symbolic link stays what it is: the file that it leads to is written. */
sonde_status file_check_output(const char *path, bool overwrite);

/* A file under construction beside `path`, which is where links lead. */
struct file_output {
	FILE *stream; /* write here */
	char *path, *temporary;
	bool overwrite;
};

/* Opens a temporary file in the folder of `path`. */
sonde_status file_output_open(struct file_output *output, const char *path, bool overwrite);
/* Flushes to the disk and gives the file its name; on failure nothing remains. */
sonde_status file_output_commit(struct file_output *output);
/* Removes what was written. Harmless after a commit and on a zeroed struct. */
void file_output_discard(struct file_output *output);

/* All of the above for bytes in memory. */
sonde_status file_write(const char *path, const void *bytes, size_t size, bool overwrite);

/* SHA-256 of a file's bytes as 64 hexadecimal digits. `cancelled`, unless null, is asked now and then; true stops
 * with SONDE_CANCELLED. */
sonde_status file_sha256(const char *path, bool (*cancelled)(void *user), void *user, char digest[65]);

/* True if `path`, or the name that the file at `path` was given by (base/file_names.h), ends in `suffix`. */
bool file_has_suffix(const char *path, const char *suffix);

#endif
