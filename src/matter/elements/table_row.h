/* Rows of the compiled-in data tables: fields separated by commas, after notes ("# ...") and the names of the
 * columns. */
#ifndef SONDE_MATTER_TABLE_ROW_H
#define SONDE_MATTER_TABLE_ROW_H

#include <stdbool.h>

#define TABLE_MOST_FIELDS 8

struct table_row {
	char line[512];
	char *field[TABLE_MOST_FIELDS]; /* in `line`; "" if the line has fewer */
};

/* The first row of a table, for table_next_row(). */
const char *table_first_row(const char *table);
/* Splits the row at *table into `fields` fields, the last of which takes the rest of the line; false after the last
 * row. */
bool table_next_row(const char **table, int fields, struct table_row *row);
/* Cuts a text at the first `separator`, and returns the rest; its end if there is none. */
char *table_cut(char *text, char separator);

#endif
