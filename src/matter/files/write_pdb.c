/* PDB: Protein Data Bank Contents Guide, version 3.30. Numbers beyond the width of their field are written in hybrid-36, as by other
 * programs (R. W. Grosse-Kunstleve et al.): after the largest decimal number come A000..., then a000..., in base 36. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "io/atoms/pdb.h"
#include "matter/atoms/atoms_box.h"
#include "matter/atoms/atoms_copies.h"
#include "matter/files/atoms_writers.h"
#include "matter/elements/label.h"

#define LOWEST (-999.9995) /* Angstrom, of 8 columns with 3 decimals */
#define HIGHEST 9999.9995
#define LONGEST_EDGE 99999.9995 /* 9 columns */
#define MOST_ATOMS 87440031     /* in 5 columns */
#define MOST_RESIDUES 2436111   /* in 4 columns */
#define LINE 81

struct pdb {
	const sonde_atoms *atoms;
	struct atoms_box box;
	bool turned; /* coordinates are those of the box */
};

static void position_of(const struct pdb *pdb, int64_t atom, double position[3])
{
	const double *from = pdb->atoms->positions + 3 * atom;

	if (pdb->turned)
		atoms_box_turn(&pdb->box, from, position);
	else
		memcpy(position, from, 3 * sizeof *position);
}

/* `width` digits of a number in hybrid-36. */
static void write_hybrid36(int64_t number, int width, char *to)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	int64_t decimal = 1, letters = 1; /* 10^width, 36^(width - 1) */
	char text[24];

	for (int k = 0; k < width; ++k) {
		decimal *= 10;
		letters *= k > 0 ? 36 : 1;
	}
	if (number < decimal) {
		snprintf(text, sizeof text, "%*lld", width, (long long)number);
		memcpy(to, text, (size_t)width);
		return;
	}
	number -= decimal;
	const bool lower = number >= 26 * letters;
	number += (lower ? -26 : 0) * letters + 10 * letters;
	for (int k = width - 1; k >= 0; --k, number /= 36)
		to[k] = lower ? (char)tolower((unsigned char)digits[number % 36]) : digits[number % 36];
}

static sonde_status check_numbers(const struct pdb *pdb)
{
	const sonde_atoms *atoms = pdb->atoms;
	double position[3];

	if (atoms->count > MOST_ATOMS)
		return status_fail(SONDE_INVALID,
				   "%lld atoms do not fit into a PDB file: at most %d; write .xyz, .cif or .h5",
				   (long long)atoms->count, MOST_ATOMS);
	for (int64_t i = 0; i < atoms->count; ++i) {
		position_of(pdb, i, position);
		for (int k = 0; k < 3; ++k)
			if (!(position[k] > LOWEST && position[k] < HIGHEST))
				return status_fail(
				    SONDE_INVALID,
				    "atom %lld: the coordinate %g does not fit into the columns of a PDB "
				    "file, -999.999 to 9999.999 Angstrom; write .xyz, .cif or .h5",
				    (long long)i + 1, position[k]);
		if (atoms_location(atoms, i) / LOCATION_LETTERS > MOST_RESIDUES)
			return status_fail(SONDE_INVALID,
					   "atom %lld: more than %d residues do not fit into a PDB file",
					   (long long)i + 1, MOST_RESIDUES);
	}
	return SONDE_OK;
}

/* Every label must contain an element. */
static sonde_status check_labels(const sonde_atoms *atoms)
{
	struct label label;

	for (int s = 0; s < atoms->species_count; ++s)
		CHECK(status_prefix(label_parse(atoms->species[s].label, &label), "a PDB file needs elements"));
	return SONDE_OK;
}

static sonde_status append_cell(const struct pdb *pdb, struct text *text)
{
	double lengths[3], angles[3];

	if (pdb->box.vacuum)
		return SONDE_OK;
	atoms_box_parameters(&pdb->box, lengths, angles);
	for (int k = 0; k < 3; ++k)
		if (lengths[k] >= LONGEST_EDGE)
			return status_fail(SONDE_INVALID, "cell: an edge of %g Angstrom does not fit into a PDB file",
					   lengths[k]);
	text_append(text, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f P 1           1          \n", lengths[0], lengths[1],
		    lengths[2], angles[0], angles[1], angles[2]);
	return SONDE_OK;
}

