/* Rows of numbers as people and spreadsheets write them: columns between blanks, between commas or between semicolons, but between one
 * of these in a row; '#' begins a comment. Decimals have a point: rows with decimal commas, and those that may have some, are
 * refused. */
#ifndef SONDE_IO_COLUMNS_H
#define SONDE_IO_COLUMNS_H

#include "io/words.h"

/* What is known of a table from its rows so far; begins as {0} with the number of columns that are needed. */
struct columns {
	int needed; /* columns that a row must have; more may follow */
	int names;  /* in the row of names; 0: there is none yet */
};

/* The words of a row, from which blanks around and quotes are taken; at most `most` of them are stored, and as many counted. None on an
 * empty row, or one with a comment only. The first row whose first word does not look like a number has names. */
sonde_status columns_split(struct columns *columns, const struct line_reader *reader, char *line, struct word *words,
			   int most, int *count);
/* Whether a word begins as a number does. */
bool columns_is_number(const struct word *word);

#endif
