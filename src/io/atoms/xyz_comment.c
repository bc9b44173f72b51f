#include "io/atoms/xyz_comment.h"

#include <string.h>
#include <strings.h>

#include "base/constants.h"
#include "base/text.h"

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
		if (!text_parse_integer(part[2], end[2], &width) || width < 1 || width > XYZ_COLUMNS)
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
		if (column > XYZ_COLUMNS)
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

sonde_status xyz_read_comment(const struct line_reader *reader, const char *comment, const struct atom_sink *sink,
			      struct atom_columns *columns)
{
	struct word value;
	bool unclosed = false;

	if (sink->copies != NULL && comment_value(comment, "copies", &value, &unclosed))
		CHECK(sink->copies(sink->user, value.start, (size_t)(value.end - value.start)));
	unclosed = false;
	if (comment_value(comment, "Properties", &value, &unclosed))
		CHECK(read_properties(reader, value, columns));
	else if (unclosed && strcasestr(comment, "Properties=") != NULL)
		return fail_here(reader, "the comment line has a quote without an end");
	return read_cell(reader, comment, sink);
}
