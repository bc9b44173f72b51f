/* What a file that a run is resumed from says of where its numbers come from: the version of the program, and digests of the tables of data. They are
 * lines of the text by which the jobs are compared. */
#ifndef SONDE_RUN_RESUME_H
#define SONDE_RUN_RESUME_H

#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

void resume_append_version(struct text *job);
/* The name of a table and the SHA-256 of its contents. */
void resume_append_table(struct text *job, const char *name, const void *contents, size_t size);
/* Compares these lines of the text `there`, of the file `path`, with those of this program, `here`. SONDE_INVALID where another version wrote the file, or where a table that both
 * have differs: the message names the versions, or the table and the beginnings of both digests. */
sonde_status resume_compare(const char *path, const char *there, const char *here);

#endif
