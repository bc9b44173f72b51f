#include "matter/build/file_cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/context.h"

#define MOST_SITES 1000000
#define MOST_KINDS 900         /* fewer than species that atoms can have */
#define SAME_DISPLACEMENT 1e-9 /* Angstrom^2 */

void file_cell_free(struct file_cell *cell)
{
	free(cell->kinds);
	*cell = (struct file_cell){0};
}

/* Images of a site by symmetry have displacements that differ by rounding. */
static bool is_same_kind(const struct cell_kind *a, const struct cell_kind *b)
{
	bool same = strcmp(a->label, b->label) == 0 && a->occupancy == b->occupancy && a->moves == b->moves;

	for (int k = 0; k < 6; ++k)
		same = same && fabs(a->displacement[k] - b->displacement[k]) < SAME_DISPLACEMENT;
	return same;
}

static sonde_status find_kind(struct file_cell *cell, const struct cell_kind *wanted, int *kind)
{
	for (*kind = 0; *kind < cell->count; ++*kind)
		if (is_same_kind(&cell->kinds[*kind], wanted))
			return SONDE_OK;
	if (cell->count == MOST_KINDS)
		return status_fail(SONDE_INVALID, "more than %d kinds of sites of one label and one occupancy",
				   MOST_KINDS);
	CHECK(memory_grow(&cell->kinds, &cell->capacity, (size_t)cell->count + 1, sizeof *cell->kinds,
			  "the unit cell"));
	cell->kinds[cell->count++] = *wanted;
	return SONDE_OK;
}

/* Whether a tensor is a number, but for rounding, which is removed. */
static bool make_isotropic(double u[6])
{
	const double mean = (u[0] + u[1] + u[2]) / 3.0;

	for (int k = 0; k < 6; ++k)
		if (fabs(u[k] - (k < 3 ? mean : 0.0)) > SAME_DISPLACEMENT)
			return false;
	for (int k = 0; k < 6; ++k)
		u[k] = k < 3 ? mean : 0.0;
	return true;
}

/* Label, occupancy, and displacements of atom `i`. */
static struct cell_kind kind_of(const sonde_atoms *atoms, int64_t i, bool displacements, bool *anisotropic)
{
	const double *occupancies = sonde_atoms_occupancies(atoms);
	struct cell_kind kind = {.occupancy = occupancies != NULL ? occupancies[i] : 1.0};

	strcpy(kind.label, atoms->species[atoms->species_of[i]].label);
	kind.moves = displacements && atoms_displacement(atoms, i, kind.displacement);
	if (kind.moves && !make_isotropic(kind.displacement))
		*anisotropic = true;
	return kind;
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

/* The kinds of all sites; the number of tensors may be too large. */
static sonde_status take_kinds(const sonde_atoms *atoms, bool displacements, int *kinds, struct file_cell *cell)
{
	cell->count = 0;
	cell->anisotropic = false;
	for (int64_t i = 0; i < atoms->count; ++i) {
		const struct cell_kind kind = kind_of(atoms, i, displacements, &cell->anisotropic);
		CHECK(find_kind(cell, &kind, &kinds[i]));
	}
	return SONDE_OK;
}

static sonde_status take_sites(sonde_context *context, const sonde_atoms *atoms, struct crystal *crystal,
			       struct file_cell *cell)
{
	double vectors[3][3], reciprocal[3][3];

	memcpy(vectors, atoms->lattice, sizeof vectors);
	const double volume = crystal_reciprocal((const double(*)[3])vectors, reciprocal);
	if (!(fabs(volume) > 1e-3))
		return status_fail(SONDE_INVALID, "the cell has a volume of %g cubic Angstrom", fabs(volume));
	CHECK(crystal_create((int)atoms->count, 1, crystal));
	memcpy(crystal->vectors, vectors, sizeof vectors);
	for (int64_t i = 0; i < atoms->count; ++i)
		find_fractions((const double(*)[3])reciprocal, atoms->positions + 3 * i, crystal->site[i]);
	sonde_status status = take_kinds(atoms, true, crystal->site_species, cell);
	if (status == SONDE_INVALID && atoms->displacements != NULL) {
		if (context != NULL)
			context_notef(
			    context,
			    "the cell has more than %d kinds of sites of different mean square displacements, "
			    "which are not used: the atoms have none",
			    MOST_KINDS);
		status = take_kinds(atoms, false, crystal->site_species, cell);
	}
	CHECK(status);
	crystal->species_count = cell->count;
	return SONDE_OK;
}

static struct cell_kind kind_of_site(const struct unit_cell_site *site, bool *anisotropic)
{
	struct cell_kind kind = {.occupancy = site->occupancy, .moves = site->has_u || site->has_u_iso};

	strcpy(kind.label, site->label);
	for (int k = 0; k < 6 && kind.moves; ++k)
		kind.displacement[k] = site->has_u ? site->u[k] : k < 3 ? site->u_iso : 0.0;
	if (kind.moves && !make_isotropic(kind.displacement))
		*anisotropic = true;
	return kind;
}

sonde_status file_cell_take(const struct unit_cell *unit, struct crystal *crystal, struct file_cell *cell)
{
	CHECK(crystal_create((int)unit->site_count, 1, crystal));
	memcpy(crystal->vectors, unit->vectors, sizeof crystal->vectors);
	for (int64_t k = 0; k < unit->site_count; ++k) {
		const struct unit_cell_site *site = &unit->sites[k];
		const struct cell_kind kind = kind_of_site(site, &cell->anisotropic);
		CHECK(find_kind(cell, &kind, &crystal->site_species[k]));
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
		status = status_prefix(take_sites(context, atoms, crystal, cell), "%s", path);
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

void file_cell_rotate(struct file_cell *cell, const double rotation[3][3])
{
	for (int k = 0; k < cell->count && cell->anisotropic; ++k) {
		double turned[6];
		displacement_rotate(rotation, cell->kinds[k].displacement, turned);
		memcpy(cell->kinds[k].displacement, turned, sizeof turned);
	}
}

static sonde_status take_displacements(const struct file_cell *cell, sonde_atoms *atoms)
{
	const size_t each = cell->anisotropic ? 6 : 1;
	bool any = false;
	double *u;

	for (int k = 0; k < cell->count; ++k)
		any = any || cell->kinds[k].moves;
	if (!any || atoms->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&u, (size_t)atoms->count * each, sizeof *u, "the displacements"));
	for (size_t i = 0; i < (size_t)atoms->count; ++i) {
		const struct cell_kind *kind = &cell->kinds[atoms->species_of[i]];
		for (size_t k = 0; k < each; ++k)
			u[i * each + k] = kind->moves ? kind->displacement[k] : NAN;
	}
	const sonde_status status = sonde_atoms_set_displacements(atoms, u, (int)each);
	free(u);
	return status;
}

sonde_status file_cell_finish(const struct file_cell *cell, sonde_atoms *atoms)
{
	uint16_t *species, index;
	const int kinds = atoms->species_count;
	int64_t *numbers;

	CHECK(take_occupancies(cell, atoms));
	CHECK(take_displacements(cell, atoms));
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
