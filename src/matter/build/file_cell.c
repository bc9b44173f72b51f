#include "matter/build/file_cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST_SITES 1000000
#define MOST_KINDS 900 /* fewer than species that atoms can have */

void file_cell_free(struct file_cell *cell)
{
	free(cell->kinds);
	*cell = (struct file_cell){0};
}

static sonde_status find_kind(struct file_cell *cell, const char *label, double occupancy, int *kind)
{
	for (*kind = 0; *kind < cell->count; ++*kind)
		if (strcmp(cell->kinds[*kind].label, label) == 0 && cell->kinds[*kind].occupancy == occupancy)
			return SONDE_OK;
	if (cell->count == MOST_KINDS)
		return status_fail(SONDE_INVALID, "more than %d kinds of sites of one label and one occupancy",
				   MOST_KINDS);
	CHECK(memory_grow(&cell->kinds, &cell->capacity, (size_t)cell->count + 1, sizeof *cell->kinds,
			  "the unit cell"));
	cell->kinds[cell->count] = (struct cell_kind){.occupancy = occupancy};
	strcpy(cell->kinds[cell->count++].label, label);
	return SONDE_OK;
}

/* What it was before a file converted it to Angstrom, if that was a multiple of 1/24: free of roundings. */
static double without_rounding(double fraction)
{
	const double simple = round(24.0 * fraction) / 24.0;

	return fabs(fraction - simple) < 1e-12 ? simple : fraction;
}

/* Fractions of the cell, from 0 to below 1. */
static void find_fractions(const double reciprocal[3][3], const double r[3], double fractions[3])
{
	for (int k = 0; k < 3; ++k) {
		const double x = reciprocal[k][0] * r[0] + reciprocal[k][1] * r[1] + reciprocal[k][2] * r[2];
		/* a site on a face of the cell belongs to its beginning, in spite of roundings */
		fractions[k] = without_rounding(x - floor(x + 1e-9));
	}
}

static sonde_status take_sites(const sonde_atoms *atoms, struct crystal *crystal, struct file_cell *cell)
{
	const double *occupancies = sonde_atoms_occupancies(atoms);
	double vectors[3][3], reciprocal[3][3];

	memcpy(vectors, atoms->lattice, sizeof vectors);
	const double volume = crystal_reciprocal((const double(*)[3])vectors, reciprocal);
	if (!(fabs(volume) > 1e-3))
		return status_fail(SONDE_INVALID, "the cell has a volume of %g cubic Angstrom", fabs(volume));
	CHECK(crystal_create((int)atoms->count, 1, crystal));
	memcpy(crystal->vectors, vectors, sizeof vectors);
	for (int64_t i = 0; i < atoms->count; ++i) {
		CHECK(find_kind(cell, atoms->species[atoms->species_of[i]].label,
				occupancies != NULL ? occupancies[i] : 1.0, &crystal->site_species[i]));
		find_fractions((const double(*)[3])reciprocal, atoms->positions + 3 * i, crystal->site[i]);
	}
	crystal->species_count = cell->count;
	return SONDE_OK;
}

sonde_status file_cell_take(const struct unit_cell *unit, struct crystal *crystal, struct file_cell *cell)
{
	CHECK(crystal_create((int)unit->site_count, 1, crystal));
	memcpy(crystal->vectors, unit->vectors, sizeof crystal->vectors);
	for (int64_t k = 0; k < unit->site_count; ++k) {
		const struct unit_cell_site *site = &unit->sites[k];
		CHECK(find_kind(cell, site->label, site->occupancy, &crystal->site_species[k]));
		memcpy(crystal->site[k], site->position, sizeof crystal->site[k]);
	}
	crystal->species_count = cell->count;
	return SONDE_OK;
}

sonde_status file_cell_read(sonde_context *context, const char *path, struct crystal *crystal, struct file_cell *cell)
{
	sonde_atoms *atoms;
	sonde_status status;

	CHECK(sonde_atoms_read(context, path, 0, &atoms));
	if (!atoms->has_lattice)
		status =
		    status_fail_file(SONDE_INVALID, path,
				     "has no cell; a unit cell is needed: a CIF, a POSCAR, or another file of atoms "
				     "with the edges of its cell");
	else if (atoms->count < 1 || atoms->count > MOST_SITES)
		status = status_fail_file(SONDE_INVALID, path, "has %lld atoms; a unit cell has 1 to %d",
					  (long long)atoms->count, MOST_SITES);
	else
		status = status_prefix(take_sites(atoms, crystal, cell), "%s", path);
	sonde_atoms_free(&atoms);
	return status;
}

sonde_status file_cell_add_kinds(const struct file_cell *cell, sonde_atoms *atoms, uint16_t *species)
{
	char name[SONDE_LABEL_SIZE];

	for (int k = 0; k < cell->count; ++k) {
		snprintf(name, sizeof name, "kind%d", k);
		CHECK(atoms_species_index(atoms, name, &species[k]));
	}
	return SONDE_OK;
}

static sonde_status take_occupancies(const struct file_cell *cell, sonde_atoms *atoms)
{
	bool all = true;
	double *occupancies;

	for (int k = 0; k < cell->count; ++k)
		all = all && cell->kinds[k].occupancy == 1.0;
	if (all || atoms->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&occupancies, (size_t)atoms->count, sizeof *occupancies, "the occupancies"));
	for (int64_t i = 0; i < atoms->count; ++i)
		occupancies[i] = cell->kinds[atoms->species_of[i]].occupancy;
	const sonde_status status = sonde_atoms_set_occupancies(atoms, occupancies);
	free(occupancies);
	return status;
}

sonde_status file_cell_finish(const struct file_cell *cell, sonde_atoms *atoms)
{
	uint16_t *species, index;
	const int kinds = atoms->species_count;
	int64_t *numbers;

	CHECK(take_occupancies(cell, atoms));
	CHECK(memory_allocate(&species, (size_t)kinds, sizeof *species, "the species"));
	sonde_status status = memory_allocate(&numbers, (size_t)kinds, sizeof *numbers, "the species");
	for (int k = 0; status == SONDE_OK && k < kinds; ++k)
		numbers[k] = atoms->species[k].atoms;
	atoms->species_count = status == SONDE_OK ? 0 : kinds;
	for (int k = 0; status == SONDE_OK && k < kinds; ++k) {
		status = atoms_species_index(atoms, cell->kinds[k].label, &index);
		if (status == SONDE_OK) {
			species[k] = index;
			atoms->species[index].atoms += numbers[k];
		}
	}
	for (int64_t i = 0; status == SONDE_OK && i < atoms->count; ++i)
		atoms->species_of[i] = species[atoms->species_of[i]];
	free(numbers);
	free(species);
	return status;
}
