#include "matter/crystal/unit_cell_tags.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "matter/elements/label.h"

void tag_note(const struct tag_reader *reader, const char *format, ...)
{
	char text[300], line[600];
	va_list arguments;

	if (reader->note == NULL)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	snprintf(line, sizeof line, "%.250s: %s", reader->path, text);
	for (char *c = line; *c != '\0'; ++c)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	reader->note(reader->user, line);
}

static bool parse_number(const char *text, double *number)
{
	const char *end = text + strcspn(text, "(");

	if (*end == '(') {
		size_t digits = strspn(end + 1, "0123456789.");
		if (digits == 0 || strcmp(end + 1 + digits, ")") != 0)
			return false;
	}
	text += *text == '+' && text[1] != '-' && text[1] != '+';
	return text_parse_real(text, end, number);
}

sonde_status tag_number(const struct tag_reader *reader, const struct cif_column *column, int64_t row,
			const char *what, double *number)
{
	const char *text = cif_value(column, row);

	if (parse_number(text, number))
		return SONDE_OK;
	return status_fail_line(SONDE_INVALID, reader->path, column->line, "%.40s: '%.40s' is not a number", what,
				text);
}

/* Symmetry ----------------------------------------------------------------------------------------- */

/* The first of two tags that the block has. */
static const char *find_text(const struct tag_reader *reader, const char *first, const char *second,
			     struct cif_column *column)
{
	if (!cif_find(reader->cif, reader->block, first, column) || cif_value(column, 0)[0] == '\0')
		cif_find(reader->cif, reader->block, second, column);
	return cif_value(column, 0);
}

static sonde_status read_operations(struct tag_reader *reader, const struct cif_column *column)
{
	int64_t count = column->rows;
	sonde_status status = SONDE_OK;

	if (count > CIF_MOST_OPERATIONS)
		return status_fail_line(SONDE_INVALID, reader->path, column->line,
					"%lld symmetry operations; a space group has at most %d", (long long)count,
					CIF_MOST_OPERATIONS);
	CHECK(memory_allocate(&reader->operations, (size_t)count, sizeof *reader->operations,
			      "the operations of a space group"));
	reader->operation_count = (int)count;
	for (int64_t row = 0; row < count && status == SONDE_OK; ++row)
		status = symmetry_parse(cif_value(column, row), &reader->operations[row]);
	return status == SONDE_INVALID ? status_prefix_line(status, reader->path, column->line) : status;
}

/* "P 2_1/c", "P2(1)/c", and the settings that databases append, "R -3 c H", "F d -3 m Z" (second origin) and "S"
 * (first), as gemmi expects them. */
static void normal_symbol(const char *symbol, char normal[48])
{
	static const char *const settings[][2] = {{" H", ":H"}, {" R", ":R"}, {" Z", ":2"}, {" S", ":1"}};
	size_t length = 0;

	for (const char *c = symbol; *c != '\0' && length < 40; ++c)
		if (strchr("_()\n\r", *c) == NULL)
			normal[length++] = *c;
	while (length > 0 && normal[length - 1] == ' ')
		--length;
	normal[length] = '\0';
	for (size_t k = 0; k < sizeof settings / sizeof *settings && length > 4; ++k)
		if (strcmp(normal + length - 2, settings[k][0]) == 0) {
			memcpy(normal + length - 2, settings[k][1], 2);
			return;
		}
}

static double angle_between(const double a[3], const double b[3])
{
	return acos((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) /
		    sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]))) /
	       DEGREE;
}

struct symbols {
	struct cif_column hall_column, name_column, number_column;
	const char *hall, *name, *number;
};

