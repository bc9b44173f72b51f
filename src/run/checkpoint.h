/* Resuming a run from a file that an earlier run has left: PATH.checkpoint. It has the lines of a text by which the jobs are compared,
 * which begin with the program and the tables of data that its numbers come from. */
#ifndef SONDE_RUN_CHECKPOINT_H
#define SONDE_RUN_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

void checkpoint_append_version(struct text *job);
/* The name of a table of data and the SHA-256 of its contents. */
void checkpoint_append_table(struct text *job, const char *name, const void *contents, size_t size);
/* What other files have brought into the job: NAME and a part of the digest. */
void checkpoint_append_digest(struct text *job, const char *name, const void *contents, size_t size);

/* Compares the job of the file `path`, `there`, with that of this run, `here`. SONDE_INVALID where another version wrote the file, where a table
 * that both have differs, or where a line differs: the message names the versions, the table and the beginnings of both digests, or the first such
 * line. Lines that begin with one of `derived` (ended by a null pointer; null: none) follow from others, and are named only if they alone differ. */
sonde_status checkpoint_compare(const char *path, const char *there, const char *here, const char *const *derived);

/* The name of the file: PATH.checkpoint; to be freed by text_free(). */
sonde_status checkpoint_name(const char *path, struct text *name);
bool checkpoint_exists(const char *path);
/* Removes it, if it is there. */
void checkpoint_remove(const char *path);

#endif
