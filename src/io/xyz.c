#include "io/xyz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/words.h"

#define COLUMNS 256 /* maximum number of columns of a line */
#define LARGEST_COORDINATE 1e7
#define LINES_AT_ONCE 8192
#define PARALLEL_LINES 1024 /* fewer are read faster by one thread */

/* The columns of label, position and charge, and the required number of columns. */
struct atom_columns {
	int label, position, count;
	int charge, charges;             /* `charges` columns from `charge` on; 0: none */
	int occupancy;                   /* -1: none */
	int group;                       /* of a block or copy; -1: none */
	int displacement, displacements; /* U_iso or a tensor of 6 or 9 numbers; 0: none */
	double displacement_unit;        /* in Angstrom^2: 1/(8 pi^2) of B_iso */
	bool maybe_fifth;                /* a plain file: a fifth column may hold occupancies */
};

/* The fifth column of a plain file so far. The format does not define it: charges and occupancies are common. It is
 * taken for occupancies if each line has five columns, and the fifth is a number above 0 and up to 1. */
struct fifth_column {
	int64_t lines; /* atoms with five columns, the last a number */
	bool missing;  /* on some line */
	bool other;    /* an out-of-range number, on line `line` */
	int64_t line;
	double value, smallest;
};

/* The next word of a line, delimited by blanks. */
static bool next_word(const char **cursor, struct word *word)
{
	const char *c = *cursor;

	while (*c == ' ' || *c == '\t')
		++c;
	word->start = c;
	while (*c != '\0' && *c != ' ' && *c != '\t')
		++c;
	word->end = *cursor = c;
	return word->start != word->end;
}

static sonde_status fail_here(const struct line_reader *reader, const char *what)
{
	return status_fail_line(SONDE_INVALID, line_reader_path(reader), line_reader_number(reader), "%s", what);
}

/* The value of KEY=value or KEY="value" in the comment line, the key in upper or lower case; false if the key is missing, or after an unterminated
 * quote. */
static bool comment_value(const char *comment, const char *key, struct word *value, bool *unclosed)
{
	size_t length = strlen(key);
	const char *c = comment;

	while (*c != '\0') {
		while (*c == ' ' || *c == '\t')
			++c;
		const char *name = c;
		while (*c != '\0' && *c != ' ' && *c != '\t' && *c != '=')
			++c;
		size_t name_length = (size_t)(c - name);
		if (*c != '=')
			continue;
		++c;
		char quote = *c == '"' || *c == '\'' || *c == '{' ? *c : '\0';
		if (quote != '\0') {
			const char *stop = strchr(c + 1, quote == '{' ? '}' : quote);
			*unclosed = stop == NULL;
			if (stop == NULL)
				return false;
			*value = (struct word){c + 1, stop};
			c = stop + 1;
		} else {
			value->start = c;
			while (*c != '\0' && *c != ' ' && *c != '\t')
				++c;
			value->end = c;
		}
		if (name_length == length && strncasecmp(name, key, length) == 0)
			return true;
	}
	return false;
}

static const char *const charge_names[4] = {"charge", "charges", "initial_charges", "partial_charges"};
static const char *const group_names[4] = {"block", "copy"};
static const char *const occupancy_names[4] = {"occupancy", "occupancies", "occ"};

/* Mean square displacements, with the numbers of each atom that are possible. */
static const struct displacement_name {
	const char *name;
	bool tensor;
	double unit;
} displacement_names[] = {{"U_iso", false, 1.0},
			  {"u_iso", false, 1.0},
			  {"Uiso", false, 1.0},
			  {"B_iso", false, 1.0 / (8.0 * PI * PI)},
			  {"b_iso", false, 1.0 / (8.0 * PI * PI)},
			  {"Biso", false, 1.0 / (8.0 * PI * PI)},
			  {"U_aniso", true, 1.0},
			  {"u_aniso", true, 1.0},
			  {"Uaniso", true, 1.0}};

