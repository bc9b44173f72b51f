/* Output files that are either complete or absent, and input files as hashes. */
#ifndef SONDE_BASE_FILE_H
#define SONDE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* Checks before the computation that `path` can be written: its folder exists and is writable, it is not a folder,
 * pipe or device, and it does not exist unless `overwrite`. A symbolic link is then kept, and its target written. */
sonde_status file_check_output(const char *path, bool overwrite);
/* The file that would be written under that name: the target of symbolic links, even if it does not exist yet. To be
 * freed. */
sonde_status file_follow_links(const char *path, char **target);

/* Prefix of the names by which a process finds its files without a name. */
#define FILE_NAMELESS "/proc/self/fd/"

/* A file under construction in the folder of `path`, or of its target if that is a link: without a name where the file system
 * supports it, so that nothing is left however the process ends, else next to `path` under another name. */
struct file_output {
	FILE *stream;    /* to be written by the caller */
	char *path;      /* its final name */
	char *temporary; /* by which this process may open it in the meantime */
	bool overwrite, nameless;
	int reason; /* errno of the first write that failed; 0: none known */
};

/* Opens a file in the folder of `path`. */
sonde_status file_output_open(struct file_output *output, const char *path, bool overwrite);
/* Starts again with a file under a temporary name next to `path`, for libraries that need a name. */
sonde_status file_output_give_name(struct file_output *output);
/* fwrite() of all bytes; on failure the reason is kept, also in errno. */
bool file_output_put(struct file_output *output, const void *bytes, size_t size);
/* Flushes file and folder to the disk and gives the file its name; on failure no file remains. With `overwrite` an earlier file of that
 * name is replaced by the complete one in one step; without, a file that has appeared meanwhile is kept and SONDE_INVALID returned. */
sonde_status file_output_commit(struct file_output *output);
/* Discards it and returns SONDE_RESOURCE with the reason of the failure (errno if none is kept) and what remains. */
sonde_status file_output_fail(struct file_output *output);
/* Removes what was written. Harmless after a commit and on a zeroed struct. */
void file_output_discard(struct file_output *output);

/* All of the above for bytes in memory. */
sonde_status file_write(const char *path, const void *bytes, size_t size, bool overwrite);

/* SHA-256 of a file's bytes as 64 hexadecimal digits. `cancelled`, unless null, is called from time to time; true
 * stops with SONDE_CANCELLED. */
sonde_status file_sha256(const char *path, bool (*cancelled)(void *user), void *user, char digest[65]);

/* SONDE_INVALID with the reason if it cannot be read, or not several times: it is a folder, a device, or a pipe, whose opening could
 * wait indefinitely. */
sonde_status file_check_input(const char *path);

/* True if `path`, or the name recorded for the file at `path` (base/file_names.h), ends in `suffix`. */
bool file_has_suffix(const char *path, const char *suffix);

#endif
