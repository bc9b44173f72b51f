#include "io/atoms/xyz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/threads.h"
#include "io/atoms/xyz_comment.h"

#define LARGEST_COORDINATE 1e7
#define LINES_AT_ONCE 8192
#define PARALLEL_LINES 1024 /* fewer are read faster by one thread */

/* The fifth column of a plain file so far. The format does not define it: charges and occupancies are common. It is
 * taken for occupancies if each line has five columns, and the fifth is a number above 0 and up to 1. */
struct fifth_column {
	int64_t lines; /* atoms with five columns, the last a number */
	bool missing;  /* on some line */
	bool other;    /* an out-of-range number, on line `line` */
	int64_t line;
	double value, smallest;
};

/* The data of an atom's line. */
struct parsed_atom {
	struct word label, group;
	double position[3], charges[ATOM_MOST_CHARGES];
	double displacement[9];
	double occupancy; /* or the number in the fifth column, NaN without one */
};

/* The fifth column of a plain file, if that is the last and a number. */
static double parse_fifth(const char *cursor)
{
	struct word word, rest;
	double value;

	return next_word(&cursor, &word) && text_parse_real(word.start, word.end, &value) &&
		       !next_word(&cursor, &rest)
		   ? value
		   : NAN;
}

static bool parse_coordinate(const char **cursor, struct word *word, double *value)
{
	const char *c = *cursor;

	while (*c == ' ' || *c == '\t')
		++c;
	*word = (struct word){c, c};
	if (text_take_short_real(&c, value))
		word->end = *cursor = c;
	else if (!next_word(cursor, word) || !text_parse_real(word->start, word->end, value))
		return false;
	return fabs(*value) <= LARGEST_COORDINATE;
}

/* A number, or nan where it is unknown. */
static bool parse_displacement(const struct word *word, double *value)
{
	if (word->end - word->start == 3 && strncasecmp(word->start, "nan", 3) == 0) {
		*value = NAN;
		return true;
	}
	return text_parse_real(word->start, word->end, value);
}

/* Reads the columns of a line. False if one is missing or not a number in range: column is its index. */
static bool parse_atom(const char *line, const struct atom_columns *columns, struct parsed_atom *atom, int *column,
		       struct word *word)
{
	const char *cursor = line;

	atom->label = (struct word){line, line};
	for (*column = 0; *column < columns->count; ++*column) {
		int k = *column - columns->position, s = *column - columns->charge,
		    u = *column - columns->displacement;
		if (k >= 0 && k <= 2) {
			if (!parse_coordinate(&cursor, word, &atom->position[k]))
				return false;
			continue;
		}
		if (!next_word(&cursor, word))
			return false;
		if (*column == columns->label)
			atom->label = *word;
		if (*column == columns->group)
			atom->group = *word;
		if (s >= 0 && s < columns->charges && !text_parse_real(word->start, word->end, &atom->charges[s]))
			return false;
		if (u >= 0 && u < columns->displacements && !parse_displacement(word, &atom->displacement[u]))
			return false;
		if (*column == columns->occupancy && !(text_parse_real(word->start, word->end, &atom->occupancy) &&
						       atom->occupancy >= 0.0 && atom->occupancy <= 1.0))
			return false;
	}
	if (columns->maybe_fifth)
		atom->occupancy = parse_fifth(cursor);
	return true;
}

/* Reports why a line is invalid. */
static sonde_status explain(const struct line_reader *reader, int64_t number, const struct atom_columns *columns,
			    int column, const struct word *word)
{
	static const char axis[] = "xyz";
	const char *path = line_reader_path(reader);
	int k = column - columns->position;
	double value;

	if (column == columns->occupancy && word->start != word->end)
		return status_fail_line(SONDE_INVALID, path, number, "occupancy = '%.*s' is not a number from 0 to 1",
					(int)(word->end - word->start > 32 ? 32 : word->end - word->start),
					word->start);
	if (column >= columns->charge && column < columns->charge + columns->charges && word->start != word->end)
		return status_fail_line(SONDE_INVALID, path, number, "charge = '%.*s' is not a finite number",
					(int)(word->end - word->start > 32 ? 32 : word->end - word->start),
					word->start);
	if (column >= columns->displacement && column < columns->displacement + columns->displacements &&
	    word->start != word->end)
		return status_fail_line(SONDE_INVALID, path, number,
					"mean square displacement = '%.*s' is not a finite number, or nan if unknown",
					(int)(word->end - word->start > 32 ? 32 : word->end - word->start),
					word->start);
	if (word->start == word->end)
		return status_fail_line(SONDE_INVALID, path, number, "an atom needs %d columns, this line has %d",
					columns->count, column);
	if (!text_parse_real(word->start, word->end, &value))
		return status_fail_line(SONDE_INVALID, path, number, "%c = '%.*s' is not a finite number", axis[k],
					(int)(word->end - word->start > 32 ? 32 : word->end - word->start),
					word->start);
	return status_fail_line(SONDE_INVALID, path, number, "%c = %g is out of range: at most %g Angstrom", axis[k],
				value, LARGEST_COORDINATE);
}