static bool is_any(const char *const names[4], const char *name, size_t length)
{
	for (int k = 0; k < 4 && names[k] != NULL; ++k)
		if (strlen(names[k]) == length && strncmp(names[k], name, length) == 0)
			return true;
	return false;
}

/* A property U_iso:R:1, B_iso:R:1, or U_aniso:R:6 or 9. */
static sonde_status read_displacement_property(const struct line_reader *reader, const char *name, size_t length,
					       int64_t width, int column, struct atom_columns *columns)
{
	for (size_t k = 0; k < sizeof displacement_names / sizeof *displacement_names; ++k) {
		const struct displacement_name *known = &displacement_names[k];
		if (strlen(known->name) != length || strncmp(known->name, name, length) != 0)
			continue;
		if (known->tensor ? width != 6 && width != 9 : width != 1)
			return status_fail_line(SONDE_INVALID, line_reader_path(reader), line_reader_number(reader),
						"%s has %lld columns: %s", known->name, (long long)width,
						known->tensor ? "a tensor has 6, xx yy zz yz xz xy, or 9, row by row"
							      : "it has 1");
		/* a tensor contains more than its mean */
		if (columns->displacements > 1 && width == 1)
			return SONDE_OK;
		columns->displacement = column;
		columns->displacements = (int)width;
		columns->displacement_unit = known->unit;
	}
	return SONDE_OK;
}

/* Properties=species:S:1:pos:R:3:...: finds the columns of species and pos. */
static sonde_status read_properties(const struct line_reader *reader, struct word value, struct atom_columns *columns)
{
	const char *c = value.start;
	int column = 0;

	*columns = (struct atom_columns){.label = -1, .position = -1, .occupancy = -1, .group = -1};
	while (c < value.end) {
		const char *part[3], *end[3];
		int64_t width;
		for (int i = 0; i < 3; ++i) {
			part[i] = c;
			while (c < value.end && *c != ':')
				++c;
			end[i] = c;
			c += c < value.end;
		}
		if (!text_parse_integer(part[2], end[2], &width) || width < 1 || width > COLUMNS)
			return fail_here(reader, "Properties must be a sequence of name:type:columns");
		size_t length = (size_t)(end[0] - part[0]);
		if (length == 7 && strncmp(part[0], "species", length) == 0 && *part[1] == 'S' && width == 1)
			columns->label = column;
		if (length == 3 && strncmp(part[0], "pos", length) == 0 && *part[1] == 'R' && width == 3)
			columns->position = column;
		if (is_any(charge_names, part[0], length) && *part[1] == 'R') {
			if (width > ATOM_MOST_CHARGES)
				return fail_here(reader, "at most 16 sets of charges are possible");
			columns->charge = column;
			columns->charges = (int)width;
		}
		if (is_any(occupancy_names, part[0], length) && (*part[1] == 'R' || *part[1] == 'I') && width == 1)
			columns->occupancy = column;
		if (is_any(group_names, part[0], length) && (*part[1] == 'I' || *part[1] == 'S') && width == 1)
			columns->group = column;
		if (*part[1] == 'R')
			CHECK(read_displacement_property(reader, part[0], length, width, column, columns));
		column += (int)width;
		if (column > COLUMNS)
			return fail_here(reader, "Properties name too many columns");
	}
	if (columns->label < 0 || columns->position < 0)
		return fail_here(reader, "Properties lack species:S:1 or pos:R:3");
	columns->count = column;
	return SONDE_OK;
}

static sonde_status read_lattice(const struct line_reader *reader, struct word value, double lattice[9])
{
	const char *cursor = value.start;
	struct word word;
	int count = 0;

	while (cursor < value.end && next_word(&cursor, &word)) {
		if (word.end > value.end)
			word.end = value.end;
		if (word.start == word.end)
			break;
		if (count == 9 || !text_parse_real(word.start, word.end, &lattice[count++]))
			return fail_here(reader, "Lattice must be nine numbers");
	}
	if (count != 9)
		return fail_here(reader, "Lattice must be nine numbers");
	return SONDE_OK;
}

