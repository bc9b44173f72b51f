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
/* What a file of that name would be written to: where symbolic links lead, also to a file that is not there yet. To be freed. */
sonde_status file_follow_links(const char *path, char **target);

/* Begins the names by which a process finds its files that have none. */
#define FILE_NAMELESS "/proc/self/fd/"

/* A file under construction in the folder of `path`, which is where links lead: without a name where the file system has such
 * files, so that nothing is left of it whatever ends the process, else beside `path` under another name. */
struct file_output {
	FILE *stream;    /* write here */
	char *path;      /* what it will be called */
	char *temporary; /* by which this process may open it meanwhile */
	bool overwrite, nameless;
	int reason; /* errno of the first write that failed; 0: none that is known of */
};

/* Opens a file in the folder of `path`. */
sonde_status file_output_open(struct file_output *output, const char *path, bool overwrite);
/* Begins again with a file that has a name of its own beside `path`, for libraries that cannot do without. */
sonde_status file_output_give_name(struct file_output *output);
/* fwrite() of all bytes, keeping the reason where it fails, in errno, too. */
bool file_output_put(struct file_output *output, const void *bytes, size_t size);
/* Flushes file and folder to the disk and gives the file its name; on failure nothing remains. With `overwrite` an earlier file of that
 * name is replaced by the complete one in one step; without, a file that has appeared meanwhile is kept and SONDE_INVALID returned. */
sonde_status file_output_commit(struct file_output *output);
/* Discards it and returns SONDE_RESOURCE with the reason of the failure, errno if none is kept, and what is there now. */
sonde_status file_output_fail(struct file_output *output);
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
