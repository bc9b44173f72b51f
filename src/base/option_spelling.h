/* Options in messages. Formats of messages name an option in backquotes, and the front end that shows the message spells
 * it: as bin_width for programs in C and Python, as --bin-width on a command line, and as 'bin-width:' in a job file.
 *
 *     status_fail_option(SONDE_INVALID, "density", "applies to g(r), which needs `counts`")
 *     context_notef(context, "use `method direct`, or a larger `spacing`")
 *
 * The functions that take formats turn `NAME` and `NAME VALUE` into marks of control characters, which arguments of
 * conversions (names of files, texts of users) cannot contain; the value may contain conversions. A mark in front of ':'
 * is the subject of the message. Texts that are passed through "%s" have the marks themselves.
 */
#ifndef SONDE_BASE_OPTION_SPELLING_H
#define SONDE_BASE_OPTION_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/* Marks. Names are written with '-' or '_'. */
#define OPTION_NAME(name) "\035" name "\036"
#define OPTION_VALUE(name, value) "\035" name "\037" value "\036"

/* A format with marks in place of backquotes: `buffer`, or the format itself, if it has none or does not fit. */
const char *option_marks(const char *format, char *buffer, size_t size);

/* An option in a message. */
struct option_mention {
	const char *name;  /* with '-' */
	const char *value; /* null: none */
	bool is_subject;   /* ':' follows */
	bool is_key;       /* of a job, where flags are impossible */
};
/* Writes an option into `text` of `size` bytes. */
typedef void option_spelling(const void *user, const struct option_mention *mention, char *text, size_t size);

/* As programs in C set it, bin_width and method = exact; options of the program are arguments and settings of the context
 * there, and keys are those of a job. `user` is not used, here and in the next one. */
option_spelling option_spell_in_c;

/* As a key of a job, 'method: exact'. */
option_spelling option_spell_in_job;

/* Copies a message with its options spelled, cut to `size` bytes. A null `spell` spells for C. */
void options_spell(const char *message, option_spelling *spell, const void *user, char *text, size_t size);
/* The size that any message of this length needs. */
#define OPTIONS_SPELLED_SIZE(length) (4 * (length) + 64)

/* The length of the mark at the beginning of `text`; 0 if there is none. */
size_t option_mark_length(const char *text);
/* Makes all options of a message keys of a job. */
void option_marks_to_keys(char *message);

#endif
