/* https://docs.lammps.org/read_data.html: a comment, a header of numbers and bounds, and sections, whose titles begin
 * with a letter, and their lines with a number. */
#include "io/atoms/lammps_data.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "io/atoms/atom_list.h"
#include "io/atoms/lammps_box.h"

#define MOST_TYPES 1000
#define MOST_WORDS 32

/* Columns of the type, the charge (0: none) and the first coordinate of an atom style, and their number without image flags. */
struct atom_style {
	const char *name;
	int type, charge, position, count;
};

static const struct atom_style styles[] = {{"atomic", 1, 0, 2, 5}, {"charge", 1, 2, 3, 6}, {"bond", 2, 0, 3, 6},
					   {"angle", 2, 0, 3, 6},  {"full", 2, 3, 4, 7},   {"molecular", 2, 0, 3, 6}};

enum { ATOMIC, CHARGE, FULL = 4, MOLECULAR };

enum section { HEADER, MASSES, ATOM_LABELS, ATOMS, OTHER };

struct data_file {
	struct line_reader *reader;
	const struct atom_sink *sink;
	enum section section;
	int64_t count, types; /* of the header; -1: not given */
	double low[3], high[3], tilt[3];
	struct lammps_box box; /* of edges given as vectors */
	int bounds, vectors;   /* bits of those that were given */
	const struct atom_style *style;
	char (
	    *labels)[ATOM_LIST_LABEL];  /* of types: of "Atom Type Labels" until the end of the file, then elements */
	char (*names)[ATOM_LIST_LABEL]; /* in the comments of Masses */
	double *masses;                 /* 0: not given */
	int64_t *lines;                 /* of Masses */
	struct atom_list atoms;
};

static sonde_status set_types(struct data_file *file, int64_t types)
{
	if (types < 0 || types > MOST_TYPES)
		return line_fail(file->reader, "%lld atom types are out of range: at most %d", (long long)types,
				 MOST_TYPES);
	if (file->types >= 0)
		return line_fail(file->reader, "the number of atom types is given twice");
	file->types = types;
	CHECK(memory_allocate(&file->labels, (size_t)types + 1, sizeof *file->labels, "the atom types"));
	CHECK(memory_allocate(&file->names, (size_t)types + 1, sizeof *file->names, "the atom types"));
	CHECK(memory_allocate(&file->lines, (size_t)types + 1, sizeof *file->lines, "the atom types"));
	return memory_allocate(&file->masses, (size_t)types + 1, sizeof *file->masses, "the atom types");
}

static sonde_status read_reals(const struct data_file *file, const struct word *words, int count, double *values)
{
	for (int k = 0; k < count; ++k)
		CHECK(word_real(file->reader, &words[k], "the box", &values[k]));
	return SONDE_OK;
}

/* Bounds, tilt factors, and edges as vectors. */
static sonde_status read_box(struct data_file *file, const struct word *words, int count)
{
	static const char *const low[] = {"xlo", "ylo", "zlo"}, *const edges[] = {"avec", "bvec", "cvec"};

	for (int k = 0; k < 3; ++k) {
		if (count >= 4 && word_is(&words[2], low[k])) {
			CHECK(read_reals(file, words, 1, &file->low[k]));
			CHECK(read_reals(file, words + 1, 1, &file->high[k]));
			file->bounds |= 1 << k;
		}
		if (count >= 4 && word_is(&words[3], edges[k])) {
			CHECK(read_reals(file, words, 3, file->box.lattice + (ptrdiff_t)3 * k));
			file->vectors |= 1 << k;
		}
	}
	if (count >= 6 && word_is(&words[3], "xy") && word_is(&words[4], "xz") && word_is(&words[5], "yz"))
		return read_reals(file, words, 3, file->tilt);
	return SONDE_OK;
}

static sonde_status read_header(struct data_file *file, const struct word *words, int count)
{
	int64_t value;

	if (count == 2 && word_is(&words[1], "atoms")) {
		CHECK(word_integer(file->reader, &words[0], "the number of atoms", &file->count));
		return file->count >= 0 ? SONDE_OK : line_fail(file->reader, "the number of atoms is negative");
	}
	if (count == 3 && word_is(&words[1], "atom") && word_is(&words[2], "types")) {
		CHECK(word_integer(file->reader, &words[0], "the number of atom types", &value));
		return set_types(file, value);
	}
	return read_box(file, words, count);
}

