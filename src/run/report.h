/* The report of an engine or a command: lines of text for people, or the members of one JSON object. The calls for
 * one form have no effect while the other is wanted, so that each fact is stated once, in both forms. */
#ifndef SONDE_RUN_REPORT_H
#define SONDE_RUN_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/option_spelling.h"
#include "base/status.h"
#include "base/text.h"

#define REPORT_DEEPEST 8 /* objects and lists within one another */

/* Begins with report_begin(); released by report_free(). A lack of memory is remembered, and returned by report_end(). */
struct report {
	bool json;
	struct text text;  /* text for people, or the object */
	struct text notes; /* items of the member "notes" */
	char closing[REPORT_DEEPEST];
	int depth;
	bool first;             /* the innermost open object or list is empty */
	option_spelling *spell; /* of options in texts for people and in notes; null: as in C */
	const void *spell_user;
};

/* Begins, with an object whose first member is the name of the command, if `json`. */
/* Options in texts for people and in notes, in backquotes, are spelled by report->spell, which may be set then. */
void report_begin(struct report *report, const char *command, bool json);
/* Completes the text in report->text: closes the object after its members "notes", if there were any, and "warnings", lines of text, unless that is null. */
sonde_status report_end(struct report *report, const char *warnings);
void report_free(struct report *report);

/* For people: "NAME         TEXT" in one line. */
void report_line(struct report *report, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* For people: any text, including parts of lines. */
void report_print(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A remark on the result: "note: TEXT" in a line for people, an item of the list "notes" of JSON. */
void report_note(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Members of an object; with a null name, items of a list. */
void report_text(struct report *report, const char *name, const char *text);
void report_words(struct report *report, const char *name, const char *text, int64_t length);
void report_number(struct report *report, const char *name, double value); /* null unless it is finite */
/* With this many decimals. */
void report_decimal(struct report *report, const char *name, double value, int decimals);
void report_integer(struct report *report, const char *name, int64_t value);
void report_boolean(struct report *report, const char *name, bool value);
/* The value of an option as text: a number, true or false if it is one. */
void report_value(struct report *report, const char *name, const char *text);
void report_numbers(struct report *report, const char *name, const double *values, int64_t count);
void report_integers(struct report *report, const char *name, const int64_t *values, int64_t count);
/* An object or a list as a member, until report_close(). */
void report_open_object(struct report *report, const char *name);
void report_open_list(struct report *report, const char *name);
void report_close(struct report *report);
/* Lines of text, each without its end, as a list. */
void report_lines(struct report *report, const char *name, const char *lines);

#endif