/* The occupancies of a plain file are delivered as long as they may be valid. */
static sonde_status deliver_occupancy(const struct atom_columns *columns, int64_t number, double value,
				      const struct atom_sink *sink, struct fifth_column *fifth)
{
	if (sink->occupancy == NULL || !(columns->occupancy >= 0 || columns->maybe_fifth))
		return SONDE_OK;
	if (columns->maybe_fifth) {
		fifth->missing = fifth->missing || isnan(value);
		if (fifth->missing)
			return SONDE_OK; /* end_fifth() revokes those delivered */
		++fifth->lines;
		fifth->smallest = value < fifth->smallest ? value : fifth->smallest;
		if (!fifth->other && !(value > 0.0 && value <= 1.0)) {
			fifth->other = true;
			fifth->line = number;
			fifth->value = value;
		}
		if (fifth->other)
			value = 1.0;
	}
	return sink->occupancy(sink->user, value);
}

/* Nine numbers are those of a symmetric matrix: the mean of both halves. */
static sonde_status deliver_displacement(const struct atom_columns *columns, const double *from,
					 const struct atom_sink *sink)
{
	static const int first[6] = {0, 4, 8, 5, 2, 1}, second[6] = {0, 4, 8, 7, 6, 3};
	const int size = columns->displacements == 1 ? 1 : 6;
	double u[6];
	bool known = true;

	for (int k = 0; k < size; ++k) {
		u[k] = columns->displacements == 9 ? 0.5 * (from[first[k]] + from[second[k]]) : from[k];
		u[k] *= columns->displacement_unit;
		known = known && !isnan(u[k]);
	}
	return sink->displacement(sink->user, u, known ? size : 0);
}

static sonde_status deliver_group(const struct word *group, const struct atom_sink *sink)
{
	const int length = (int)(group->end - group->start);
	char name[ATOM_GROUP_NAME];

	if (length >= ATOM_GROUP_NAME)
		return status_fail(SONDE_INVALID, "the block '%.*s' has a name of more than %d characters",
				   length > 60 ? 60 : length, group->start, ATOM_GROUP_NAME - 1);
	snprintf(name, sizeof name, "%.*s", length, group->start);
	return sink->group(sink->user, ATOM_BLOCK, name);
}

static sonde_status deliver_atom(const struct line_reader *reader, int64_t number, const struct atom_columns *columns,
				 const struct parsed_atom *atom, const struct atom_sink *sink,
				 struct fifth_column *fifth)
{
	size_t length = (size_t)(atom->label.end - atom->label.start);
	char name[64];

	if (length >= sizeof name)
		return status_fail_line(SONDE_INVALID, line_reader_path(reader), number,
					"the label of the atom is too long");
	memcpy(name, atom->label.start, length);
	name[length] = '\0';
	sonde_status status = sink->atom(sink->user, name, atom->position);
	if (status == SONDE_OK && columns->charges > 0 && sink->charges != NULL)
		status = sink->charges(sink->user, atom->charges, columns->charges);
	if (status == SONDE_OK && columns->group >= 0 && sink->group != NULL)
		status = deliver_group(&atom->group, sink);
	if (status == SONDE_OK && columns->displacements > 0 && sink->displacement != NULL)
		status = deliver_displacement(columns, atom->displacement, sink);
	if (status == SONDE_OK)
		status = deliver_occupancy(columns, number, atom->occupancy, sink, fifth);
	return status == SONDE_INVALID ? status_prefix_line(status, line_reader_path(reader), number) : status;
}

static sonde_status read_atom(const struct line_reader *reader, int64_t number, const char *line,
			      const struct atom_columns *columns, const struct atom_sink *sink,
			      struct fifth_column *fifth)
{
	struct parsed_atom atom;
	struct word word;
	int column;

	if (!parse_atom(line, columns, &atom, &column, &word))
		return explain(reader, number, columns, column, &word);
	return deliver_atom(reader, number, columns, &atom, sink, fifth);
}

static bool is_blank(const char *line)
{
	return line[strspn(line, " \t")] == '\0';
}

/* Number of atoms from the first line of a frame. */
static bool parse_count(const char *line, int64_t *count)
{
	struct word word, rest;

	return next_word(&line, &word) && text_parse_integer(word.start, word.end, count) && *count >= 0 &&
	       !next_word(&line, &rest);
}

/* Lines in memory, and their data. */
struct batch {
	char *lines[LINES_AT_ONCE];
	struct parsed_atom atoms[LINES_AT_ONCE];
	bool fine[LINES_AT_ONCE];
};

