/* Charges of a sample: its own, or by label. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/coulomb.h"
#include "io/words.h"

#define LARGEST_CHARGE 1e6

/* Reads "Na=1,Cl=-1" into the charge of every species; NaN where nothing is said. */
static sonde_status read_list(const sonde_atoms *atoms, const char *list, double *of_species)
{
	char hint[96];

	for (int s = 0; s < atoms->species_count; ++s)
		of_species[s] = NAN;
	while (*list != '\0') {
		size_t length = strcspn(list, ","), name = strcspn(list, "=");
		double charge;
		if (name >= length || name == 0 || name >= SONDE_LABEL_SIZE ||
		    !text_parse_real(list + name + 1, list + length, &charge) || fabs(charge) > LARGEST_CHARGE)
			return status_fail(SONDE_INVALID,
					   "charges: '%.*s' is not LABEL=CHARGE; write them as Na=1,Cl=-1",
					   (int)(length > 40 ? 40 : length), list);
		char label[SONDE_LABEL_SIZE] = "";
		memcpy(label, list, name);
		struct nearest_word nearest = {.word = label};
		int found = -1;
		for (int s = 0; s < atoms->species_count; ++s) {
			nearest_word_offer(&nearest, atoms->species[s].label);
			if (strcmp(atoms->species[s].label, label) == 0)
				found = s;
		}
		if (found < 0)
			return status_fail(SONDE_INVALID, "charges: the sample has no '%s'%s", label,
					   nearest_word_hint(&nearest, hint, sizeof hint));
		if (!isnan(of_species[found]))
			return status_fail(SONDE_INVALID, "charges: '%s' is given twice", label);
		of_species[found] = charge;
		list += length + (list[length] == ',');
	}
	for (int s = 0; s < atoms->species_count; ++s)
		if (isnan(of_species[s]))
			return status_fail(SONDE_INVALID, "charges: '%s' has none; write 0 if it shall have none",
					   atoms->species[s].label);
	return SONDE_OK;
}

/* A row of a table of charges. */
struct charge_row {
	char residue[8], name[SONDE_LABEL_SIZE]; /* residue "*": any */
	double charge;
};

struct charge_table {
	struct charge_row *rows;
	size_t count, capacity;
};

static sonde_status read_row(const struct line_reader *reader, const char *line, struct charge_table *table)
{
	struct word words[4];
	int count = words_split(line, words, 4);
	struct charge_row row = {.residue = "*"};

	if (count == 0 || *words[0].start == '#')
		return SONDE_OK;
	if (count != 2 && count != 3)
		return line_fail(reader, "needs a name and a charge, or a residue, a name and a charge");
	const struct word *name = &words[count - 2];
	size_t length = (size_t)(name->end - name->start), of_residue = (size_t)(words[0].end - words[0].start);
	if (length >= sizeof row.name || (count == 3 && of_residue >= sizeof row.residue))
		return line_fail(reader, "a name is too long");
	memcpy(row.name, name->start, length);
	if (count == 3) {
		memset(row.residue, 0, sizeof row.residue);
		memcpy(row.residue, words[0].start, of_residue);
	}
	CHECK(word_real(reader, &words[count - 1], "charge", &row.charge));
	if (fabs(row.charge) > LARGEST_CHARGE)
		return line_fail(reader, "a charge of %g e is absurd: at most %g", row.charge, LARGEST_CHARGE);
	for (size_t r = 0; r < table->count; ++r)
		if (strcmp(table->rows[r].residue, row.residue) == 0 && strcmp(table->rows[r].name, row.name) == 0)
			return line_fail(reader, "%s %s is given twice", row.residue, row.name);
	CHECK(memory_grow(&table->rows, &table->capacity, table->count + 1, sizeof row, "the table of charges"));
	table->rows[table->count++] = row;
	return SONDE_OK;
}

static sonde_status read_table(const char *path, struct charge_table *table)
{
	struct line_reader *reader;
	char *line;
	sonde_status status;

	CHECK(line_reader_open(&reader, path));
	do {
		status = line_reader_next(reader, &line);
		if (status == SONDE_OK && line != NULL)
			status = read_row(reader, line, table);
	} while (status == SONDE_OK && line != NULL);
	line_reader_close(&reader);
	if (status == SONDE_OK && table->count == 0)
		return status_fail(SONDE_INVALID, "%s: has no charges", path);
	return status;
}

static int by_name(const void *a, const void *b)
{
	const struct charge_row *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	return names != 0 ? names : strcmp(x->residue, y->residue);
}

