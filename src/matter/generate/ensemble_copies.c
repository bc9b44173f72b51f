/* The atoms of copies. */
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/atoms_copies.h"
#include "matter/generate/ensemble.h"
#include "run/context.h"

#define MOST_ATOMS 4e9

double ensemble_radius(const sonde_atoms *structure)
{
	double largest = 0.0;

	for (int64_t i = 0; i < structure->count; ++i) {
		const double *r = structure->positions + 3 * i;
		largest = fmax(largest, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
	}
	return sqrt(largest);
}

struct copying {
	const sonde_atoms *structure;
	const uint16_t *species; /* of the sample, of each of the structure */
	const struct ensemble *ensemble;
	const int64_t *places; /* of the copies; null: all, in their order */
	sonde_atoms *atoms;
	int64_t begins;     /* the first atom */
	atomic_bool beyond; /* set: an atom is beyond the limits of coordinates */
};

static void place_copies(void *state, int64_t first, int64_t end, int worker)
{
	struct copying *copying = state;
	const sonde_atoms *structure = copying->structure;
	bool beyond = false;
	(void)worker;

	for (int64_t n = first; n < end; ++n) {
		const struct placement *placement =
		    &copying->ensemble->placements[copying->places != NULL ? copying->places[n] : n];
		const int64_t begins = copying->begins + n * structure->count;
		for (int64_t i = 0; i < structure->count; ++i) {
			const double *r = structure->positions + 3 * i;
			copying->atoms->species_of[begins + i] = copying->species[structure->species_of[i]];
			for (int k = 0; k < 3; ++k) {
				const double *row = placement->rotation[k];
				const double x =
				    placement->position[k] + (row[0] * r[0] + row[1] * r[1] + row[2] * r[2]);
				copying->atoms->positions[3 * (begins + i) + k] = x;
				beyond = beyond || !(fabs(x) <= ENSEMBLE_LARGEST_PLACE);
			}
		}
	}
	if (beyond)
		atomic_store(&copying->beyond, true);
}

/* Appends `copies` copies of a structure, at `places` of the ensemble or, if null, all of them. */
static sonde_status append_copies(sonde_context *context, const sonde_atoms *structure,
				  const struct ensemble *ensemble, const int64_t *places, int64_t copies,
				  sonde_atoms *atoms)
{
	const int64_t begins = atoms->count, count = structure->count * copies;
	uint16_t *species;

	CHECK(memory_allocate(&species, (size_t)structure->species_count + 1, sizeof *species, "the species"));
	struct copying copying = {structure, species, ensemble, places, atoms, begins, false};
	sonde_status status = atoms_reserve(atoms, begins + count);
	for (int s = 0; s < structure->species_count && status == SONDE_OK; ++s) {
		status = atoms_species_index(atoms, structure->species[s].label, &species[s]);
		if (status == SONDE_OK)
			atoms->species[species[s]].atoms += structure->species[s].atoms * copies;
	}
	if (status == SONDE_OK) {
		atoms->count = begins + count;
		threads_for(context_threads(context), copies, threads_grain(context_threads(context), copies),
			    place_copies, &copying);
	}
	free(species);
	CHECK(status);
	for (int64_t i = 3 * begins; atomic_load(&copying.beyond) && i < 3 * atoms->count; ++i)
		if (!(fabs(atoms->positions[i]) <= ENSEMBLE_LARGEST_PLACE))
			return status_fail(SONDE_INVALID, "atom %lld of copy %lld is not within +-%g Angstrom",
					   (long long)((i / 3 - begins) % structure->count) + 1,
					   (long long)((i / 3 - begins) / structure->count) + 1,
					   ENSEMBLE_LARGEST_PLACE);
	return SONDE_OK;
}

/* Repeats numbers of the structure's atoms for each copy; 1 if there are none. */
static double *repeat(const double *numbers, int64_t count, int64_t copies, double *to)
{
	for (int64_t n = 0; n < copies; ++n)
		for (int64_t i = 0; i < count; ++i)
			*to++ = numbers != NULL ? numbers[i] : 1.0;
	return to;
}

/* Displacements of a structure in the copies at `places`, or all: tensors turn with their copies. */
static void turn_displacements(const sonde_atoms *structure, const struct ensemble *ensemble, const int64_t *places,
			       int64_t copies, int each, double *to)
{
	for (int64_t n = 0; n < copies; ++n) {
		const struct placement *placement = &ensemble->placements[places != NULL ? places[n] : n];
		for (int64_t i = 0; i < structure->count; ++i, to += each) {
			double u[6] = {NAN};
			const bool known = atoms_displacement(structure, i, u);
			if (each == 1 || !known)
				to[0] = u[0];
			else
				displacement_rotate((const double(*)[3])placement->rotation, u, to);
		}
	}
}

/* Displacements of all copies; those of structures without any are unknown. */
static sonde_status repeat_displacements(int structures, sonde_atoms *const *structure,
					 const struct ensemble *ensemble, const int64_t *places, sonde_atoms *atoms)
{
	int each = 0;
	double *turned;

	for (int k = 0; k < structures; ++k) {
		int size;
		(void)sonde_atoms_displacements(structure[k], &size);
		each = size > each ? size : each;
	}
	if (each == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&turned, (size_t)atoms->count * (size_t)each, sizeof *turned, "the displacements"));
	double *to = turned;
	for (int k = 0; k < structures; ++k) {
		const int64_t copies = atoms->groups[k].copies;
		turn_displacements(structure[k], ensemble, places, copies, each, to);
		places = places != NULL ? places + copies : NULL;
		to += copies * structure[k]->count * each;
	}
	const sonde_status status = sonde_atoms_set_displacements(atoms, turned, each);
	free(turned);
	return status;
}