/* T, true, 1 or their opposites. */
static bool parse_truth(const struct word *word, bool *truth)
{
	static const char *const names[] = {"F", "f", "False", "false", "FALSE", "0",
					    "T", "t", "True",  "true",  "TRUE",  "1"};
	size_t length = (size_t)(word->end - word->start), count = sizeof names / sizeof *names;

	for (size_t k = 0; k < count; ++k) {
		if (strlen(names[k]) == length && strncmp(names[k], word->start, length) == 0) {
			*truth = k >= count / 2;
			return true;
		}
	}
	return false;
}

/* Without quotes a list ends at its first blank, and the rest follows: pbc=[T, T, F] or pbc=T T F. */
static bool is_cut(struct word value)
{
	const char *c = value.end;
	struct word next;
	bool truth;

	if (value.start < value.end && *value.start == '[' && value.end[-1] != ']')
		return true;
	return (*c == ' ' || *c == '\t') && next_word(&c, &next) && parse_truth(&next, &truth);
}

/* pbc="T T F", or one for all three; the newer form has brackets and commas. */
static sonde_status read_periodic(const struct line_reader *reader, struct word value, bool periodic[3])
{
	const char *c = value.start;
	int count = 0;

	while (c < value.end) {
		struct word word = {c, c};
		while (word.end < value.end && strchr(" \t,[]", *word.end) == NULL)
			++word.end;
		c = word.end + (word.end < value.end);
		if (word.start == word.end)
			continue;
		if (count == 3 || !parse_truth(&word, &periodic[count++]))
			return fail_here(reader, "pbc must be three of T and F");
	}
	if (is_cut(value))
		return fail_here(reader, "pbc must be three of T and F; with blanks between them it needs quotes, "
					 "pbc=\"T T F\"");
	if (count == 1)
		periodic[1] = periodic[2] = periodic[0];
	else if (count != 3)
		return fail_here(reader, "pbc must be three of T and F");
	return SONDE_OK;
}

/* Lattice and pbc. In extended XYZ, a Lattice alone makes the sample periodic along edges longer than 0. */
static sonde_status read_cell(const struct line_reader *reader, const char *comment, const struct atom_sink *sink)
{
	bool unclosed = false, periodic[3] = {false}, has_lattice, has_pbc;
	double lattice[9] = {0.0};
	struct word value;

	has_lattice = comment_value(comment, "Lattice", &value, &unclosed);
	if (has_lattice)
		CHECK(read_lattice(reader, value, lattice));
	for (int k = 0; k < 3; ++k)
		periodic[k] = lattice[3 * k] != 0.0 || lattice[3 * k + 1] != 0.0 || lattice[3 * k + 2] != 0.0;
	has_pbc = comment_value(comment, "pbc", &value, &unclosed);
	if (has_pbc)
		CHECK(read_periodic(reader, value, periodic));
	if (sink->lattice == NULL || !(has_lattice || has_pbc))
		return SONDE_OK;
	return sink->lattice(sink->user, has_lattice ? lattice : NULL, periodic);
}

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
	struct word value;
	char *line;

	CHECK(line_reader_next(reader, &line));
	if (line == NULL && count > 0)
		return fail_here(reader, "the file ends before the comment line");
	if (line != NULL && !skip) {
		bool unclosed = false;
		if (sink->copies != NULL && comment_value(line, "copies", &value, &unclosed))
			CHECK(sink->copies(sink->user, value.start, (size_t)(value.end - value.start)));
		unclosed = false;
		if (comment_value(line, "Properties", &value, &unclosed))
			CHECK(read_properties(reader, value, &columns));
		else if (unclosed && strcasestr(line, "Properties=") != NULL)
			return fail_here(reader, "the comment line has a quote without an end");
		CHECK(read_cell(reader, line, sink));
	}
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
