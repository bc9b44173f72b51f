#include "matter/elements/table_row.h"

#include <string.h>

const char *table_first_row(const char *table)
{
	while (*table == '#')
		table += strcspn(table, "\n") + 1;
	return table + strcspn(table, "\n") + 1;
}

char *table_cut(char *text, char separator)
{
	char *end = text + strcspn(text, (char[]){separator, '\0'});

	if (*end != '\0')
		*end++ = '\0';
	return end;
}

bool table_next_row(const char **table, int fields, struct table_row *row)
{
	const size_t length = strcspn(*table, "\n");

	if (length == 0 || length >= sizeof row->line)
		return false;
	memcpy(row->line, *table, length);
	row->line[length] = '\0';
	*table += length + ((*table)[length] == '\n');
	row->field[0] = row->line;
	for (int k = 1; k < fields; ++k)
		row->field[k] = table_cut(row->field[k - 1], ',');
	return true;
}