/* A type by its number or label. */
static sonde_status find_type(const struct data_file *file, const struct word *word, int *type)
{
	int64_t number;

	for (int k = 1; k <= file->types; ++k) {
		if (file->labels[k][0] != '\0' && word_is(word, file->labels[k])) {
			*type = k;
			return SONDE_OK;
		}
	}
	CHECK(word_integer(file->reader, word, "the atom type", &number));
	if (number < 1 || number > file->types)
		return line_fail(file->reader, "atom type %lld does not exist: there are %lld", (long long)number,
				 (long long)file->types);
	*type = (int)number;
	return SONDE_OK;
}

/* "1 28.0855 # Si" */
static sonde_status read_mass(struct data_file *file, const struct word *words, int count, const char *comment)
{
	struct word name;
	int type = 0;

	if (count < 2)
		return line_fail(file->reader, "a line of Masses is a type and its mass");
	CHECK(find_type(file, &words[0], &type));
	CHECK(word_real(file->reader, &words[1], "the mass", &file->masses[type]));
	if (!(file->masses[type] > 0.0))
		return line_fail(file->reader, "a mass of %g is not positive", file->masses[type]);
	file->lines[type] = line_reader_number(file->reader);
	if (comment != NULL && words_split(comment, &name, 1) > 0 && name.end - name.start < ATOM_LIST_LABEL)
		CHECK(atom_list_copy_label(file->reader, &name, file->names[type]));
	return SONDE_OK;
}

/* "1 Si" */
static sonde_status read_label(struct data_file *file, const struct word *words, int count)
{
	int64_t type;

	if (count < 2)
		return line_fail(file->reader, "a line of Atom Type Labels is a type and its label");
	CHECK(word_integer(file->reader, &words[0], "the atom type", &type));
	if (type < 1 || type > file->types)
		return line_fail(file->reader, "atom type %lld does not exist: there are %lld", (long long)type,
				 (long long)file->types);
	return atom_list_copy_label(file->reader, &words[1], file->labels[type]);
}

/* Six columns are those of the styles charge and molecular. The third is a charge if it is written as a decimal or no type has that
 * number; the second is a molecule if no type has it. */
static sonde_status find_six(const struct data_file *file, const struct word *words, int *style)
{
	int64_t second, third;
	bool type_third =
		 text_parse_integer(words[2].start, words[2].end, &third) && third >= 1 && third <= file->types,
	     type_second =
		 text_parse_integer(words[1].start, words[1].end, &second) && second >= 1 && second <= file->types;

	if (type_third && type_second)
		return line_fail(file->reader,
				 "these columns may be those of the atom styles charge and molecular: write "
				 "the style after the title, 'Atoms # charge'");
	*style = type_third ? MOLECULAR : CHARGE;
	return SONDE_OK;
}

/* The style by the columns of the first atom; three image flags may follow. */
static sonde_status find_style(struct data_file *file, const struct word *words, int count)
{
	int style = ATOMIC;

	if (count == 6 || count == 9)
		CHECK(find_six(file, words, &style));
	else if (count == 7 || count == 10)
		style = FULL;
	else if (count != 5 && count != 8)
		return line_fail(file->reader,
				 "an atom of %d columns has an unknown style: write the style after the title, as "
				 "in 'Atoms # full'",
				 count);
	file->style = &styles[style];
	return SONDE_OK;
}