/* Occupancies of all copies, and their charges, of which all structures must have the same sets. */
static sonde_status repeat_numbers(int structures, sonde_atoms *const *structure, sonde_atoms *atoms)
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
		to = repeat(sonde_atoms_occupancies(structure[k]), structure[k]->count, atoms->groups[k].copies, to);
	if (occupied)
		status = sonde_atoms_set_occupancies(atoms, numbers);
	for (int s = 0; s < sets && status == SONDE_OK; ++s) {
		to = numbers;
		for (int k = 0; k < structures; ++k)
			to = repeat(sonde_atoms_charges(structure[k]) + s * structure[k]->count, structure[k]->count,
				    atoms->groups[k].copies, to);
		status = s == 0 ? sonde_atoms_set_charges(atoms, numbers) : sonde_atoms_add_charges(atoms, numbers);
	}
	free(numbers);
	return status;
}

/* The places of each structure, one after the other. */
static sonde_status sort_places(int structures, const struct ensemble *ensemble, int64_t *numbers, int64_t **places)
{
	int64_t next[ENSEMBLE_MOST_STRUCTURES] = {0};

	CHECK(memory_allocate(places, (size_t)ensemble->count, sizeof **places, "the places of the copies"));
	for (int64_t n = 0; n < ensemble->count; ++n)
		++numbers[ensemble->structure_of[n]];
	for (int s = 1; s < structures; ++s)
		next[s] = next[s - 1] + numbers[s - 1];
	for (int64_t n = 0; n < ensemble->count; ++n)
		(*places)[next[ensemble->structure_of[n]]++] = n;
	return SONDE_OK;
}

static sonde_status append_all(sonde_context *context, int structures, sonde_atoms *const *structure,
			       const struct ensemble *ensemble, sonde_atoms *atoms)
{
	struct copy_group groups[ENSEMBLE_MOST_STRUCTURES];
	int64_t numbers[ENSEMBLE_MOST_STRUCTURES] = {0}, *places = NULL, first = 0;
	sonde_status status = SONDE_OK;
	int count = 0;

	if (ensemble->structure_of != NULL)
		CHECK(sort_places(structures, ensemble, numbers, &places));
	else
		numbers[0] = ensemble->count;
	sonde_atoms *present[ENSEMBLE_MOST_STRUCTURES] = {NULL};
	for (int s = 0; s < structures && status == SONDE_OK; ++s) {
		if (numbers[s] == 0)
			continue;
		status = append_copies(context, structure[s], ensemble, places != NULL ? places + first : NULL,
				       numbers[s], atoms);
		first += numbers[s];
		present[count] = structure[s];
		groups[count++] = (struct copy_group){numbers[s], structure[s]->count};
	}
	if (status == SONDE_OK)
		status = atoms_set_copies(atoms, groups, count);
	if (status == SONDE_OK)
		status = repeat_displacements(count, present, ensemble, places, atoms);
	free(places);
	CHECK(status);
	return repeat_numbers(count, present, atoms);
}

/* Of all copies. */
static double count_atoms(int structures, sonde_atoms *const *structure, const struct ensemble *ensemble)
{
	double count = 0.0;

	if (ensemble->structure_of == NULL || structures == 1)
		return (double)structure[0]->count * (double)ensemble->count;
	for (int64_t n = 0; n < ensemble->count; ++n)
		count += (double)structure[ensemble->structure_of[n]]->count;
	return count;
}

sonde_status ensemble_place_mixture(sonde_context *context, int structures, sonde_atoms *const *structure,
				    const struct ensemble *ensemble, sonde_atoms **result)
{
	const double count = count_atoms(structures, structure, ensemble);
	sonde_atoms *atoms;

	*result = NULL;
	if (count > MOST_ATOMS)
		return status_fail(SONDE_INVALID, "%lld copies of %lld atoms are %.2g atoms; the limit is %.0g",
				   (long long)ensemble->count, (long long)structure[0]->count, count, MOST_ATOMS);
	if (count * 26.0 > (double)context_memory(context))
		return status_fail(SONDE_INVALID,
				   "not enough memory: %.2g atoms need %.1f GB and %.1f GB are allowed", count,
				   26e-9 * count, 1e-9 * (double)context_memory(context));
	CHECK(sonde_atoms_create(&atoms));
	const sonde_status status = append_all(context, structures, structure, ensemble, atoms);
	if (status != SONDE_OK)
		sonde_atoms_free(&atoms);
	else
		*result = atoms;
	return status;
}

sonde_status ensemble_place(sonde_context *context, const sonde_atoms *structure, const struct ensemble *ensemble,
			    sonde_atoms **result)
{
	return ensemble_place_mixture(context, 1, (sonde_atoms *const[]){(sonde_atoms *)(uintptr_t)structure},
				      ensemble, result);
}