/* The row of an atom: one of its own residue before one of any. The rows are sorted. */
static const struct charge_row *find_row(const struct charge_table *table, const char *residue, const char *name)
{
	struct charge_row wanted = {.residue = "*"};
	const struct charge_row *row;

	snprintf(wanted.name, sizeof wanted.name, "%s", name);
	snprintf(wanted.residue, sizeof wanted.residue, "%s", residue);
	row = bsearch(&wanted, table->rows, table->count, sizeof wanted, by_name);
	if (row != NULL)
		return row;
	strcpy(wanted.residue, "*");
	return bsearch(&wanted, table->rows, table->count, sizeof wanted, by_name);
}

/* A charge for every atom, by its residue and name, or where the sample has none by its label. */
static sonde_status look_up(const sonde_atoms *atoms, const char *path, double **of_atoms)
{
	const struct site *sites = atoms_sites(atoms);
	struct charge_table table = {0};
	sonde_status status;

	CHECK_GOTO(status, read_table(path, &table), done);
	qsort(table.rows, table.count, sizeof *table.rows, by_name);
	CHECK_GOTO(status, memory_allocate(of_atoms, (size_t)atoms->count + 1, sizeof **of_atoms, "the charges"),
		   done);
	for (int64_t i = 0; i < atoms->count; ++i) {
		const char *label = atoms->species[atoms->species_of[i]].label;
		const char *residue = sites != NULL ? sites[i].residue : "",
			   *name = sites != NULL ? sites[i].name : label;
		const struct charge_row *row = find_row(&table, residue, name);
		if (row == NULL) {
			status = status_fail(SONDE_INVALID,
					     "%s: has no charge for %s%s%s, atom %lld; write 0 if it shall have none",
					     path, residue, residue[0] != '\0' ? " " : "", name, (long long)i + 1);
			goto done;
		}
		(*of_atoms)[i] = row->charge;
	}
done:
	free(table.rows);
	return status;
}

static sonde_status gather(const sonde_atoms *atoms, const double *of_species, const double *own,
			   struct charges *charges)
{
	double **arrays[] = {&charges->x, &charges->y, &charges->z, &charges->q};
	size_t room = (size_t)atoms->count > 0 ? (size_t)atoms->count : 1;

	for (int k = 0; k < 4; ++k)
		CHECK(memory_allocate(arrays[k], room, sizeof(double), "the charges"));
	for (int64_t i = 0; i < atoms->count; ++i) {
		double q = of_species != NULL ? of_species[atoms->species_of[i]] : own[i];
		if (q == 0.0)
			continue;
		uint32_t k = charges->count++;
		charges->x[k] = atoms->positions[3 * i];
		charges->y[k] = atoms->positions[3 * i + 1];
		charges->z[k] = atoms->positions[3 * i + 2];
		charges->q[k] = q;
		charges->total += q;
		charges->absolute += fabs(q);
	}
	return SONDE_OK;
}

sonde_status charges_make(const sonde_atoms *atoms, const char *by_label, struct charges *charges)
{
	double *of_species = NULL, *of_atoms = NULL;
	bool list = strchr(by_label, '=') != NULL, table = !list && by_label[0] != '\0';
	sonde_status status = SONDE_OK;

	*charges = (struct charges){0};
	if (atoms->count > UINT32_MAX / 2)
		return status_fail(SONDE_INVALID, "the sample has %lld atoms; %u are possible",
				   (long long)atoms->count, UINT32_MAX / 2);
	if (by_label[0] == '\0' && atoms->count > 0 && sonde_atoms_charges(atoms) == NULL)
		return status_fail(
		    SONDE_INVALID,
		    "%s: brings no charges; give them by label, as in --charges Na=1,Cl=-1, by a "
		    "table, as in --charges FILE, or use a PQR file or an extended XYZ file with a column "
		    "of charges",
		    atoms->source.bytes != NULL ? atoms->source.bytes : "sample");
	if (table)
		status = look_up(atoms, by_label, &of_atoms);
	if (list) {
		CHECK(memory_allocate(&of_species, (size_t)atoms->species_count + 1, sizeof *of_species,
				      "the charges"));
		status = read_list(atoms, by_label, of_species);
	}
	if (status == SONDE_OK)
		status = gather(atoms, of_species, table ? of_atoms : sonde_atoms_charges(atoms), charges);
	free(of_species);
	free(of_atoms);
	if (status != SONDE_OK)
		charges_free(charges);
	return status;
}

void charges_free(struct charges *charges)
{
	free(charges->x);
	free(charges->y);
	free(charges->z);
	free(charges->q);
	*charges = (struct charges){0};
}
