/* Unit cells from CIF: the tags of the core dictionary (International Tables for Crystallography G, 2006, chapter 4.1)
 * of the cell, the symmetry, and the atoms. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/text/lines.h"
#include "matter/crystal/cif.h"
#include "matter/elements/label.h"
#include "matter/crystal/unit_cell.h"
#include "matter/crystal/unit_cell_tags.h"
#include "run/context.h"

#define LARGEST_FILE ((size_t)1 << 28)
#define LARGEST_COORDINATE 1e4
#define LARGEST_DISPLACEMENT 1e3 /* Angstrom^2 */
#define SUSPICIOUSLY_NEAR 0.3    /* Angstrom, of images of an atom that is always present */

/* Columns of the loop of atoms. */
struct atom_columns {
	struct cif_column name, type, position[3], occupancy, u, b, assembly, group, flag;
	struct cif_column type_symbol, oxidation; /* of the loop of types */
};

/* Of the loop of anisotropic displacements, in the order of unit_cell_site's `u`. */
struct tensor_columns {
	struct cif_column name, component[6];
	enum { TENSOR_U, TENSOR_B, TENSOR_BETA } kind;
	int64_t next; /* row after the last one found: files have the order of the atoms */
	struct named_row
	    *sorted; /* the rows by name, for atoms that are not in this order; null before the first one */
};
struct named_row {
	const char *name;
	int64_t row;
};

static sonde_status read_file(const char *path, struct text *bytes)
{
	struct line_reader *reader;
	char *line;
	sonde_status status;

	CHECK(line_reader_open(&reader, path));
	do {
		CHECK_GOTO(status, line_reader_next(reader, &line), done);
		if (line != NULL)
			text_append_bytes(bytes, line, strlen(line));
		text_append_byte(bytes, '\n');
		if (bytes->size > LARGEST_FILE)
			status = status_fail_file(SONDE_INVALID, path, "is larger than %zu MB", LARGEST_FILE >> 20);
	} while (line != NULL && status == SONDE_OK);
	if (status == SONDE_OK)
		status = text_status(bytes);
done:
	line_reader_close(&reader);
	return status;
}

static sonde_status no_reader(const char *path)
{
	return status_fail_file(SONDE_INVALID, path,
				"this build has no CIF reader: install gemmi (Debian: gemmi-dev, tao-pegtl-dev) and "
				"build Sonde again");
}

static sonde_status parse_file(struct tag_reader *reader)
{
	struct text bytes = {0};
	struct cif_problem problem;
	sonde_status status;

	CHECK_GOTO(status, read_file(reader->path, &bytes), done);
	switch (cif_parse(bytes.bytes, bytes.size, &reader->cif, &problem)) {
	case CIF_OK:
		break;
	case CIF_NOT_BUILT:
		status = no_reader(reader->path);
		break;
	case CIF_NO_MEMORY:
		status = memory_missing("the text of a CIF");
		break;
	case CIF_INVALID:
		status =
		    status_fail_line(SONDE_INVALID, reader->path, problem.line, "not valid CIF: %s", problem.text);
		break;
	}
done:
	text_free(&bytes);
	return status;
}

/* Block `frame` from 1 among those with atoms. */
static sonde_status choose_block(struct tag_reader *reader, int64_t frame)
{
	int64_t found = 0, chosen = -1;
	bool cartesian = false;
	struct cif_column column;

	for (int64_t block = 0; block < cif_blocks(reader->cif); ++block) {
		cartesian |= cif_find(reader->cif, block, "_atom_site_cartn_x", &column);
		if (cif_find(reader->cif, block, "_atom_site_fract_x", &column) && ++found == frame)
			chosen = block;
	}
	if (found == 0)
		return status_fail_file(SONDE_INVALID, reader->path, "has no atoms: _atom_site_fract_x is missing%s",
					cartesian ? "; Cartesian coordinates, as in files of macromolecules, are not "
						    "read: use a PDB file"
						  : "");
	if (chosen < 0)
		return status_fail_file(SONDE_INVALID, reader->path,
					"has %lld structures; `frame` asks for number %lld", (long long)found,
					(long long)frame);
	reader->block = chosen;
	if (found > 1 && frame == 1)
		tag_note(reader, "has %lld structures: the first one is read, data_%.60s", (long long)found,
			 cif_block_name(reader->cif, chosen));
	return SONDE_OK;
}

