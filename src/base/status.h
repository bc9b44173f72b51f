/* Statuses inside the library. See sonde/status.h for the convention. */
#ifndef SONDE_BASE_STATUS_H
#define SONDE_BASE_STATUS_H

#include <stddef.h>

#include "base/option_spelling.h"
#include "sonde/status.h"

/* The thread's message with marks in place of the names of options, for messages that quote it; it is spelled where it is shown. */
const char *status_message(void);

/* Sets the thread's message and yields `status`, so that a failure is one line:
 *     return status_fail(SONDE_INVALID, "%s:%ld: ...", path, line);
 * An option in backquotes is spelled where the message is shown: base/option_spelling.h.
 * A macro, so that compilers and analyzers see the status. */
#define status_fail(status, ...) (status_set_message(__VA_ARGS__), (status))
void status_set_message(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* A failure of an option, "NAME: ...", which becomes the key of its place. */
#define status_fail_option(status, name, ...) (status_set_message_of_option(name, __VA_ARGS__), (status))
void status_set_message_of_option(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));
/* Prepends "NAME: " to the thread's message, which is about that option; it becomes the key of the place unless there is
 * one. */
sonde_status status_prefix_option(sonde_status status, const char *name) __attribute__((cold));
/* The options in the thread's message are keys of a job: see base/option_spelling.h. */
void status_name_keys(void);

/* Prepends "PREFIX: " to the thread's message (the place of the failure, known only to callers). */
sonde_status status_prefix(sonde_status status, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Place of the thread's last failure, for programs that show errors as data. Unknown parts are "" and 0. A new
 * message clears it, status_prefix() keeps it. */
struct status_place {
	char file[512];
	size_t line, column; /* from 1 */
	char key[64];        /* of a job, or an option's name */
};
/* To be called after the message; null, "" and 0 mean unknown. The place in an earlier file is replaced, its key kept
 * unless a new one is given. */
void status_locate(const char *file, size_t line, size_t column, const char *key);
/* Valid until the thread's next failure. */
const struct status_place *status_place(void);
/* Spells the thread's message into `text`, and returns it. */
const char *status_spell(option_spelling *spell, const void *user, char *text, size_t size);
/* A failure in a file, "FILE: ...", or in a line of it, "FILE:LINE: ...", with its place. */
#define status_fail_file(status, file, ...) (status_set_message_at(file, 0, __VA_ARGS__), (status))
#define status_fail_line(status, file, line, ...) (status_set_message_at(file, line, __VA_ARGS__), (status))
/* `line` 0: not of a particular line. */
void status_set_message_at(const char *file, long long line, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));
/* Prepends "FILE:LINE: " to the thread's message. */
sonde_status status_prefix_line(sonde_status status, const char *file, long long line) __attribute__((cold));

/* Returns from the calling function when `expression` fails. */
#define CHECK(expression)                                  \
	do {                                               \
		sonde_status check_status_ = (expression); \
		if (check_status_ != SONDE_OK)             \
			return check_status_;              \
	} while (0)

/* The same where something must be released: jumps to `label` with the failure in `status`. */
#define CHECK_GOTO(status, expression, label) \
	do {                                  \
		(status) = (expression);      \
		if ((status) != SONDE_OK)     \
			goto label;           \
	} while (0)

/* The first control character, of ASCII or of UTF-8's second block (U+0080 to U+009F), which terminals interpret, and its size in
 * bytes; null if there is none. */
const char *status_find_control(const char *text, int *bytes);

#endif
