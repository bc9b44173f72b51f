/* Splitting lines of text into words. */
#ifndef SONDE_IO_WORDS_H
#define SONDE_IO_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/text/lines.h"

/* Bytes from start to end - 1. */
struct word {
	const char *start, *end;
};

/* Splits into up to `most` words separated by blanks; returns their number. */
int words_split(const char *line, struct word *words, int most);
bool word_is(const struct word *word, const char *text);

/* "FILE:LINE: WHAT", the beginning of every message about a line. */
sonde_status line_fail(const struct line_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));
/* A word as a number; fails with `what` in the message. */
sonde_status word_real(const struct line_reader *reader, const struct word *word, const char *what, double *value);
sonde_status word_integer(const struct line_reader *reader, const struct word *word, const char *what,
			  int64_t *value);

#endif
