#include "matter/atoms/placed_atoms.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/atoms_copies.h"

#define MOST_ATOMS 4e9
#define BYTES_OF_ATOM 26.0

sonde_status atoms_set_placements(sonde_atoms *atoms, const struct copy_group *groups, int count,
				  struct placement *placements)
{
	int64_t left = atoms->count;

	free((struct placement *)(uintptr_t)atoms->placements);
	atoms->placements = placements;
	atoms->group_count = 0;
	if (count < 1 || count > ATOMS_MOST_STRUCTURES)
		return status_fail(SONDE_INVALID, "%d structures: must be 1 to %d", count, ATOMS_MOST_STRUCTURES);
	for (int g = 0; g < count; ++g) {
		if (groups[g].copies < 1 || groups[g].atoms < 1 || groups[g].atoms > left)
			return status_fail(SONDE_INVALID, "the structures have more atoms than the sample, or none");
		left -= groups[g].atoms;
	}
	if (left != 0)
		return status_fail(SONDE_INVALID, "the structures have %lld of the %lld atoms of the sample",
				   (long long)(atoms->count - left), (long long)atoms->count);
	memcpy(atoms->groups, groups, (size_t)count * sizeof *groups);
	atoms->group_count = count;
	return SONDE_OK;
}

int64_t atoms_all(const sonde_atoms *atoms)
{
	int64_t sum = 0;

	if (atoms->placements == NULL)
		return atoms->count;
	for (int g = 0; g < atoms->group_count; ++g)
		sum += atoms->groups[g].copies * atoms->groups[g].atoms;
	return sum;
}

int64_t atoms_copy_count(const sonde_atoms *atoms)
{
	int64_t sum = 0;

	for (int g = 0; g < atoms->group_count; ++g)
		sum += atoms->groups[g].copies;
	return sum;
}

int64_t atoms_all_of(const sonde_atoms *atoms, int species)
{
	int64_t first = 0, sum = 0;

	if (atoms->placements == NULL)
		return atoms->species[species].atoms;
	for (int g = 0; g < atoms->group_count; first += atoms->groups[g++].atoms)
		for (int64_t i = first; i < first + atoms->groups[g].atoms; ++i)
			sum += atoms->species_of[i] == species ? atoms->groups[g].copies : 0;
	return sum;
}

/* Copies ------------------------------------------------------------------------------------------------------ */

/* The copies of a group. */
struct copying {
	const sonde_atoms *from;
	sonde_atoms *to;
	const struct placement *placements;
	int64_t first, atoms; /* of the structure */
	int64_t begins;       /* the first atom of its first copy */
	atomic_bool beyond;   /* set: an atom is beyond the limits of coordinates */
};

static void place_copies(void *state, int64_t first, int64_t end, int worker)
{
	struct copying *copying = state;
	const sonde_atoms *from = copying->from;
	bool beyond = false;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t begins = copying->begins + n * copying->atoms;
		for (int64_t i = 0; i < copying->atoms; ++i) {
			double *to = copying->to->positions + 3 * (begins + i);
			placement_apply(&copying->placements[n], from->positions + 3 * (copying->first + i), to);
			for (int k = 0; k < 3; ++k)
				beyond = beyond || !(fabs(to[k]) <= ATOMS_LARGEST_PLACE);
		}
		memcpy(copying->to->species_of + begins, from->species_of + copying->first,
		       (size_t)copying->atoms * sizeof *from->species_of);
	}
	if (beyond)
		atomic_store(&copying->beyond, true);
}

static sonde_status report_beyond(const struct copying *copying)
{
	const double *positions = copying->to->positions + 3 * copying->begins;
	int64_t i = 0;

	while (fabs(positions[i]) <= ATOMS_LARGEST_PLACE)
		++i;
	return status_fail(SONDE_INVALID, "atom %lld of copy %lld is not within +-%g Angstrom",
			   (long long)(i / 3 % copying->atoms) + 1, (long long)(i / 3 / copying->atoms) + 1,
			   ATOMS_LARGEST_PLACE);
}

static sonde_status place_all(const sonde_context *context, const sonde_atoms *from, sonde_atoms *to)
{
	const int threads = context_threads(context);
	struct copying copying = {.from = from, .to = to, .placements = from->placements};

	CHECK(atoms_reserve(to, atoms_all(from)));
	for (int s = 0; s < from->species_count; ++s) {
		uint16_t species; /* the same number */
		CHECK(atoms_species_index(to, from->species[s].label, &species));
		to->species[species].atoms = atoms_all_of(from, s);
	}
	for (int g = 0; g < from->group_count; ++g) {
		const int64_t copies = from->groups[g].copies;
		copying.atoms = from->groups[g].atoms;
		threads_for(threads, copies, threads_grain(threads, copies), place_copies, &copying);
		if (atomic_load(&copying.beyond))
			return report_beyond(&copying);
		copying.first += copying.atoms;
		copying.placements += copies;
		copying.begins += copies * copying.atoms;
	}
	to->count = copying.begins;
	return atoms_set_copies(to, from->groups, from->group_count);
}

