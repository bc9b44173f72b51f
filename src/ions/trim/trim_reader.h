/* The words and numbers of a TRIM.IN: rows of numbers, on one line or several, below title lines. */
#ifndef SONDE_IONS_TRIM_TRIM_READER_H
#define SONDE_IONS_TRIM_TRIM_READER_H

#include <stdbool.h>

#include "io/text/words.h"

#define TRIM_MOST_NUMBERS 256 /* per row */

struct trim_reader {
	struct line_reader *lines;
	const char *next; /* rest of the line */
	bool ended;
	double numbers[TRIM_MOST_NUMBERS]; /* of the last row */
};

/* The next line; `ended` at the end of the file or at the byte by which DOS ends one. */
sonde_status trim_next_line(struct trim_reader *reader);
/* The same for a required line: "the file ends before WHAT". */
sonde_status trim_need_line(struct trim_reader *reader, const char *what);
/* Whether the rest of the line is blank. */
bool trim_at_end_of_line(struct trim_reader *reader);
/* Whether a line contains this word, case-insensitive. */
bool trim_contains(const char *line, const char *word);
/* Skips a text in quotes; without quotes, skips to the last `count` words of the line. */
sonde_status trim_skip_text(struct trim_reader *reader, int count, const char *what);

sonde_status trim_next_number(struct trim_reader *reader, const char *what, double *value);
/* Reads `numbers`, with names for messages. Those from `least` on may be missing and are then unchanged. */
sonde_status trim_read_row(struct trim_reader *reader, const char *const *names, int least, int most);
/* The same after a title line. */
sonde_status trim_read_section(struct trim_reader *reader, const char *const *names, int least, int most);
/* `count` numbers of one kind. */
sonde_status trim_read_list(struct trim_reader *reader, const char *name, int count);

/* Fail with file and line if a number is out of range, or not whole. */
sonde_status trim_check(const struct trim_reader *reader, const char *name, double value, double least, double most);
sonde_status trim_check_whole(const struct trim_reader *reader, const char *name, double value, double least,
			      double most);

#endif