/* Element, name and charge of a species in their columns. */
static void write_element(const char *text, const struct site *site, char *line)
{
	struct label label;
	char symbol[3] = "", columns[3];

	if (label_parse(text, &label) != SONDE_OK)
		return; /* checked before */
	snprintf(symbol, sizeof symbol, "%s", element_symbol(label.atomic_number));
	for (char *c = symbol; *c != '\0'; ++c)
		*c = (char)toupper((unsigned char)*c);
	snprintf(columns, sizeof columns, "%2s", symbol);
	memcpy(line + 76, columns, 2);
	if (label.charge != 0 && label.charge > -10 && label.charge < 10) {
		line[78] = (char)('0' + (label.charge < 0 ? -label.charge : label.charge));
		line[79] = label.charge < 0 ? '-' : '+';
	}
	const char *name = site != NULL ? site->name : symbol;
	const size_t length = strlen(name) < 4 ? strlen(name) : 4;
	/* names begin in column 14, those of elements with two letters in column 13 */
	memcpy(line + 12 + (symbol[1] == '\0' && length < 4), name, length);
}

/* Ends in front of `end`. */
static void write_number(double x, int decimals, char *end)
{
	char digits[32];
	const size_t size = decimal_write_fixed(x, decimals, digits); /* of numbers that fit */

	memcpy(end - size, digits, size);
}

/* Columns of a line, which is not terminated. */
static void put(const char *columns, size_t count, char *to)
{
	for (size_t k = 0; k < count; ++k)
		to[k] = columns[k];
}

/* What the rows of one species without names have in common. */
static void prepare_line(const struct pdb *pdb, int64_t atom, char *line)
{
	const struct site *sites = atoms_sites(pdb->atoms), *site = sites != NULL ? &sites[atom] : NULL;
	char residue[8];

	memset(line, ' ', LINE - 1);
	line[LINE - 1] = '\n';
	put(site != NULL ? "ATOM  " : "HETATM", 6, line);
	snprintf(residue, sizeof residue, "%3.3s", site != NULL ? site->residue : "UNK");
	put(residue, 3, line + 17);
	line[21] = 'A';
	put("  1.00  0.00", 12, line + 54);
	write_element(atoms_label(pdb->atoms, atom), site, line);
}

/* The residue of the last atom before `first` that has locations. */
static uint32_t residue_before(const sonde_atoms *atoms, int64_t first)
{
	if (atoms->located == 0)
		return 1;
	while (first > 0 && atoms_location(atoms, first - 1) == 0)
		--first;
	return first > 0 ? atoms_location(atoms, first - 1) / LOCATION_LETTERS : 0;
}

/* Letters of chains: one for each copy, from the beginning again when all are used. */
static const char chains[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static void format_rows(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct pdb *pdb = user;
	const sonde_atoms *atoms = pdb->atoms;
	const double *occupancies = sonde_atoms_occupancies(atoms);
	uint32_t residue = residue_before(atoms, first);
	char line[LINE];
	int prepared = -1;

	for (int64_t i = first; i < end; ++i) {
		const uint32_t location = atoms_location(atoms, i);
		char *to = text_room(text, LINE);
		double position[3];
		if (to == NULL)
			return;
		if (atoms_sites(atoms) != NULL || prepared != atoms->species_of[i])
			prepare_line(pdb, i, line);
		prepared = atoms->species_of[i];
		memcpy(to, line, LINE);
		write_hybrid36(i + 1, 5, to + 6);
		if (location != 0) {
			residue = location / LOCATION_LETTERS;
			to[16] = (char)(location % LOCATION_LETTERS);
		}
		if (atoms->group_count > 0)
			to[21] = chains[atoms_copy_of(atoms, i) % (int64_t)strlen(chains)];
		write_hybrid36(residue, 4, to + 22);
		position_of(pdb, i, position);
		for (int k = 0; k < 3; ++k)
			write_number(position[k], 3, to + 38 + 8 * k);
		if (occupancies != NULL) {
			memset(to + 54, ' ', 6);
			write_number(occupancies[i], 2, to + 60);
		}
		text_grow(text, LINE);
	}
}

/* In as many remarks as their width needs. */
static void append_copies(const sonde_atoms *atoms, struct text *block)
{
	sonde_atoms part = *atoms;

	for (int k = 0; k < atoms->group_count; ++k) {
		part.groups[0] = atoms->groups[k];
		part.group_count = 1;
		text_append(block, PDB_COPIES);
		atoms_copies_print(&part, block);
		text_append(block, "\n");
	}
}

sonde_status atoms_write_pdb(const struct atoms_output *output)
{
	struct pdb pdb = {.atoms = output->atoms, .turned = output->atoms->has_lattice};
	struct text *block = &output->file->block;

	CHECK(check_labels(output->atoms));
	CHECK(atoms_box_make(output->atoms, &pdb.box));
	CHECK(check_numbers(&pdb));
	text_append(block, "REMARK   3 WRITTEN BY SONDE %s\n", sonde_version());
	append_copies(output->atoms, block);
	CHECK(append_cell(&pdb, block));
	CHECK(atoms_output_rows(output, format_rows, &pdb));
	text_append(block, "END\n");
	return text_status(block);
}