/* The most specific symbol decides; one that is unknown leaves it to the next, except to the number, which has no setting. */
static cif_result find_group(const struct symbols *symbols, const struct unit_cell *cell, struct cif_group *group)
{
	cif_result result = CIF_INVALID;
	char normal[48];
	int64_t number = 0;

	if (symbols->hall[0] != '\0' && strlen(symbols->hall) < 64)
		result = cif_group_by_hall(symbols->hall, group);
	if (result == CIF_INVALID && symbols->name[0] != '\0') {
		normal_symbol(symbols->name, normal);
		result = cif_group_by_name(normal, angle_between(cell->vectors[1], cell->vectors[2]),
					   angle_between(cell->vectors[0], cell->vectors[1]), group);
	}
	if (symbols->hall[0] == '\0' && symbols->name[0] == '\0' &&
	    text_parse_integer(symbols->number, symbols->number + strlen(symbols->number), &number))
		result = cif_group_by_number(number, group);
	return result;
}

static sonde_status take_group(struct tag_reader *reader, const struct symbols *symbols, struct unit_cell *cell,
			       struct cif_group *group)
{
	bool has_name = symbols->name[0] != '\0', has_hall = symbols->hall[0] != '\0';
	const char *symbol = has_name ? symbols->name : has_hall ? symbols->hall : symbols->number;
	const struct cif_column *column = has_name   ? &symbols->name_column
					  : has_hall ? &symbols->hall_column
						     : &symbols->number_column;

	switch (find_group(symbols, cell, group)) {
	case CIF_OK:
		break;
	case CIF_NO_MEMORY:
		return memory_missing("the operations of a space group");
	default:
		return status_fail_line(
		    SONDE_INVALID, reader->path, column->line,
		    "unknown space group '%.40s'; list its operations as _space_group_symop_operation_xyz", symbol);
	}
	if (group->is_choice)
		tag_note(reader, "space group %.40s without its origin or operations: %s is assumed", symbol,
			 group->name);
	else if (!has_name && !has_hall)
		tag_note(reader, "only the number of the space group is given, %.10s: %s is assumed", symbol,
			 group->name);
	CHECK(memory_allocate(&reader->operations, (size_t)group->count, sizeof *reader->operations,
			      "the operations of a space group"));
	reader->operation_count = group->count;
	memcpy(reader->operations, group->operations, (size_t)group->count * sizeof *reader->operations);
	if (!has_name)
		snprintf(cell->space_group, sizeof cell->space_group, "%s", group->name);
	return SONDE_OK;
}

/* The identity alone. */
static sonde_status take_identity(struct tag_reader *reader, struct unit_cell *cell)
{
	CHECK(memory_allocate(&reader->operations, 1, sizeof *reader->operations, "the operations of a space group"));
	reader->operation_count = 1;
	for (int k = 0; k < 3; ++k)
		reader->operations->rotation[k][k] = 1.0;
	strcpy(cell->space_group, "P 1");
	tag_note(reader,
		 "has no space group and no symmetry operations: P 1 is assumed, the atoms are the whole cell");
	return SONDE_OK;
}

/* A list that is incomplete, or that of another setting, is taken as it is. */
static sonde_status compare_operations(const struct tag_reader *reader, const struct symbols *symbols,
				       const struct unit_cell *cell)
{
	struct cif_group *group;

	CHECK(memory_allocate(&group, 1, sizeof *group, "the operations of a space group"));
	if (symbols->name[0] != '\0' && find_group(symbols, cell, group) == CIF_OK &&
	    group->count != reader->operation_count)
		tag_note(reader, "lists %d symmetry operations, but %s has %d: those listed are used",
			 reader->operation_count, group->name, group->count);
	free(group);
	return SONDE_OK;
}

static sonde_status find_operations(struct tag_reader *reader, struct unit_cell *cell, long *line)
{
	struct symbols symbols;
	struct cif_column listed;
	struct cif_group *group;

	symbols.hall =
	    find_text(reader, "_space_group_name_hall", "_symmetry_space_group_name_hall", &symbols.hall_column);
	symbols.name =
	    find_text(reader, "_space_group_name_h-m_alt", "_symmetry_space_group_name_h-m", &symbols.name_column);
	symbols.number =
	    find_text(reader, "_space_group_it_number", "_symmetry_int_tables_number", &symbols.number_column);
	snprintf(cell->space_group, sizeof cell->space_group, "%.47s", symbols.name);
	if (find_text(reader, "_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz", &listed)[0] != '\0') {
		*line = listed.line;
		CHECK(read_operations(reader, &listed));
		return compare_operations(reader, &symbols, cell);
	}
	if (symbols.hall[0] == '\0' && symbols.name[0] == '\0' && symbols.number[0] == '\0')
		return take_identity(reader, cell);
	*line = symbols.name[0] != '\0'   ? symbols.name_column.line
		: symbols.hall[0] != '\0' ? symbols.hall_column.line
					  : symbols.number_column.line;
	CHECK(memory_allocate(&group, 1, sizeof *group, "the operations of a space group"));
	sonde_status status = take_group(reader, &symbols, cell, group);
	free(group);
	return status;
}

