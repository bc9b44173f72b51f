/* The tables of data/ for tests, read from the files independently of the library. */
#ifndef TESTS_UNIT_TABLE_FILE_H
#define TESTS_UNIT_TABLE_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_FIELDS 20

struct table_row {
	char line[1024];
	char *field[TABLE_FIELDS]; /* "" beyond the last */
};

/* Calls `visit` for each row below the names of the columns. Returns their number, -1 without the file. */
static int table_visit(const char *name, void (*visit)(const struct table_row *row))
{
	char path[4096];
	struct table_row row;
	int rows = -1;

	snprintf(path, sizeof path, "%s/%s", TABLES, name);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return -1;
	while (fgets(row.line, sizeof row.line, file) != NULL) {
		if (row.line[0] == '#')
			continue;
		row.line[strcspn(row.line, "\r\n")] = '\0';
		char *rest = row.line;
		for (int k = 0; k < TABLE_FIELDS; ++k) {
			char *field = strsep(&rest, ",");
			row.field[k] = field != NULL ? field : "";
		}
		if (++rows > 0)
			visit(&row);
	}
	fclose(file);
	return rows;
}

#endif
