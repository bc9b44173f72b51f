/* The words and numbers of a TRIM.IN: rows of numbers, on one line or several, below lines that say what they are. */
#ifndef SONDE_IONS_TRIM_TRIM_READER_H
#define SONDE_IONS_TRIM_TRIM_READER_H

#include <stdbool.h>

#include "io/words.h"

#define TRIM_MOST_NUMBERS 256 /* of a row */

struct trim_reader {
	struct line_reader *lines;
	const char *next; /* what is left of the line */
	bool ended;
	double numbers[TRIM_MOST_NUMBERS]; /* of the row read last */
};

/* The next line; `ended` at the end of the file or at the byte by which DOS ends one. */
sonde_status trim_next_line(struct trim_reader *reader);
/* The same where there must be one: "the file ends before WHAT". */
sonde_status trim_need_line(struct trim_reader *reader, const char *what);
/* Whether there is nothing more in the line. */
bool trim_at_end_of_line(struct trim_reader *reader);
/* Whether a line has this word in it; upper and lower case are the same. */
bool trim_contains(const char *line, const char *word);
/* Goes behind a text in quotes; without quotes, to where the last `count` words of the line begin. */
sonde_status trim_skip_text(struct trim_reader *reader, int count, const char *what);

sonde_status trim_next_number(struct trim_reader *reader, const char *what, double *value);
/* Into `numbers`, by their names. Those from `least` on may be missing: they stay as they are. */
sonde_status trim_read_row(struct trim_reader *reader, const char *const *names, int least, int most);
/* The same behind a line that says what they are. */
sonde_status trim_read_section(struct trim_reader *reader, const char *const *names, int least, int most);
/* So many numbers of one kind. */
sonde_status trim_read_list(struct trim_reader *reader, const char *name, int count);

/* Fail with file and line if a number is out of its range, or not whole. */
sonde_status trim_check(const struct trim_reader *reader, const char *name, double value, double least, double most);
sonde_status trim_check_whole(const struct trim_reader *reader, const char *name, double value, double least,
			      double most);

#endif