static sonde_status read_cell(const struct tag_reader *reader, struct unit_cell *cell)
{
	static const char *const tags[] = {"_cell_length_a",    "_cell_length_b",   "_cell_length_c",
					   "_cell_angle_alpha", "_cell_angle_beta", "_cell_angle_gamma"};
	double numbers[6];
	struct cif_column column;
	long line = 0;

	for (int k = 0; k < 6; ++k) {
		numbers[k] = 90.0; /* the dictionary's default of angles */
		cif_find(reader->cif, reader->block, tags[k], &column);
		line = k == 0 ? column.line : line;
		if (cif_value(&column, 0)[0] != '\0')
			CHECK(tag_number(reader, &column, 0, tags[k], &numbers[k]));
		else if (k < 3)
			return status_fail_file(SONDE_INVALID, reader->path, "the cell is missing: it needs %s",
						tags[k]);
	}
	sonde_status status = unit_cell_set_vectors(numbers, numbers + 3, cell);
	return status == SONDE_INVALID ? status_prefix_line(status, reader->path, line) : status;
}

static sonde_status column_of_loop(const struct tag_reader *reader, const struct cif_column *of, const char *tag,
				   struct cif_column *column)
{
	bool is_found = cif_find(reader->cif, reader->block, tag, column);

	/* a single atom may be given without a loop */
	if (is_found && column->loop != of->loop && (column->is_loop || of->is_loop))
		return status_fail_line(SONDE_INVALID, reader->path, column->line,
					"%s is not in the loop of the atoms, which begins in line %ld", tag,
					of->line);
	return SONDE_OK;
}

static sonde_status find_atom_columns(const struct tag_reader *reader, struct atom_columns *columns)
{
	const struct {
		const char *tag;
		struct cif_column *column;
		bool required;
	} wanted[] = {
	    {"_atom_site_fract_x", &columns->position[0], true},
	    {"_atom_site_fract_y", &columns->position[1], true},
	    {"_atom_site_fract_z", &columns->position[2], true},
	    {"_atom_site_label", &columns->name, false},
	    {"_atom_site_type_symbol", &columns->type, false},
	    {"_atom_site_occupancy", &columns->occupancy, false},
	    {"_atom_site_u_iso_or_equiv", &columns->u, false},
	    {"_atom_site_b_iso_or_equiv", &columns->b, false},
	    {"_atom_site_disorder_assembly", &columns->assembly, false},
	    {"_atom_site_disorder_group", &columns->group, false},
	    {"_atom_site_calc_flag", &columns->flag, false},
	};

	for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k) {
		CHECK(column_of_loop(reader, &columns->position[0], wanted[k].tag, wanted[k].column));
		if (wanted[k].required && wanted[k].column->rows == 0)
			return status_fail_line(SONDE_INVALID, reader->path, columns->position[0].line,
						"the loop of the atoms needs %s", wanted[k].tag);
	}
	if (columns->name.rows == 0 && columns->type.rows == 0)
		return status_fail_line(SONDE_INVALID, reader->path, columns->position[0].line,
					"the loop of the atoms needs _atom_site_label or _atom_site_type_symbol");
	cif_find(reader->cif, reader->block, "_atom_type_symbol", &columns->type_symbol);
	cif_find(reader->cif, reader->block, "_atom_type_oxidation_number", &columns->oxidation);
	if (columns->oxidation.loop != columns->type_symbol.loop)
		columns->oxidation = (struct cif_column){0};
	return SONDE_OK;
}