/* The next lines of `left`. */
static sonde_status read_lines(struct line_reader *reader, int64_t count, int64_t left, const struct atom_sink *sink,
			       struct batch *batch, int64_t *got)
{
	CHECK(line_reader_next_lines(reader, batch->lines, left < LINES_AT_ONCE ? left : LINES_AT_ONCE, got));
	if (*got == 0)
		return status_fail_line(SONDE_INVALID, line_reader_path(reader), line_reader_number(reader),
					"the file ends after %lld of %lld atoms", (long long)(count - left),
					(long long)count);
	if (sink->cancelled != NULL && sink->cancelled(sink->user))
		return status_fail(SONDE_CANCELLED, "stopped while reading %s", line_reader_path(reader));
	return SONDE_OK;
}

struct parsing {
	const struct atom_columns *columns;
	const struct atom_sink *sink;
	struct batch *batch;
	int64_t first; /* number of the first atom */
};

static sonde_status place_atom(const struct atom_sink *sink, int64_t number, const struct parsed_atom *atom)
{
	return sink->place(sink->user, number, atom->label.start, (size_t)(atom->label.end - atom->label.start),
			   atom->position);
}

static void parse_lines(void *state, int64_t first, int64_t end, int worker)
{
	const struct parsing *parsing = state;
	struct batch *batch = parsing->batch;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		struct word word;
		int column;
		batch->fine[k] = parse_atom(batch->lines[k], parsing->columns, &batch->atoms[k], &column, &word) &&
				 (parsing->sink->place == NULL ||
				  place_atom(parsing->sink, parsing->first + k, &batch->atoms[k]) == SONDE_OK);
	}
}

/* The message about an atom that was not placed. */
static sonde_status refuse_atom(const struct line_reader *reader, int64_t line, const struct parsing *parsing,
				int64_t k)
{
	struct parsed_atom atom;
	struct word word;
	int column;

	if (!parse_atom(parsing->batch->lines[k], parsing->columns, &atom, &column, &word))
		return explain(reader, line, parsing->columns, column, &word);
	const sonde_status status = place_atom(parsing->sink, parsing->first + k, &atom);
	return status == SONDE_INVALID ? status_prefix_line(status, line_reader_path(reader), line) : status;
}

static sonde_status check_placed(const struct line_reader *reader, int64_t line, const struct parsing *parsing,
				 int64_t count)
{
	for (int64_t k = 0; k < count; ++k)
		if (!parsing->batch->fine[k])
			return refuse_atom(reader, line + k, parsing, k);
	return SONDE_OK;
}

static sonde_status read_batches(struct line_reader *reader, int64_t count, const struct atom_columns *columns,
				 const struct atom_sink *sink, struct batch *batch, struct fifth_column *fifth)
{
	int threads = sink->threads > 1 ? sink->threads : 1;

	for (int64_t left = count, got; left > 0; left -= got) {
		CHECK(read_lines(reader, count, left, sink, batch, &got));
		int64_t first = line_reader_number(reader) - got + 1;
		struct parsing parsing = {columns, sink, batch, count - left};
		threads_for(threads, got, PARALLEL_LINES, parse_lines, &parsing);
		if (sink->place != NULL) {
			CHECK(check_placed(reader, first, &parsing, got));
			continue;
		}
		for (int64_t k = 0; k < got; ++k) {
			if (!batch->fine[k])
				return read_atom(reader, first + k, batch->lines[k], columns, sink, fifth);
			CHECK(deliver_atom(reader, first + k, columns, &batch->atoms[k], sink, fifth));
		}
	}
	return SONDE_OK;
}

/* After the last atom of a plain frame: a note about its fifth column. */
static sonde_status end_fifth(const struct line_reader *reader, int64_t count, const struct fifth_column *fifth,
			      const struct atom_sink *sink)
{
	bool all = fifth->lines == count, taken = all && !fifth->other;
	char line[400];

	if (sink->occupancy == NULL || count == 0)
		return SONDE_OK;
	if (all && fifth->other)
		snprintf(line, sizeof line,
			 "%.250s: the fifth column (%g in line %lld) is ignored: occupancies would be above 0 and "
			 "up to 1; "
			 "extended XYZ names its columns",
			 line_reader_path(reader), fifth->value, (long long)fifth->line);
	if (taken && fifth->smallest < 1.0)
		snprintf(
		    line, sizeof line,
		    "%.250s: the fifth column, from %g up, is taken for occupancies; extended XYZ names its columns",
		    line_reader_path(reader), fifth->smallest);
	if (sink->remark != NULL && all && (fifth->other || fifth->smallest < 1.0))
		sink->remark(sink->user, line);
	return taken ? SONDE_OK : sink->occupancy(sink->user, NAN);
}

