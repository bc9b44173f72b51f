#include "cli/info/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/info/facts.h"
#include "io/columns.h"

#define BEGINNING "# sonde "
#define MOST_WORDS 64
#define MOST_NAMES 1024 /* bytes of the names of columns that are shown */

/* The parts of "# sonde VERSION, ENGINE, DATE". False if a line is another one. */
static bool find_origin(const char *line, struct word *version, struct word *engine, const char **date)
{
	static const char *const engines[] = {"debye", "coulomb", "ions", "stopping", "fdtd"};

	if (strncmp(line, BEGINNING, strlen(BEGINNING)) != 0)
		return false;
	version->start = line + strlen(BEGINNING);
	version->end = version->start + strcspn(version->start, ", :");
	if (strncmp(version->end, ", ", 2) != 0)
		return false;
	engine->start = version->end + 2;
	engine->end = engine->start + strcspn(engine->start, ", ");
	*date = engine->end + 2;
	for (size_t k = 0; k < sizeof engines / sizeof *engines; ++k)
		if (word_is(engine, engines[k]) && strncmp(engine->end, ", ", 2) == 0)
			return true;
	return false;
}

static bool is_of_sonde(const char *line)
{
	struct word version, engine;
	const char *date;

	return find_origin(line, &version, &engine, &date);
}

/* Whether a first line is the number of atoms of an XYZ file. */
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

static void print_origin(const char *line)
{
	struct word version, engine;
	const char *date;

	facts_text("what", "table");
	if (!find_origin(line, &version, &engine, &date)) {
		facts_line("what", "table of unknown origin");
		return;
	}
	facts_line("what", "table of sonde %.*s", (int)(engine.end - engine.start), engine.start);
	facts_line("version", "%.*s", (int)(version.end - version.start), version.start);
	facts_line("date", "%s", date);
	facts_words("engine", engine.start, engine.end - engine.start);
	facts_words("version", version.start, version.end - version.start);
	facts_text("date", date);
}

/* "# NAME: TEXT", and other comments as they are. */
static void print_comment(const char *line, struct text *comments)
{
	const char *text = line + 1 + strspn(line + 1, " "), *colon = strstr(text, ": ");

	if (colon != NULL && colon - text <= 12 && memchr(text, ' ', (size_t)(colon - text)) == NULL)
		facts_print("%-12.*s %s\n", (int)(colon - text), text, colon + 2);
	else
		facts_print("%-12s %s\n", "", text);
	if (facts_are_json())
		text_append(comments, "%s\n", text);
}

struct table {
	int64_t rows;
	double first, last; /* of the first column */
	char names[MOST_NAMES];
	struct text comments; /* for JSON */
	struct columns columns;
};

static sonde_status read_line(const struct line_reader *reader, char *line, struct table *table)
{
	struct word words[MOST_WORDS];
	bool has_number = false;
	double number;
	int count;

	if (line[0] == '#') {
		/* tables with blanks have their names in the last comment */
		print_comment(line, &table->comments);
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

static void print_columns(const struct table *table)
{
	facts_lines("comments", table->comments.bytes != NULL ? table->comments.bytes : "");
	if (table->names[0] != '\0') {
		facts_line("columns", "%s", table->names);
		facts_open_list("columns");
		for (const char *name = table->names; *name != '\0';) {
			size_t length = strcspn(name, ",");
			facts_words(NULL, name, (int64_t)length);
			name += length + (name[length] == ',');
		}
		facts_close();
	}
	facts_print("%-12s %lld", "rows", (long long)table->rows);
	if (isfinite(table->first))
		facts_print(", the first column from %.10g to %.10g", table->first, table->last);
	facts_print("\n");
	facts_integer("rows", table->rows);
	facts_number("first", table->first);
	facts_number("last", table->last);
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
		if (line_reader_number(reader) > 1 || !is_of_sonde(line))
			status = read_line(reader, line, &table);
		if (status != SONDE_OK)
			break;
	}
	line_reader_close(&reader);
	if (status == SONDE_OK)
		status = text_status(&table.comments);
	if (status == SONDE_OK)
		print_columns(&table);
	text_free(&table.comments);
	return status;
}
