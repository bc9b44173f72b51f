#include "cli/info_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/columns.h"

#define BEGINNING "# sonde "
#define MOST_NAMES 1024 /* bytes of the names of columns that are shown */

bool info_is_table(const char *path)
{
	struct line_reader *reader;
	char *line = NULL;

	if (line_reader_open(&reader, path) != SONDE_OK)
		return false;
	bool is_one = line_reader_next(reader, &line) == SONDE_OK && line != NULL &&
		      strncmp(line, BEGINNING, strlen(BEGINNING)) == 0 && strstr(line, ", ") != NULL;
	line_reader_close(&reader);
	return is_one;
}

/* "# sonde VERSION, ENGINE, DATE" */
static void print_origin(const char *line)
{
	const char *version = line + strlen(BEGINNING), *engine = strstr(version, ", ") + 2,
		   *date = strstr(engine, ", ");
	int version_length = (int)(engine - 2 - version), engine_length = (int)strcspn(engine, ",");

	printf("%-12s table of sonde %.*s\n%-12s %.*s\n", "what", engine_length, engine, "version", version_length,
	       version);
	if (date != NULL)
		printf("%-12s %s\n", "date", date + 2);
}

/* "# NAME: TEXT", and other comments as they are. */
static void print_comment(const char *line)
{
	const char *text = line + 1 + strspn(line + 1, " "), *colon = strstr(text, ": ");

	if (colon != NULL && colon - text <= 12 && memchr(text, ' ', (size_t)(colon - text)) == NULL)
		printf("%-12.*s %s\n", (int)(colon - text), text, colon + 2);
	else
		printf("%-12s %s\n", "", text);
}

struct table {
	int64_t rows;
	double first, last; /* of the first column */
	char names[MOST_NAMES];
	struct columns columns;
};

static sonde_status read_line(const struct line_reader *reader, char *line, struct table *table)
{
	struct word words[1];
	double number;
	int count;

	if (line[0] == '#') {
		/* tables with blanks have their names in the last comment */
		print_comment(line);
		return SONDE_OK;
	}
	size_t length = strlen(line);
	if (table->rows == 0 && table->names[0] == '\0' && length > 0 &&
	    !columns_is_number(&(struct word){line, line + length})) {
		snprintf(table->names, sizeof table->names, "%s", line);
		return SONDE_OK;
	}
	CHECK(columns_split(&table->columns, reader, line, words, 1, &count));
	if (count == 0)
		return SONDE_OK;
	if (text_parse_real(words[0].start, words[0].end, &number)) {
		table->first = table->rows == 0 ? number : table->first;
		table->last = number;
	}
	++table->rows;
	return SONDE_OK;
}

sonde_status info_describe_table(const char *path)
{
	struct table table = {.first = NAN, .last = NAN, .columns.needed = 1};
	struct line_reader *reader;
	sonde_status status;
	char *line;

	CHECK(line_reader_open(&reader, path));
	while ((status = line_reader_next(reader, &line)) == SONDE_OK && line != NULL) {
		if (line_reader_number(reader) == 1)
			print_origin(line);
		else
			status = read_line(reader, line, &table);
		if (status != SONDE_OK)
			break;
	}
	line_reader_close(&reader);
	CHECK(status);
	if (table.names[0] != '\0')
		printf("%-12s %s\n", "columns", table.names);
	printf("%-12s %lld", "rows", (long long)table.rows);
	if (isfinite(table.first))
		printf(", the first column from %.10g to %.10g", table.first, table.last);
	printf("\n");
	return SONDE_OK;
}
