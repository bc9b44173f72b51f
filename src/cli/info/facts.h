/* What `sonde info` and `sonde convert` say: lines for people, or with --json the members of one object. The calls for one of the two do
 * nothing when the other is wanted, so that a fact stands once, in both forms. */
#ifndef SONDE_CLI_INFO_FACTS_H
#define SONDE_CLI_INFO_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Begins with an object for `command`, if `json`. */
void facts_begin(const char *command, bool json);
/* Prints the object on stdout. To be called once after success; what was gathered is lost without it. */
sonde_status facts_end(void);
bool facts_are_json(void);

/* For people: "NAME         TEXT" in one line. */
void facts_line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For people: any text, to go on in a line. */
void facts_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Members of an object; of a list with a null name. */
void facts_text(const char *name, const char *text);
void facts_words(const char *name, const char *text, int64_t length);
void facts_number(const char *name, double value); /* null where it is none */
void facts_integer(const char *name, int64_t value);
void facts_boolean(const char *name, bool value);
/* An option's value as text: a number, true or false where it is one. */
void facts_value(const char *name, const char *text);
void facts_numbers(const char *name, const double *values, int64_t count);
void facts_integers(const char *name, const int64_t *values, int64_t count);
/* An object or a list as a member, until facts_close(). */
void facts_open_object(const char *name);
void facts_open_list(const char *name);
void facts_close(void);
/* Lines of text, each without its end, as a list. */
void facts_lines(const char *name, const char *lines);
/* The warnings of a context, as a list; people read them on stderr. */
void facts_warnings(const char *notes);

#endif