/* All six components, U, B, or beta; the tensors are ignored, with a note, if some are missing. */
static void find_tensor_columns(const struct tag_reader *reader, struct tensor_columns *columns)
{
	static const char *const kinds[] = {"_atom_site_aniso_u_", "_atom_site_aniso_b_", "_atom_site_aniso_beta_"};
	static const char *const components[] = {"11", "22", "33", "23", "13", "12"};
	char tag[40];
	int most = 0;

	*columns = (struct tensor_columns){.next = 0};
	cif_find(reader->cif, reader->block, "_atom_site_aniso_label", &columns->name);
	for (int kind = 0; kind < 3; ++kind) {
		int found = 0;
		for (int k = 0; k < 6; ++k) {
			snprintf(tag, sizeof tag, "%s%s", kinds[kind], components[k]);
			found += cif_find(reader->cif, reader->block, tag, &columns->component[k]) &&
				 columns->component[k].rows == columns->name.rows;
		}
		columns->kind = kind;
		if (found == 6)
			return;
		most = found > most ? found : most;
	}
	if (most > 0)
		tag_note(reader, "anisotropic displacements are ignored: they have %d of the 6 components", most);
	columns->name = (struct cif_column){0};
}

static sonde_status check_size(const struct tag_reader *reader, const struct cif_column *column, const char *name,
			       double value)
{
	if (fabs(value) <= LARGEST_DISPLACEMENT)
		return SONDE_OK;
	return status_fail_line(SONDE_INVALID, reader->path, column->line,
				"atom %.20s: a displacement of %g Angstrom^2 is out of range", name, value);
}

static int compare_rows(const void *a, const void *b)
{
	const struct named_row *p = a, *q = b;
	const int order = strcmp(p->name, q->name);

	return order != 0 ? order : p->row < q->row ? -1 : p->row > q->row;
}

static sonde_status sort_rows(struct tensor_columns *columns)
{
	const int64_t rows = columns->name.rows;

	CHECK(memory_allocate(&columns->sorted, (size_t)rows, sizeof *columns->sorted, "the displacements of a CIF"));
	for (int64_t row = 0; row < rows; ++row)
		columns->sorted[row] = (struct named_row){cif_value(&columns->name, row), row};
	qsort(columns->sorted, (size_t)rows, sizeof *columns->sorted, compare_rows);
	return SONDE_OK;
}

