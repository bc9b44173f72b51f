/* Charges of a sample: its own, or by label; possibly several sets. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/charges.h"

#include "base/memory.h"
#include "base/option_blanks.h"
#include "base/text.h"
#include "coulomb/kernels/direct_layout.h"
#include "io/text/words.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/atoms/atoms.h"
#include "matter/elements/label.h"

#define LARGEST_CHARGE 1e6
#define MOST_SETS 1024

/* Reads "Na=1,Cl=-1" into the charge of every species; NaN if not specified. */
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
			return status_fail_option(SONDE_INVALID, "charges",
						  "'%.*s' is not LABEL=CHARGE; write them as Na=1,Cl=-1",
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
			return status_fail_option(SONDE_INVALID, "charges", "the sample has no '%s'%s", label,
						  nearest_word_hint(&nearest, hint, sizeof hint));
		if (!isnan(of_species[found]))
			return status_fail_option(SONDE_INVALID, "charges", "'%s' is given twice", label);
		of_species[found] = charge;
		list += length + (list[length] == ',');
	}
	for (int s = 0; s < atoms->species_count; ++s)
		if (isnan(of_species[s]))
			return status_fail_option(SONDE_INVALID, "charges",
						  "'%s' has none; write 0 for a neutral species",
						  atoms->species[s].label);
	return SONDE_OK;
}

/* Charges for every atom from lists, one for each set: "Na=1,Cl=-1;Na=0.8,Cl=-0.8". */
static sonde_status look_up_lists(const sonde_atoms *atoms, const char *lists, uint32_t *sets, double **of_atoms)
{
	size_t count = (size_t)atoms->count;
	double *of_species = NULL;
	char *list = NULL;
	sonde_status status = SONDE_OK;

	if (count == 0)
		return status_fail(SONDE_INVALID, "the sample has no atoms, which would have the charges");
	*sets = 1;
	for (const char *c = lists; *c != '\0'; ++c)
		*sets += *c == ';';
	if (*sets > MOST_SETS)
		return status_fail_option(SONDE_INVALID, "charges", "more than %d sets, the limit", MOST_SETS);
	CHECK_GOTO(status, memory_allocate(&list, strlen(lists) + 1, 1, "the charges"), done);
	CHECK_GOTO(status,
		   memory_allocate(&of_species, (size_t)atoms->species_count + 1, sizeof *of_species, "the charges"),
		   done);
	CHECK_GOTO(status, memory_allocate(of_atoms, *sets * count + 1, sizeof **of_atoms, "the charges"), done);
	for (uint32_t s = 0; s < *sets; ++s) {
		size_t length = strcspn(lists, ";");
		memcpy(list, lists, length);
		list[length] = '\0';
		option_drop_blanks(list);
		lists += length + (lists[length] == ';');
		CHECK_GOTO(status, read_list(atoms, list, of_species), done);
		for (size_t i = 0; i < count; ++i)
			(*of_atoms)[s * count + i] = of_species[atoms->species_of[i]];
	}
done:
	free(of_species);
	free(list);
	return status;
}

#define MOST_COLUMNS 64

/* A row of a table of charges. */
struct charge_row {
	char residue[8], name[SONDE_LABEL_SIZE]; /* residue "*": any */
	size_t charges;                          /* index of the first one */
};

struct charge_table {
	struct charge_row *rows;
	size_t count, capacity;
	double *charges; /* `sets` per row */
	size_t charges_capacity;
	uint32_t sets; /* 0: no row read yet */
};

/* Number of numeric words at the end of a row. */
static int count_numbers(const struct word *words, int count)
{
	double number;
	int numbers = 0;

	while (numbers < count &&
	       text_parse_real(words[count - 1 - numbers].start, words[count - 1 - numbers].end, &number))
		++numbers;
	return numbers;
}

static sonde_status read_charges(const struct line_reader *reader, const struct word *words, uint32_t sets,
				 struct charge_table *table)
{
	size_t first = table->count * sets;

	if (table->sets != 0 && table->sets != sets)
		return line_fail(reader, "has %u charges, previous rows have %u", sets, table->sets);
	table->sets = sets;
	CHECK(memory_grow(&table->charges, &table->charges_capacity, first + sets, sizeof *table->charges,
			  "the table of charges"));
	for (uint32_t s = 0; s < sets; ++s) {
		CHECK(word_real(reader, &words[s], "charge", &table->charges[first + s]));
		if (fabs(table->charges[first + s]) > LARGEST_CHARGE)
			return line_fail(reader, "a charge of %g e is out of range: at most %g",
					 table->charges[first + s], LARGEST_CHARGE);
	}
	return SONDE_OK;
}

