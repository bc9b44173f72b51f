/* The atoms of copies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/generate/ensemble.h"

double ensemble_radius(const sonde_atoms *structure)
{
	double largest = 0.0;

	for (int64_t i = 0; i < structure->count; ++i) {
		const double *r = structure->positions + 3 * i;
		largest = fmax(largest, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
	}
	return sqrt(largest);
}

/* One copy of each structure ------------------------------------------------------------------------------------ */

static sonde_status append_structure(const sonde_atoms *structure, sonde_atoms *atoms)
{
	uint16_t *species;

	CHECK(atoms_reserve(atoms, atoms->count + structure->count));
	CHECK(memory_allocate(&species, (size_t)structure->species_count + 1, sizeof *species, "the species"));
	sonde_status status = SONDE_OK;
	for (int s = 0; s < structure->species_count && status == SONDE_OK; ++s)
		status = atoms_species_index(atoms, structure->species[s].label, &species[s]);
	for (int64_t i = 0; i < structure->count && status == SONDE_OK; ++i)
		atoms_append(atoms, species[structure->species_of[i]], structure->positions + 3 * i);
	free(species);
	return status;
}

/* Displacements of all structures; those of structures without any are unknown. */
static sonde_status join_displacements(int structures, sonde_atoms *const *structure, sonde_atoms *atoms)
{
	double *joined, *to;
	int each = 0;

	for (int k = 0; k < structures; ++k) {
		int size;
		(void)sonde_atoms_displacements(structure[k], &size);
		each = size > each ? size : each;
	}
	if (each == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&joined, (size_t)atoms->count * (size_t)each, sizeof *joined, "the displacements"));
	to = joined;
	for (int k = 0; k < structures; ++k)
		for (int64_t i = 0; i < structure[k]->count; ++i, to += each) {
			double u[6] = {NAN};
			(void)atoms_displacement(structure[k], i, u);
			memcpy(to, u, (size_t)each * sizeof *u);
		}
	const sonde_status status = sonde_atoms_set_displacements(atoms, joined, each);
	free(joined);
	return status;
}

/* Numbers of the atoms of a structure; 1 if there are none. */
static double *join(const double *numbers, int64_t count, double *to)
{
	for (int64_t i = 0; i < count; ++i)
		*to++ = numbers != NULL ? numbers[i] : 1.0;
	return to;
}

/* Occupancies, and charges, of which all structures must have the same sets. */
static sonde_status join_numbers(int structures, sonde_atoms *const *structure, sonde_atoms *atoms)
{
	const int sets = sonde_atoms_charge_sets(structure[0]);
	bool occupied = false;
	double *numbers;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < structures; ++k) {
		occupied = occupied || sonde_atoms_occupancies(structure[k]) != NULL;
		if (sonde_atoms_charge_sets(structure[k]) != sets)
			return status_fail(
			    SONDE_INVALID,
			    "structure %d has %d sets of charges, structure 1 has %d; all need the same, or "
			    "files without charges",
			    k + 1, sonde_atoms_charge_sets(structure[k]), sets);
	}
	CHECK(memory_allocate(&numbers, (size_t)atoms->count, sizeof *numbers, "numbers of the copies"));
	double *to = numbers;
	for (int k = 0; k < structures && occupied; ++k)
		to = join(sonde_atoms_occupancies(structure[k]), structure[k]->count, to);
	if (occupied)
		status = sonde_atoms_set_occupancies(atoms, numbers);
	for (int s = 0; s < sets && status == SONDE_OK; ++s) {
		to = numbers;
		for (int k = 0; k < structures; ++k)
			to = join(sonde_atoms_charges(structure[k]) + s * structure[k]->count, structure[k]->count,
				  to);
		status = s == 0 ? sonde_atoms_set_charges(atoms, numbers) : sonde_atoms_add_charges(atoms, numbers);
	}
	free(numbers);
	return status;
}

/* All copies ---------------------------------------------------------------------------------------------------- */

/* The placements of each structure, one after the other, and their numbers. */
static sonde_status sort_placements(const struct ensemble *ensemble, int structures, int64_t *numbers,
				    struct placement **sorted)
{
	int64_t next[ENSEMBLE_MOST_STRUCTURES] = {0};

	for (int64_t n = 0; n < ensemble->count; ++n)
		++numbers[ensemble->structure_of != NULL ? ensemble->structure_of[n] : 0];
	for (int s = 1; s < structures; ++s)
		next[s] = next[s - 1] + numbers[s - 1];
	CHECK(memory_allocate(sorted, (size_t)ensemble->count, sizeof **sorted, "the places of the copies"));
	for (int64_t n = 0; n < ensemble->count; ++n)
		(*sorted)[next[ensemble->structure_of != NULL ? ensemble->structure_of[n] : 0]++] =
		    ensemble->placements[n];
	return SONDE_OK;
}

static sonde_status join_all(int structures, sonde_atoms *const *structure, const struct ensemble *ensemble,
			     sonde_atoms *atoms)
{
	struct copy_group groups[ENSEMBLE_MOST_STRUCTURES];
	sonde_atoms *present[ENSEMBLE_MOST_STRUCTURES] = {NULL};
	int64_t numbers[ENSEMBLE_MOST_STRUCTURES] = {0};
	struct placement *placements;
	int count = 0;

	CHECK(sort_placements(ensemble, structures, numbers, &placements));
	atoms->placements = placements; /* which are released with the atoms */
	for (int s = 0; s < structures; ++s) {
		if (numbers[s] == 0)
			continue;
		CHECK(append_structure(structure[s], atoms));
		present[count] = structure[s];
		groups[count++] = (struct copy_group){numbers[s], structure[s]->count};
	}
	atoms->placements = NULL;
	CHECK(atoms_set_placements(atoms, groups, count, placements));
	CHECK(join_displacements(count, present, atoms));
	return join_numbers(count, present, atoms);
}

sonde_status ensemble_compact(int structures, sonde_atoms *const *structure, const struct ensemble *ensemble,
			      sonde_atoms **atoms)
{
	CHECK(sonde_atoms_create(atoms));
	const sonde_status status = join_all(structures, structure, ensemble, *atoms);
	if (status != SONDE_OK)
		sonde_atoms_free(atoms);
	return status;
}

sonde_status ensemble_place_mixture(sonde_context *context, int structures, sonde_atoms *const *structure,
				    const struct ensemble *ensemble, sonde_atoms **atoms)
{
	CHECK(ensemble_compact(structures, structure, ensemble, atoms));
	const sonde_status status = atoms_expand(context, atoms);
	if (status != SONDE_OK)
		sonde_atoms_free(atoms);
	return status;
}

sonde_status ensemble_place(sonde_context *context, const sonde_atoms *structure, const struct ensemble *ensemble,
			    sonde_atoms **result)
{
	return ensemble_place_mixture(context, 1, (sonde_atoms *const[]){(sonde_atoms *)(uintptr_t)structure},
				      ensemble, result);
}