sonde_status tag_read_symmetry(struct tag_reader *reader, struct unit_cell *cell)
{
	long line = 0;

	CHECK(find_operations(reader, cell, &line));
	cell->operation_count = reader->operation_count;
	sonde_status status = symmetry_check(reader->operations, reader->operation_count);
	if (status == SONDE_OK)
		status = symmetry_check_cell(reader->operations, reader->operation_count,
					     (const double(*)[3])cell->vectors);
	return status == SONDE_INVALID ? status_prefix_line(status, reader->path, line) : status;
}

/* Species ------------------------------------------------------------------------------------------ */

/* "3+", "+3", "+", "-" or "" */
static bool parse_charge(const char *text, int *charge)
{
	int sign = 0, digits = 0;

	*charge = 0;
	for (; *text != '\0'; ++text) {
		if (isdigit((unsigned char)*text) && ++digits == 1)
			*charge = *text - '0';
		else if ((*text == '+' || *text == '-') && sign == 0)
			sign = *text == '+' ? 1 : -1;
		else
			return false;
	}
	if (digits == 0)
		*charge = sign == 0 ? 0 : 1;
	*charge *= sign;
	return digits == 0 || sign != 0 || *charge == 0;
}

sonde_status label_from_type(const char *type, int charge, char label[SONDE_LABEL_SIZE])
{
	size_t mass = strspn(type, "0123456789"), letters = 0;
	char symbol[3] = "", text[32];
	int own;
	struct label parsed;

	while (letters < 3 && isalpha((unsigned char)type[mass + letters]))
		++letters;
	if (mass > 3 || letters == 0 || letters > 2 || !parse_charge(type + mass + letters, &own))
		return status_fail(SONDE_INVALID, "'%.20s' is not the symbol of an element or ion", type);
	symbol[0] = (char)toupper((unsigned char)type[mass]);
	symbol[1] = letters > 1 ? (char)tolower((unsigned char)type[mass + 1]) : '\0';
	charge = own != 0 ? own : charge;
	snprintf(text, sizeof text, charge == 0 ? "%.*s%s" : "%.*s%s%d%c", (int)mass, type, symbol, abs(charge),
		 charge > 0 ? '+' : '-');
	CHECK(label_parse(text, &parsed));
	snprintf(label, SONDE_LABEL_SIZE, "%.*s", SONDE_LABEL_SIZE - 1, text);
	return SONDE_OK;
}

static bool is_element(const char *symbol)
{
	return element_number(symbol) > 0 || strcmp(symbol, "D") == 0;
}

sonde_status label_from_name(const char *name, char label[SONDE_LABEL_SIZE])
{
	char one[2] = "", two[3] = "";

	one[0] = two[0] = (char)toupper((unsigned char)name[0]);
	if (name[0] != '\0' && isalpha((unsigned char)name[1]))
		two[1] = (char)tolower((unsigned char)name[1]);
	bool is_two = two[1] != '\0' && is_element(two), is_one = is_element(one);
	if (is_two && is_one && isupper((unsigned char)name[1]))
		return status_fail(SONDE_INVALID, "may be %s or %s: the file needs _atom_site_type_symbol", two, one);
	if (!is_two && !is_one)
		return status_fail(SONDE_INVALID,
				   "the name does not begin with an element: the file needs _atom_site_type_symbol");
	strcpy(label, is_two ? two : one);
	return SONDE_OK;
}
