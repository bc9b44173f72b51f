/* Rows of numbers as people and spreadsheets write them: columns separated by blanks, commas or semicolons, only one of these within a
 * row; '#' begins a comment. Decimals have a point: rows that have or may have decimal commas are refused. */
#ifndef SONDE_IO_COLUMNS_H
#define SONDE_IO_COLUMNS_H

#include "io/text/words.h"

/* State of a table after its rows so far; begins as {0} with the number of columns that are needed. */
struct columns {
	int needed; /* columns that a row must have; more may follow */
	int names;  /* in the row of names; 0: none yet */
};

/* The words of a row, without surrounding blanks and quotes; at most `most` of them are stored and counted. None on
 * an empty row or one with only a comment. The first row whose first word does not look like a number contains names.
 * */
sonde_status columns_split(struct columns *columns, const struct line_reader *reader, char *line, struct word *words,
			   int most, int *count);
/* Whether a word begins as a number does. */
bool columns_is_number(const struct word *word);

#endif