/* The first of the sorted rows that is not before this one. */
static int64_t find_sorted(const struct tensor_columns *columns, const struct named_row *key)
{
	int64_t low = 0, high = columns->name.rows;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		if (compare_rows(&columns->sorted[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The row of an atom, the first after the last one found, or the first of all; -1 without one. */
static sonde_status find_tensor(struct tensor_columns *columns, const char *name, int64_t *row)
{
	const int64_t rows = columns->name.rows;

	*row = -1;
	if (rows == 0)
		return SONDE_OK;
	if (columns->next < rows && strcmp(cif_value(&columns->name, columns->next), name) == 0) {
		*row = columns->next;
		return SONDE_OK;
	}
	if (columns->sorted == NULL)
		CHECK(sort_rows(columns));
	for (int from_start = 0; from_start < 2 && *row < 0; ++from_start) {
		const struct named_row key = {name, from_start ? 0 : columns->next};
		const int64_t place = find_sorted(columns, &key);
		if (place < rows && strcmp(columns->sorted[place].name, name) == 0)
			*row = columns->sorted[place].row;
	}
	return SONDE_OK;
}

/* <dx_i dx_j> in fractions of the edges of an atom, if its components are given: U_ij a*_i a*_j, with B = 8 pi^2 U and
 * beta_ij = 2 pi^2 U_ij a*_i a*_j (K. N. Trueblood et al., Acta Cryst. A52 (1996) 770). */
static sonde_status read_tensor(const struct tag_reader *reader, struct tensor_columns *columns,
				const struct unit_cell *cell, const char *name, double q[3][3], bool *found)
{
	static const int first[] = {0, 1, 2, 1, 0, 0}, second[] = {0, 1, 2, 2, 2, 1};
	int64_t row;
	double value;

	*found = false;
	CHECK(find_tensor(columns, name, &row));
	if (row < 0)
		return SONDE_OK;
	columns->next = row + 1;
	for (int k = 0; k < 6; ++k) {
		int i = first[k], j = second[k];
		if (cif_value(&columns->component[k], row)[0] == '\0')
			return SONDE_OK;
		CHECK(tag_number(reader, &columns->component[k], row, name, &value));
		double edges = unit_cell_reciprocal_length(cell, i) * unit_cell_reciprocal_length(cell, j);
		value /= columns->kind == TENSOR_U   ? 1.0
			 : columns->kind == TENSOR_B ? 8.0 * PI * PI
						     : 2.0 * PI * PI * edges;
		CHECK(check_size(reader, &columns->component[k], name, value));
		q[i][j] = q[j][i] = value * edges;
	}
	*found = true;
	return SONDE_OK;
}

/* Of the type of an atom; 0 if it is unknown or no whole number. */
static int oxidation_number(const struct atom_columns *columns, const char *type)
{
	int64_t charge;

	for (int64_t row = 0; row < columns->oxidation.rows; ++row) {
		const char *text = cif_value(&columns->oxidation, row);
		if (strcmp(cif_value(&columns->type_symbol, row), type) != 0)
			continue;
		text += *text == '+';
		if (text_parse_integer(text, text + strlen(text), &charge) && charge >= -9 && charge <= 9)
			return (int)charge;
	}
	return 0;
}

static void copy_text(const char *from, char *to, size_t size)
{
	snprintf(to, size, "%.*s", (int)size - 1, from);
}

static sonde_status read_identity(const struct tag_reader *reader, const struct atom_columns *columns, int64_t row,
				  struct unit_cell_site *site)
{
	const char *name = cif_value(&columns->name, row), *type = cif_value(&columns->type, row);
	sonde_status status = type[0] != '\0' ? label_from_type(type, oxidation_number(columns, type), site->label)
					      : label_from_name(name, site->label);

	copy_text(name[0] != '\0' ? name : type, site->name, sizeof site->name);
	copy_text(cif_value(&columns->assembly, row), site->disorder_assembly, sizeof site->disorder_assembly);
	copy_text(cif_value(&columns->group, row), site->disorder_group, sizeof site->disorder_group);
	if (status != SONDE_INVALID)
		return status;
	status = status_prefix(status, "atom %.20s", site->name);
	return status_prefix_line(status, reader->path, columns->position[0].line);
}

static sonde_status read_numbers(const struct tag_reader *reader, const struct atom_columns *columns, int64_t row,
				 struct unit_cell_site *site)
{
	site->occupancy = 1.0;
	if (cif_value(&columns->occupancy, row)[0] != '\0')
		CHECK(tag_number(reader, &columns->occupancy, row, site->name, &site->occupancy));
	if (!(site->occupancy >= 0.0 && site->occupancy <= 1.0))
		return status_fail_line(SONDE_INVALID, reader->path, columns->occupancy.line,
					"atom %.20s: an occupancy of %g is not from 0 to 1", site->name,
					site->occupancy);
	bool is_b = cif_value(&columns->u, row)[0] == '\0';
	const struct cif_column *column = is_b ? &columns->b : &columns->u;
	site->has_u_iso = cif_value(column, row)[0] != '\0';
	if (!site->has_u_iso)
		return SONDE_OK;
	CHECK(tag_number(reader, column, row, site->name, &site->u_iso));
	site->u_iso /= is_b ? 8.0 * PI * PI : 1.0;
	return check_size(reader, column, site->name, site->u_iso);
}

/* *known: whether all three coordinates are. */
static sonde_status read_position(const struct tag_reader *reader, const struct atom_columns *columns, int64_t row,
				  struct unit_cell_site *site, bool *known)
{
	*known = true;
	for (int k = 0; k < 3; ++k) {
		const struct cif_column *column = &columns->position[k];
		*known &= cif_value(column, row)[0] != '\0';
		if (!*known)
			return SONDE_OK;
		CHECK(tag_number(reader, column, row, site->name, &site->position[k]));
		if (fabs(site->position[k]) > LARGEST_COORDINATE)
			return status_fail_line(SONDE_INVALID, reader->path, column->line,
						"atom %.20s: a fractional coordinate of %g is out of range",
						site->name, site->position[k]);
	}
	return SONDE_OK;
}

static sonde_status add_atom(const struct tag_reader *reader, const struct atom_columns *columns,
			     struct tensor_columns *tensors, int64_t row, struct unit_cell *cell)
{
	struct unit_cell_site site = {.atom = row};
	double q[3][3], nearest;
	bool is_known, has_tensor;

	CHECK(read_identity(reader, columns, row, &site));
	CHECK(read_position(reader, columns, row, &site, &is_known));
	if (!is_known) {
		tag_note(reader, "atom %.20s has no position: it is left out", site.name);
		return SONDE_OK;
	}
	CHECK(read_numbers(reader, columns, row, &site));
	CHECK(read_tensor(reader, tensors, cell, site.name, q, &has_tensor));
	CHECK(unit_cell_add_atom(cell, reader->operations, reader->operation_count, &site,
				 has_tensor ? (const double(*)[3])q : NULL, &nearest));
	++cell->atom_count;
	if (nearest < SUSPICIOUSLY_NEAR && site.occupancy > 0.5 + 1e-3)
		tag_note(reader,
			 "images of atom %.20s are only %.3g Angstrom apart: a special position of too few digits?",
			 site.name, nearest);
	return SONDE_OK;
}

static sonde_status read_atoms(const struct tag_reader *reader, struct unit_cell *cell)
{
	struct atom_columns columns;
	struct tensor_columns tensors;

	CHECK(find_atom_columns(reader, &columns));
	find_tensor_columns(reader, &tensors);
	sonde_status status = SONDE_OK;
	for (int64_t row = 0; row < columns.position[0].rows && status == SONDE_OK; ++row)
		if (strcmp(cif_value(&columns.flag, row), "dum") != 0)
			status = add_atom(reader, &columns, &tensors, row, cell);
	free(tensors.sorted);
	CHECK(status);
	if (cell->site_count == 0)
		return status_fail_line(SONDE_INVALID, reader->path, columns.position[0].line,
					"none of the atoms has a position");
	status = unit_cell_check_occupancies(cell);
	return status == SONDE_INVALID ? status_prefix_line(status, reader->path, columns.position[0].line) : status;
}

sonde_status unit_cell_read_cif_frame(const char *path, int64_t frame, unit_cell_note *note, void *user,
				      struct unit_cell *cell)
{
	struct tag_reader reader = {.path = path, .note = note, .user = user};
	sonde_status status;

	*cell = (struct unit_cell){.sites = NULL};
	CHECK_GOTO(status, parse_file(&reader), done);
	CHECK_GOTO(status, choose_block(&reader, frame > 1 ? frame : 1), done);
	copy_text(cif_block_name(reader.cif, reader.block), cell->name, sizeof cell->name);
	CHECK_GOTO(status, read_cell(&reader, cell), done);
	CHECK_GOTO(status, tag_read_symmetry(&reader, cell), done);
	status = read_atoms(&reader, cell);
done:
	if (status != SONDE_OK)
		unit_cell_free(cell);
	if (reader.cif != NULL)
		cif_free(&reader.cif);
	free(reader.operations);
	return status;
}

static void note_context(void *user, const char *line)
{
	if (user != NULL)
		context_note(user, line);
}

sonde_status unit_cell_read_cif(sonde_context *context, const char *path, struct unit_cell *cell)
{
	return unit_cell_read_cif_frame(path, 0, note_context, context, cell);
}