static sonde_status read_atom(struct data_file *file, const struct word *words, int count)
{
	struct listed_atom atom = {.line = line_reader_number(file->reader)};

	if (file->style == NULL)
		CHECK(find_style(file, words, count));
	const struct atom_style *style = file->style;
	if (style == NULL)
		return status_fail(SONDE_INTERNAL, "atoms without a style");
	if (count != style->count && count != style->count + 3)
		return line_fail(file->reader,
				 "an atom of style %s has %d columns, or %d with image flags; this line has %d",
				 style->name, style->count, style->count + 3, count);
	if ((int64_t)file->atoms.count == file->count)
		return line_fail(file->reader, "there are more than the %lld atoms of the header",
				 (long long)file->count);
	CHECK(word_integer(file->reader, &words[0], "the number of the atom", &atom.id));
	CHECK(find_type(file, &words[style->type], &atom.label));
	if (style->charge > 0)
		CHECK(word_real(file->reader, &words[style->charge], "the charge", &atom.charge));
	for (int k = 0; k < 3; ++k)
		CHECK(atom_list_coordinate(file->reader, &words[style->position + k], k, &atom.position[k]));
	CHECK(atom_list_check_position(file->reader, atom.position));
	return atom_list_add(&file->atoms, &atom);
}

/* After "Atoms # STYLE". */
static sonde_status begin_atoms(struct data_file *file, const char *comment)
{
	struct word name;

	if (file->count < 0 || file->types < 0)
		return line_fail(file->reader, "the header lacks the number of %s",
				 file->count < 0 ? "atoms" : "atom types");
	if (file->section == ATOMS || file->atoms.count > 0)
		return line_fail(file->reader, "a second section Atoms");
	file->section = ATOMS;
	if (comment == NULL || words_split(comment, &name, 1) == 0)
		return SONDE_OK;
	for (size_t k = 0; k < sizeof styles / sizeof *styles; ++k)
		if (word_is(&name, styles[k].name))
			file->style = &styles[k];
	if (file->style == NULL)
		return line_fail(file->reader,
				 "atom style '%.32s' is not supported: atomic, charge, bond, angle, "
				 "molecular, or full",
				 name.start);
	return SONDE_OK;
}

/* Of all sections, those about types need the header. */
static sonde_status begin_section(struct data_file *file, const struct word *words, int count, const char *comment)
{
	if (count == 1 && word_is(&words[0], "Atoms"))
		return begin_atoms(file, comment);
	file->section = OTHER;
	if (count == 1 && word_is(&words[0], "Masses"))
		file->section = MASSES;
	if (count == 3 && word_is(&words[0], "Atom") && word_is(&words[1], "Type") && word_is(&words[2], "Labels"))
		file->section = ATOM_LABELS;
	if (file->section != OTHER && file->types < 0)
		return line_fail(file->reader, "the header lacks the number of atom types");
	return SONDE_OK;
}

static sonde_status read_line(struct data_file *file, char *line)
{
	char *comment = strchr(line, '#');
	struct word words[MOST_WORDS];
	double value;

	if (comment != NULL)
		*comment++ = '\0';
	int count = words_split(line, words, MOST_WORDS);
	if (count == 0)
		return SONDE_OK;
	/* lines of sections begin with a number or, in Masses, with the label of a type */
	bool mass = file->section == MASSES && count == 2 && text_parse_real(words[1].start, words[1].end, &value);
	if (isalpha((unsigned char)*words[0].start) && !mass)
		return begin_section(file, words, count, comment);
	switch (file->section) {
	case HEADER:
		return read_header(file, words, count);
	case MASSES:
		return read_mass(file, words, count, comment);
	case ATOM_LABELS:
		return read_label(file, words, count);
	case ATOMS:
		return read_atom(file, words, count);
	case OTHER:
		break;
	}
	return SONDE_OK;
}

/* The first line is a comment; LAMMPS writes the units there. */
static sonde_status read_title(struct data_file *file)
{
	struct word words[MOST_WORDS];
	char *line;

	CHECK(line_reader_next(file->reader, &line));
	if (line == NULL)
		return status_fail_file(SONDE_INVALID, line_reader_path(file->reader), "is empty");
	int count = words_split(line, words, MOST_WORDS);
	for (int k = 0; k + 2 < count; ++k)
		if (word_is(&words[k], "units") && word_is(&words[k + 1], "="))
			return lammps_check_units(file->reader, &words[k + 2]);
	return SONDE_OK;
}

