/* Rows of the tables of data that are compiled in: fields with commas between them, after notes ("# ...") and the names of the columns. */
#ifndef SONDE_MATTER_TABLE_ROW_H
#define SONDE_MATTER_TABLE_ROW_H

#include <stdbool.h>

#define TABLE_MOST_FIELDS 8

struct table_row {
	char line[512];
	char *field[TABLE_MOST_FIELDS]; /* in `line`; "" where the line has fewer */
};

/* The first row of a table, for table_next_row(). */
const char *table_first_row(const char *table);
/* Takes the row at *table apart into `fields` fields, of which the last takes the rest of the line; false after the last row. */
bool table_next_row(const char **table, int fields, struct table_row *row);
/* Cuts a text at the first `separator`, and returns what follows it; its end where there is none. */
char *table_cut(char *text, char separator);

#endif