static sonde_status read_row(const struct line_reader *reader, const char *line, struct charge_table *table)
{
	struct word words[MOST_COLUMNS];
	int count = words_split(line, words, MOST_COLUMNS);
	struct charge_row row = {.residue = "*"};

	if (count == 0 || *words[0].start == '#')
		return SONDE_OK;
	/* names may look like numbers, charges must; a row of three words with one charge may begin with a residue */
	int numbers = count_numbers(words, count);
	numbers = numbers == 0 ? 1 : numbers; /* for the error message about the last word */
	if (table->sets != 0 && count - (int)table->sets >= 1 && count - (int)table->sets <= 2)
		numbers = (int)table->sets;
	int names = count - numbers;
	if (names != 1 && names != 2)
		return line_fail(reader, "needs a name and a charge, or a residue, a name and a charge");
	const struct word *name = &words[names - 1];
	size_t length = (size_t)(name->end - name->start), of_residue = (size_t)(words[0].end - words[0].start);
	if (length >= sizeof row.name || (names == 2 && of_residue >= sizeof row.residue))
		return line_fail(reader, "a name is too long");
	memcpy(row.name, name->start, length);
	if (names == 2) {
		memset(row.residue, 0, sizeof row.residue);
		memcpy(row.residue, words[0].start, of_residue);
	}
	for (size_t r = 0; r < table->count; ++r)
		if (strcmp(table->rows[r].residue, row.residue) == 0 && strcmp(table->rows[r].name, row.name) == 0)
			return line_fail(reader, "%s %s is given twice", row.residue, row.name);
	CHECK(read_charges(reader, words + names, (uint32_t)numbers, table));
	row.charges = table->count * table->sets;
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
		return status_fail_file(SONDE_INVALID, path, "has no charges");
	return status;
}

static int by_name(const void *a, const void *b)
{
	const struct charge_row *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	return names != 0 ? names : strcmp(x->residue, y->residue);
}

/* The row of an atom, with preference for its own residue over "*". The rows are sorted. */
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

/* Charges for every atom, by residue and name, or by label if the sample has no names. */
static sonde_status look_up(const sonde_atoms *atoms, const char *path, uint32_t *sets, double **of_atoms)
{
	const struct site *sites = atoms_sites(atoms);
	struct charge_table table = {0};
	size_t count = (size_t)atoms->count;
	sonde_status status;

	CHECK_GOTO(status, read_table(path, &table), done);
	*sets = table.sets;
	qsort(table.rows, table.count, sizeof *table.rows, by_name);
	CHECK_GOTO(status, memory_allocate(of_atoms, table.sets * count + 1, sizeof **of_atoms, "the charges"), done);
	for (size_t i = 0; i < count; ++i) {
		const char *label = atoms->species[atoms->species_of[i]].label;
		const char *residue = sites != NULL ? sites[i].residue : "",
			   *name = sites != NULL ? sites[i].name : label;
		const struct charge_row *row = find_row(&table, residue, name);
		if (row == NULL) {
			status = status_fail_file(SONDE_INVALID, path,
						  "has no charge for %s%s%s, atom %lld; write 0 for a neutral atom",
						  residue, residue[0] != '\0' ? " " : "", name, (long long)i + 1);
			goto done;
		}
		for (uint32_t s = 0; s < table.sets; ++s)
			(*of_atoms)[s * count + i] = table.charges[row->charges + s];
	}
done:
	free(table.rows);
	free(table.charges);
	return status;
}

static bool has_charge(const double *of_atoms, size_t count, uint32_t sets, size_t atom)
{
	for (uint32_t s = 0; s < sets; ++s)
		if (of_atoms[s * count + atom] != 0.0)
			return true;
	return false;
}

/* Atomic number of a label, which may be the name of an atom in a residue (CA, HB2, OXT): its first letter is then
 * the element, except for elements with which no such name begins. 0: unknown. */
static int element_of_label(const char *text)
{
	static const char *const ions[] = {"CL", "BR", "ZN", "MG", "FE", "MN", "CU", "LI", "SI", "SE"};
	struct label label;

	if (label_parse(text, &label) == SONDE_OK)
		return label.atomic_number;
	for (size_t k = 0; k < sizeof ions / sizeof *ions; ++k)
		if (strncmp(text, ions[k], 2) == 0)
			return element_number((const char[]){ions[k][0], (char)tolower(ions[k][1]), '\0'});
	return element_number((const char[]){text[0], '\0'});
}