/* Repeats numbers of the structures for each of their copies. */
static void repeat(const sonde_atoms *from, const double *numbers, double *to)
{
	for (int g = 0; g < from->group_count; numbers += from->groups[g++].atoms)
		for (int64_t n = 0; n < from->groups[g].copies; ++n, to += from->groups[g].atoms)
			memcpy(to, numbers, (size_t)from->groups[g].atoms * sizeof *to);
}

/* Tensors turn with their copies. */
static void turn_displacements(const sonde_atoms *from, int size, double *to)
{
	const struct placement *placement = from->placements;
	int64_t first = 0;

	for (int g = 0; g < from->group_count; first += from->groups[g++].atoms)
		for (int64_t n = 0; n < from->groups[g].copies; ++n, ++placement)
			for (int64_t i = first; i < first + from->groups[g].atoms; ++i, to += size) {
				double u[6] = {NAN};
				const bool known = atoms_displacement(from, i, u);
				if (size == 1 || !known)
					to[0] = u[0];
				else
					displacement_rotate((const double(*)[3])placement->rotation, u, to);
			}
}

static sonde_status repeat_numbers(const sonde_atoms *from, double *numbers, sonde_atoms *to)
{
	if (sonde_atoms_occupancies(from) != NULL) {
		repeat(from, sonde_atoms_occupancies(from), numbers);
		CHECK(sonde_atoms_set_occupancies(to, numbers));
	}
	for (int s = 0; s < sonde_atoms_charge_sets(from); ++s) {
		repeat(from, sonde_atoms_charges(from) + s * from->count, numbers);
		CHECK(s == 0 ? sonde_atoms_set_charges(to, numbers) : sonde_atoms_add_charges(to, numbers));
	}
	return SONDE_OK;
}

static sonde_status repeat_all(const sonde_atoms *from, sonde_atoms *to)
{
	double *numbers;
	int size;
	const bool displaced = sonde_atoms_displacements(from, &size) != NULL;

	if (!displaced && sonde_atoms_occupancies(from) == NULL && sonde_atoms_charge_sets(from) == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&numbers, (size_t)to->count * (size_t)(displaced ? size : 1), sizeof *numbers,
			      "numbers of the copies"));
	sonde_status status = repeat_numbers(from, numbers, to);
	if (status == SONDE_OK && displaced) {
		turn_displacements(from, size, numbers);
		status = sonde_atoms_set_displacements(to, numbers, size);
	}
	free(numbers);
	return status;
}

static sonde_status check_room(const sonde_context *context, const sonde_atoms *from)
{
	const double allowed = context != NULL ? (double)context_memory(context) : INFINITY;
	double count = 0.0;

	for (int g = 0; g < from->group_count; ++g)
		count += (double)from->groups[g].copies * (double)from->groups[g].atoms;
	if (count > MOST_ATOMS)
		return status_fail(SONDE_INVALID, "%lld copies of %lld atoms are %.2g atoms; the limit is %.0g",
				   (long long)atoms_copy_count(from), (long long)from->groups[0].atoms, count,
				   MOST_ATOMS);
	if (count * BYTES_OF_ATOM > allowed)
		return status_fail(SONDE_INVALID,
				   "not enough memory: %.2g atoms need %.1f GB and %.1f GB are allowed", count,
				   1e-9 * BYTES_OF_ATOM * count, 1e-9 * allowed);
	return SONDE_OK;
}

static sonde_status copy_origin(const sonde_atoms *from, sonde_atoms *to)
{
	memcpy(to->sha256, from->sha256, sizeof to->sha256);
	to->has_lattice = from->has_lattice;
	memcpy(to->lattice, from->lattice, sizeof to->lattice);
	if (from->source.bytes == NULL)
		return SONDE_OK;
	text_append(&to->source, "%s", from->source.bytes);
	return text_status(&to->source);
}

sonde_status atoms_expanded(sonde_context *context, const sonde_atoms *atoms, sonde_atoms **expanded)
{
	*expanded = NULL;
	CHECK(check_room(context, atoms));
	CHECK(sonde_atoms_create(expanded));
	sonde_status status = place_all(context, atoms, *expanded);
	if (status == SONDE_OK)
		status = repeat_all(atoms, *expanded);
	if (status == SONDE_OK)
		status = copy_origin(atoms, *expanded);
	if (status != SONDE_OK)
		sonde_atoms_free(expanded);
	return status;
}

sonde_status atoms_expand(sonde_context *context, sonde_atoms **atoms)
{
	sonde_atoms *expanded;

	if ((*atoms)->placements == NULL)
		return SONDE_OK;
	CHECK(atoms_expanded(context, *atoms, &expanded));
	sonde_atoms_free(atoms);
	*atoms = expanded;
	return SONDE_OK;
}

sonde_status atoms_refuse_placements(const sonde_atoms *atoms)
{
	return atoms->placements == NULL
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "%s is a compact ensemble, of which all atoms are needed here",
				 atoms->source.bytes != NULL ? atoms->source.bytes : "the sample");
}
