/* Resuming a run from the file of an earlier run, PATH.checkpoint. It contains the lines of a text by which jobs are
 * compared, which begin with the program and the data tables that its numbers come from. */
#ifndef SONDE_RUN_CHECKPOINT_H
#define SONDE_RUN_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"
#include "run/context.h"

void checkpoint_append_version(struct text *job);
/* The name of a data table and the SHA-256 of its contents. */
void checkpoint_append_table(struct text *job, const char *name, const void *contents, size_t size);
/* Input from other files: NAME and a part of the digest. */
void checkpoint_append_digest(struct text *job, const char *name, const void *contents, size_t size);

/* Compares the job of the file `path`, `there`, with that of this run, `here`. SONDE_INVALID if another version wrote the file, if a table in both
 * differs, or if a line differs: the message names the versions, the table and the beginnings of both digests, or the first such line. Lines that
 * begin with one of `derived` (ended by a null pointer; null: none) follow from others, and are named only if they alone differ. */
sonde_status checkpoint_compare(const char *path, const char *there, const char *here, const char *const *derived);

/* The name of the file: PATH.checkpoint; to be freed by text_free(). */
sonde_status checkpoint_name(const char *path, struct text *name);
bool checkpoint_exists(const char *path);
/* Removes it and the previous one, if they exist. */
void checkpoint_remove(const char *path);

/* Whether one is to be written, `every` seconds after the last one, at `saved` by clock_seconds(); 0: never. */
bool checkpoint_is_due(double every, double saved);

/* Each file replaces the last one in one step, once it is complete and on the disk. The last but one is kept, PATH.checkpoint.old, for a
 * file that is damaged afterwards. To be called before a new one is written: the present file, if there is one, becomes the previous one,
 * too. */
void checkpoint_keep_previous(const char *path);
/* Gives up the previous one, for lack of space; false if there is none. */
bool checkpoint_drop_previous(const char *path);
/* Before a run is resumed: where PATH.checkpoint does not match its seal, or is missing, and the previous one does, the latter takes its place,
 * and a note reports it. All ranks come to it. */
sonde_status checkpoint_mend(sonde_context *context, const char *path);

#endif