/* The atoms with a charge in any set, with room for as many sets as are summed at a time. */
static sonde_status gather(const sonde_atoms *atoms, const double *of_atoms, uint32_t sets, struct charges *charges)
{
	size_t count = (size_t)atoms->count, room = 1, k = 0;
	uint8_t *of_species;
	uint32_t padded = sets == 1 ? 1 : (sets + SETS_AT_ONCE - 1) / SETS_AT_ONCE * SETS_AT_ONCE;

	for (size_t i = 0; i < count; ++i)
		charges->count += has_charge(of_atoms, count, sets, i);
	room = charges->count > 0 ? charges->count : 1;
	charges->sets = sets;
	CHECK(memory_allocate(&charges->x, room, sizeof(double), "the charges"));
	CHECK(memory_allocate(&charges->y, room, sizeof(double), "the charges"));
	CHECK(memory_allocate(&charges->z, room, sizeof(double), "the charges"));
	CHECK(memory_allocate(&charges->q, padded * room, sizeof(double), "the charges"));
	CHECK(memory_allocate(&charges->elements, room, sizeof *charges->elements, "the charges"));
	CHECK(memory_allocate(&of_species, (size_t)atoms->species_count + 1, sizeof *of_species, "the charges"));
	for (int s = 0; s < atoms->species_count; ++s)
		of_species[s] = (uint8_t)element_of_label(atoms->species[s].label);
	/* gives the mean potential over the configurations of the sites */
	const double *occupancies = sonde_atoms_occupancies(atoms);
	for (size_t i = 0; i < count; ++i) {
		double occupancy = occupancies != NULL ? occupancies[i] : 1.0;
		if (!has_charge(of_atoms, count, sets, i))
			continue;
		charges->x[k] = atoms->positions[3 * i];
		charges->y[k] = atoms->positions[3 * i + 1];
		charges->z[k] = atoms->positions[3 * i + 2];
		charges->elements[k] = of_species[atoms->species_of[i]];
		for (uint32_t s = 0; s < sets; ++s)
			charges->q[s * charges->count + k] = occupancy * of_atoms[s * count + i];
		charges->total += occupancy * of_atoms[i];
		charges->absolute += occupancy * fabs(of_atoms[i]);
		++k;
	}
	free(of_species);
	return SONDE_OK;
}

sonde_status charges_make(const sonde_atoms *atoms, const char *by_label, struct charges *charges)
{
	double *of_atoms = NULL;
	bool lists = strchr(by_label, '=') != NULL;
	uint32_t sets = (uint32_t)sonde_atoms_charge_sets(atoms);
	const double *own = sonde_atoms_charges(atoms);
	sonde_status status = SONDE_OK;

	*charges = (struct charges){0};
	CHECK(atoms_refuse_placements(atoms));
	if (atoms->count > UINT32_MAX / 2)
		return status_fail(SONDE_INVALID, "the sample has %lld atoms; the limit is %u",
				   (long long)atoms->count, UINT32_MAX / 2);
	if (by_label[0] == '\0' && atoms->count > 0 && own == NULL)
		return status_fail(
		    SONDE_INVALID,
		    "%s: brings no charges; give them by label, as in `charges Na=1,Cl=-1`, by a "
		    "table, as in `charges FILE`, or use a PQR file or an extended XYZ file with a column "
		    "of charges",
		    atoms->source.bytes != NULL ? atoms->source.bytes : "sample");
	if (by_label[0] != '\0')
		status = (lists ? look_up_lists : look_up)(atoms, by_label, &sets, &of_atoms);
	if (status == SONDE_OK)
		status = gather(atoms, of_atoms != NULL ? of_atoms : own, sets > 0 ? sets : 1, charges);
	free(of_atoms);
	if (status != SONDE_OK)
		charges_free(charges);
	return status;
}

uint32_t charges_of_sets(const struct charges *all, uint32_t first, bool one, struct charges *some)
{
	uint32_t left = all->sets - first;

	*some = *all;
	some->q = all->q + (size_t)first * all->count;
	some->sets = one || left == 1 ? 1 : SETS_AT_ONCE;
	some->total = some->absolute = 0.0;
	for (uint32_t j = 0; j < some->count; ++j) {
		some->total += some->q[j];
		some->absolute += fabs(some->q[j]);
	}
	return left < some->sets ? left : some->sets;
}

void charges_free(struct charges *charges)
{
	free(charges->x);
	free(charges->y);
	free(charges->z);
	free(charges->q);
	free(charges->elements);
	*charges = (struct charges){0};
}