/* The label of type k by its names, else by its mass; null if neither gives an element. */
static const char *find_element(const struct data_file *file, int k)
{
	const char *names[] = {file->names[k], file->labels[k]}, *label = NULL;
	const struct atom_sink *sink = file->sink;

	for (int n = 0; n < 2 && label == NULL; ++n)
		if (names[n][0] != '\0')
			label = sink->element != NULL ? sink->element(sink->user, names[n], 0.0) : names[n];
	if (label == NULL && sink->element != NULL && file->masses[k] > 0.0)
		label = sink->element(sink->user, "", file->masses[k]);
	return label;
}

static sonde_status fail_element(const struct data_file *file, int k)
{
	const char *path = line_reader_path(file->reader);

	if (file->masses[k] > 0.0)
		return status_fail_line(
		    SONDE_INVALID, path, file->lines[k],
		    "no element has the mass %g of atom type %d; add its symbol as a comment: '%d "
		    "%g # Si'",
		    file->masses[k], k, k, file->masses[k]);
	return status_fail_file(SONDE_INVALID, path,
				"atom type %d has no element; add a section Masses with a line '%d MASS # SYMBOL'", k,
				k);
}

/* The labels of types that atoms have become those of elements. */
static sonde_status find_elements(struct data_file *file)
{
	bool used[MOST_TYPES + 1] = {false};

	for (size_t k = 0; k < file->atoms.count; ++k)
		used[file->atoms.atoms[k].label] = true;
	for (int k = 1; k <= file->types; ++k) {
		const char *label = used[k] ? find_element(file, k) : "";
		char copy[ATOM_LIST_LABEL];
		if (label == NULL && !file->sink->unlabeled)
			return fail_element(file, k);
		snprintf(copy, sizeof copy, "%s", label != NULL ? label : "");
		memcpy(file->labels[k], copy, sizeof copy);
	}
	return SONDE_OK;
}

static sonde_status find_box(struct data_file *file)
{
	if (file->vectors == 7)
		return lammps_box_check(file->reader, &file->box);
	if (file->bounds != 7)
		return status_fail_file(
		    SONDE_INVALID, line_reader_path(file->reader),
		    "has no box; a data file of LAMMPS has lines 'LOW HIGH xlo xhi', and for y and z");
	lammps_box_set(file->low, file->high, file->tilt, &file->box);
	return lammps_box_check(file->reader, &file->box);
}

static sonde_status read_file(struct data_file *file)
{
	const struct atom_sink *sink = file->sink;
	char *line;

	CHECK(read_title(file));
	for (;;) {
		bool before = file->section == HEADER;
		CHECK(line_reader_next(file->reader, &line));
		if (line == NULL)
			break;
		CHECK(atom_list_check_cancelled(file->reader, sink));
		CHECK(read_line(file, line));
		if (before && file->section != HEADER)
			CHECK(find_box(file));
	}
	if (file->section == HEADER)
		return status_fail_file(SONDE_INVALID, line_reader_path(file->reader),
					"has no atoms; a data file of LAMMPS has a section Atoms");
	if ((int64_t)file->atoms.count < file->count)
		return line_fail(file->reader, "the file ends after %lld of %lld atoms", (long long)file->atoms.count,
				 (long long)file->count);
	CHECK(find_elements(file));
	if (sink->lattice != NULL)
		CHECK(sink->lattice(sink->user, file->box.lattice, NULL));
	return atom_list_deliver(&file->atoms, line_reader_path(file->reader),
				 (const char(*)[ATOM_LIST_LABEL])file->labels,
				 file->style != NULL && file->style->charge > 0, sink);
}

sonde_status lammps_data_read(const char *path, int64_t frame, const struct atom_sink *sink)
{
	struct data_file file = {.sink = sink, .count = -1, .types = -1};

	if (frame > 1)
		return status_fail_file(SONDE_INVALID, path, "has one frame; frame %lld does not exist",
					(long long)frame);
	CHECK(line_reader_open(&file.reader, path));
	sonde_status status = read_file(&file);
	line_reader_close(&file.reader);
	atom_list_free(&file.atoms);
	free(file.labels);
	free(file.names);
	free(file.lines);
	free(file.masses);
	return status;
}
