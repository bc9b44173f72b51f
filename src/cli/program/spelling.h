/* Options in messages of the library (base/option_spelling.h), as users of the program wrote them or may write them: those
 * that the job file gives as keys, 'spacing:', and all others as flags, --spacing. */
#ifndef SONDE_CLI_PROGRAM_SPELLING_H
#define SONDE_CLI_PROGRAM_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/option_spelling.h"
#include "base/options.h"

/* Begins with a job file, which gives no options yet; null: there is none. */
void spelling_begin_job(const char *path);
/* Options of a table that the job gives: `lines` has a line for each row, 0 if it is not given. */
void spelling_add_lines(const struct option_table *table, const size_t *lines);
/* An option that the command line gives instead. */
void spelling_forget(const char *name);
/* Where the job gives an option, by its name with '-'; false if it does not. */
bool spelling_find(const char *name, const char **path, size_t *line);

/* `user` is not used. */
option_spelling spelling_of_program;
/* Appends a message with its options spelled. */
void spelling_append(const char *message, struct text *text);

#endif
