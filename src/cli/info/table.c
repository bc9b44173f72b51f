#include "cli/info/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "job/engines.h"
#include "run/report.h"
#include "io/tables/columns.h"

#define BEGINNING "# sonde "
#define MOST_WORDS 64
#define MOST_NAMES 1024 /* bytes of column names that are shown */

/* The parts of "# sonde VERSION, ENGINE, DATE". False if a line is of another kind. */
static bool find_origin(const char *line, struct word *version, struct word *engine, const char **date)
{
	if (strncmp(line, BEGINNING, strlen(BEGINNING)) != 0)
		return false;
	version->start = line + strlen(BEGINNING);
	version->end = version->start + strcspn(version->start, ", :");
	if (strncmp(version->end, ", ", 2) != 0)
		return false;
	engine->start = version->end + 2;
	engine->end = engine->start + strcspn(engine->start, ", ");
	*date = engine->end + 2;
	for (int k = 0; engine_at(k) != NULL; ++k)
		if (word_is(engine, engine_at(k)->name) && strncmp(engine->end, ", ", 2) == 0)
			return true;
	return false;
}

static bool is_of_sonde(const char *line)
{
	struct word version, engine;
	const char *date;

	return find_origin(line, &version, &engine, &date);
}

/* Whether the first line is the number of atoms of an XYZ file. */
static bool is_count(const char *line)
{
	struct word words[2];
	int64_t count;

	return words_split(line, words, 2) == 1 && text_parse_integer(words[0].start, words[0].end, &count);
}

bool info_is_table(const char *path)
{
	struct line_reader *reader;
	char *line = NULL;
	bool is_one = file_has_suffix(path, ".csv");
	bool may_be =
	    is_one || file_has_suffix(path, ".txt") || file_has_suffix(path, ".dat") || file_has_suffix(path, ".xy");

	if (line_reader_open(&reader, path) != SONDE_OK)
		return false;
	if (line_reader_next(reader, &line) == SONDE_OK && line != NULL)
		is_one = is_one || is_of_sonde(line) || (may_be && !is_count(line));
	line_reader_close(&reader);
	return is_one;
}

static void report_origin(const char *line, struct report *report)
{
	struct word version, engine;
	const char *date;

	report_text(report, "what", "table");
	if (!find_origin(line, &version, &engine, &date)) {
		report_line(report, "what", "table of unknown origin");
		return;
	}
	report_line(report, "what", "table of sonde %.*s", (int)(engine.end - engine.start), engine.start);
	report_line(report, "version", "%.*s", (int)(version.end - version.start), version.start);
	report_line(report, "date", "%s", date);
	report_words(report, "engine", engine.start, engine.end - engine.start);
	report_words(report, "version", version.start, version.end - version.start);
	report_text(report, "date", date);
}

/* "# NAME: TEXT", and other comments unchanged. */
static void report_comment(const char *line, struct text *comments, struct report *report)
{
	const char *text = line + 1 + strspn(line + 1, " "), *colon = strstr(text, ": ");

	if (colon != NULL && colon - text <= 12 && memchr(text, ' ', (size_t)(colon - text)) == NULL)
		report_print(report, "%-12.*s %s\n", (int)(colon - text), text, colon + 2);
	else
		report_print(report, "%-12s %s\n", "", text);
	if (report->json)
		text_append(comments, "%s\n", text);
}

struct table {
	int64_t rows;
	double first, last; /* of the first column */
	char names[MOST_NAMES];
	struct text comments; /* for JSON */
	struct columns columns;
};

static sonde_status read_line(const struct line_reader *reader, char *line, struct table *table,
			      struct report *report)
{
	struct word words[MOST_WORDS];
	bool has_number = false;
	double number;
	int count;

	if (line[0] == '#') {
		/* tables with blanks have the column names in the last comment */
		report_comment(line, &table->comments, report);
		return SONDE_OK;
	}
	size_t length = strlen(line);
	if (table->rows == 0 && table->names[0] == '\0' && length > 0 &&
	    !columns_is_number(&(struct word){line, line + length})) {
		snprintf(table->names, sizeof table->names, "%s", line);
		return SONDE_OK;
	}
	CHECK(columns_split(&table->columns, reader, line, words, MOST_WORDS, &count));
	for (int k = 0; k < count; ++k)
		has_number = has_number || columns_is_number(&words[k]);
	if (!has_number)
		return SONDE_OK;
	if (text_parse_real(words[0].start, words[0].end, &number)) {
		table->first = table->rows == 0 ? number : table->first;
		table->last = number;
	}
	++table->rows;
	return SONDE_OK;
}

static void report_columns(const struct table *table, struct report *report)
{
	report_lines(report, "comments", table->comments.bytes != NULL ? table->comments.bytes : "");
	if (table->names[0] != '\0') {
		report_line(report, "columns", "%s", table->names);
		report_open_list(report, "columns");
		for (const char *name = table->names; *name != '\0';) {
			size_t length = strcspn(name, ",");
			report_words(report, NULL, name, (int64_t)length);
			name += length + (name[length] == ',');
		}
		report_close(report);
	}
	report_print(report, "%-12s %lld", "rows", (long long)table->rows);
	if (isfinite(table->first))
		report_print(report, ", the first column from %.10g to %.10g", table->first, table->last);
	report_print(report, "\n");
	report_integer(report, "rows", table->rows);
	report_number(report, "first", table->first);
	report_number(report, "last", table->last);
}

sonde_status info_describe_table(const char *path, struct report *report)
{
	struct table table = {.first = NAN, .last = NAN, .columns.needed = 1};
	struct line_reader *reader;
	sonde_status status;
	char *line;

	CHECK(line_reader_open(&reader, path));
	while ((status = line_reader_next(reader, &line)) == SONDE_OK && line != NULL) {
		if (line_reader_number(reader) == 1)
			report_origin(line, report);
		if (line_reader_number(reader) > 1 || !is_of_sonde(line))
			status = read_line(reader, line, &table, report);
		if (status != SONDE_OK)
			break;
	}
	line_reader_close(&reader);
	if (status == SONDE_OK)
		status = text_status(&table.comments);
	if (status == SONDE_OK)
		report_columns(&table, report);
	text_free(&table.comments);
	return status;
}