static sonde_status read_atoms(struct line_reader *reader, int64_t count, const struct atom_columns *columns,
			       const struct atom_sink *sink)
{
	struct fifth_column fifth = {.smallest = INFINITY};
	struct batch *batch;

	CHECK(memory_allocate(&batch, 1, sizeof *batch, "a file buffer"));
	sonde_status status = read_batches(reader, count, columns, sink, batch, &fifth);
	free(batch);
	return status == SONDE_OK && columns->maybe_fifth ? end_fifth(reader, count, &fifth, sink) : status;
}

static sonde_status skip_atoms(struct line_reader *reader, int64_t count, const struct atom_sink *sink)
{
	struct batch *batch;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&batch, 1, sizeof *batch, "a file buffer"));
	for (int64_t left = count, got; left > 0 && status == SONDE_OK; left -= got)
		status = read_lines(reader, count, left, sink, batch, &got);
	free(batch);
	return status;
}

/* Reads, or skips, the rest of a frame whose first line gave `count`. */
static sonde_status read_frame(struct line_reader *reader, int64_t count, const struct atom_sink *sink, bool skip)
{
	struct atom_columns columns = {
	    .label = 0, .position = 1, .count = 4, .occupancy = -1, .group = -1, .maybe_fifth = sink->place == NULL};
	char *line;

	CHECK(line_reader_next(reader, &line));
	if (line == NULL && count > 0)
		return fail_here(reader, "the file ends before the comment line");
	if (line != NULL && !skip)
		CHECK(xyz_read_comment(reader, line, sink, &columns));
	if (!skip && sink->count != NULL) {
		const sonde_status status = sink->count(sink->user, count);
		if (status != SONDE_OK)
			return status_prefix_line(status, line_reader_path(reader), line_reader_number(reader) - 1);
	}
	return skip ? skip_atoms(reader, count, sink) : read_atoms(reader, count, &columns, sink);
}

/* The first line of the next frame; *count is -1 at the end of the file. */
static sonde_status next_frame(struct line_reader *reader, bool first, int64_t *count)
{
	char *line;

	do {
		CHECK(line_reader_next(reader, &line));
	} while (line != NULL && is_blank(line) && !first);
	*count = -1;
	if (line == NULL)
		return SONDE_OK;
	if (first && is_blank(line))
		return fail_here(reader, "the first line of an XYZ file must be the number of atoms, but is empty");
	if (!parse_count(line, count))
		return status_fail_line(SONDE_INVALID, line_reader_path(reader), line_reader_number(reader),
					"%s, not '%.40s'",
					first ? "the first line of an XYZ file is the number of atoms"
					      : "the file has more lines than its number of atoms",
					line);
	return SONDE_OK;
}

static sonde_status read_chosen_frame(struct line_reader *reader, int64_t frame, const struct atom_sink *sink)
{
	int64_t count;

	CHECK(next_frame(reader, true, &count));
	if (count < 0)
		return status_fail_file(SONDE_INVALID, line_reader_path(reader), "is empty");
	for (int64_t k = 1; k < frame; ++k) {
		CHECK(read_frame(reader, count, sink, true));
		CHECK(next_frame(reader, false, &count));
		if (count < 0)
			return status_fail_file(SONDE_INVALID, line_reader_path(reader),
						"has %lld frames; frame %lld does not exist", (long long)k,
						(long long)frame);
	}
	CHECK(read_frame(reader, count, sink, false));
	CHECK(next_frame(reader, false, &count));
	while (frame == ATOM_ALL_FRAMES && count >= 0) {
		CHECK(sink->frame(sink->user));
		CHECK(read_frame(reader, count, sink, false));
		CHECK(next_frame(reader, false, &count));
	}
	if (count >= 0 && frame == 0)
		return fail_here(reader, "a second frame begins here; choose one with " OPTION_NAME("frame"));
	return SONDE_OK;
}

sonde_status xyz_next(struct line_reader *reader, const struct atom_sink *sink, bool *ended)
{
	int64_t count;

	CHECK(next_frame(reader, line_reader_number(reader) == 0, &count));
	*ended = count < 0;
	return *ended ? SONDE_OK : read_frame(reader, count, sink, false);
}

sonde_status xyz_skip(struct line_reader *reader, const struct atom_sink *sink, bool *ended)
{
	int64_t count;

	CHECK(next_frame(reader, line_reader_number(reader) == 0, &count));
	*ended = count < 0;
	return *ended ? SONDE_OK : read_frame(reader, count, sink, true);
}

sonde_status xyz_read(const char *path, int64_t frame, const struct atom_sink *sink)
{
	struct line_reader *reader;
	sonde_status status;

	CHECK(line_reader_open(&reader, path));
	status = read_chosen_frame(reader, frame, sink);
	line_reader_close(&reader);
	return status;
}
