/* Atoms of arrays of a program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/atoms.h"
#include "sonde/device.h"

#define NUMBERS_OF_THREAD 98304 /* coordinates that a thread takes at a time; fewer atoms are taken by one */

static sonde_status check_species(const sonde_atoms *atoms, int64_t count, int64_t label_count,
				  const int32_t *species)
{
	for (int64_t i = 0; i < count; ++i)
		if (species[i] < 0 || species[i] >= label_count)
			return status_fail(SONDE_INVALID, "atom %lld: there is no label %d, of %lld",
					   (long long)(atoms->count + i + 1), species[i], (long long)label_count);
	return SONDE_OK;
}

/* Copies coordinates, unless they are there already, and looks for impossible ones. */
struct taking {
	const double *from;
	double *to;
	int wrong; /* whether there is one */
};

static void take_some(void *state, int64_t first, int64_t end, int worker)
{
	struct taking *taking = state;
	bool wrong = false;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		wrong |= !(fabs(taking->from[k]) <= ATOMS_LARGEST_PLACE);
	if (wrong)
		__atomic_store_n(&taking->wrong, 1, __ATOMIC_RELAXED);
	if (taking->to != taking->from)
		memcpy(taking->to + first, taking->from + first, (size_t)(end - first) * sizeof *taking->to);
}

/* To the place after the last atom, where there is room for them. */
static sonde_status take_positions(const sonde_atoms *atoms, int64_t count, const double *positions)
{
	struct taking taking = {positions, atoms->positions + 3 * atoms->count, 0};

	threads_for(3 * count > NUMBERS_OF_THREAD ? threads_available() : 1, 3 * count, NUMBERS_OF_THREAD, take_some,
		    &taking);
	for (int64_t k = 0; taking.wrong != 0 && k < 3 * count; ++k)
		if (!(fabs(positions[k]) <= ATOMS_LARGEST_PLACE))
			return status_fail(SONDE_INVALID, "atom %lld: coordinate %g is not within +-%g Angstrom",
					   (long long)(atoms->count + k / 3 + 1), positions[k], ATOMS_LARGEST_PLACE);
	return SONDE_OK;
}

/* Atoms with properties, or labels that differ from the species, take the way of single ones. */
static sonde_status add_each(sonde_atoms *atoms, int64_t count, const char *const *labels, const int32_t *species,
			     const double *positions)
{
	for (int64_t i = 0; i < count; ++i)
		CHECK(sonde_atoms_add(atoms, labels[species[i]], positions + 3 * i));
	return SONDE_OK;
}

/* Atoms whose positions are there already. */
static sonde_status add_species(sonde_atoms *atoms, int64_t count, const char *const *labels, int64_t label_count,
				const int32_t *species)
{
	uint16_t *index = NULL, *to = atoms->species_of + atoms->count;
	bool *known = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&index, (size_t)label_count, sizeof *index, "the labels"), done);
	CHECK_GOTO(status, memory_allocate(&known, (size_t)label_count, sizeof *known, "the labels"), done);
	/* species in the order in which atoms have them, as sonde_atoms_add() numbers them, and all before the first atom
	 * is added */
	for (int64_t i = 0; i < count; ++i) {
		const int32_t label = species[i];
		if (!known[label])
			CHECK_GOTO(status, atoms_species_index(atoms, labels[label], &index[label]), done);
		known[label] = true;
	}
	for (int64_t i = 0; i < count; ++i) {
		to[i] = index[species[i]];
		++atoms->species[to[i]].atoms;
	}
	atoms->count += count;
	if (count > 0)
		atoms->group_count = 0;
done:
	if (status != SONDE_OK)
		atoms_drop_absent_species(atoms);
	free(index);
	free(known);
	return status;
}

static sonde_status begin_many(sonde_atoms *atoms, int64_t count, int64_t label_count, const int32_t *species)
{
	if (count < 0 || label_count < 0)
		return status_fail(SONDE_INVALID, "%lld atoms of %lld labels: neither can be negative",
				   (long long)count, (long long)label_count);
	CHECK(check_species(atoms, count, label_count, species));
	return atoms_reserve(atoms, atoms->count + count);
}

static bool have_properties(const sonde_atoms *atoms)
{
	return atoms->occupancies != NULL || atoms->displacements != NULL;
}

sonde_status sonde_atoms_add_many(sonde_atoms *atoms, int64_t count, const char *const *labels, int64_t label_count,
				  const int32_t *species, const double *positions)
{
	CHECK(begin_many(atoms, count, label_count, species));
	CHECK(take_positions(atoms, count, positions));
	return have_properties(atoms) ? add_each(atoms, count, labels, species, positions)
				      : add_species(atoms, count, labels, label_count, species);
}

sonde_status sonde_atoms_add_from_cuda(sonde_atoms *atoms, int64_t count, const char *const *labels,
				       int64_t label_count, const int32_t *species, int device, uint64_t address)
{
	if (have_properties(atoms))
		return status_fail(SONDE_INVALID, "atoms of a GPU cannot be added to atoms with occupancies or "
						  "displacements");
	CHECK(begin_many(atoms, count, label_count, species));
	double *const positions = atoms->positions + 3 * atoms->count;
	CHECK(sonde_cuda_copy_to_host(device, address, positions, 3 * (size_t)count * sizeof *positions));
	CHECK(take_positions(atoms, count, positions));
	return add_species(atoms, count, labels, label_count, species);
}

sonde_status sonde_atoms_set_source(sonde_atoms *atoms, const char *source)
{
	text_free(&atoms->source);
	atoms->sha256[0] = '\0';
	text_append(&atoms->source, "%s", source);
	return text_status(&atoms->source);
}
