/* Atoms of arrays of a program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/atoms_gpu.h"

static sonde_status check_species(const sonde_atoms *atoms, int64_t count, int64_t label_count,
				  const int32_t *species)
{
	for (int64_t i = 0; i < count; ++i)
		if (species[i] < 0 || species[i] >= label_count)
			return status_fail(SONDE_INVALID, "atom %lld: there is no label %d, of %lld",
					   (long long)(atoms->count + i + 1), species[i], (long long)label_count);
	return SONDE_OK;
}

#define NUMBERS_OF_THREAD 98304 /* coordinates that a thread takes at a time; fewer atoms are taken by one */

/* Coordinates among which impossible ones are looked for. */
struct looking {
	const double *at;
	int wrong; /* whether there is one */
};

static void look_at_some(void *state, int64_t first, int64_t end, int worker)
{
	struct looking *looking = state;
	bool wrong = false;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		wrong |= !(fabs(looking->at[k]) <= ATOMS_LARGEST_PLACE);
	if (wrong)
		__atomic_store_n(&looking->wrong, 1, __ATOMIC_RELAXED);
}

sonde_status atoms_check_positions(const double *positions, int64_t first, int64_t count)
{
	struct looking looking = {positions, 0};

	threads_for(3 * count > NUMBERS_OF_THREAD ? threads_available() : 1, 3 * count, NUMBERS_OF_THREAD,
		    look_at_some, &looking);
	for (int64_t k = 0; looking.wrong != 0 && k < 3 * count; ++k)
		if (!(fabs(positions[k]) <= ATOMS_LARGEST_PLACE))
			return status_fail(SONDE_INVALID, "atom %lld: coordinate %g is not within +-%g Angstrom",
					   (long long)(first + k / 3 + 1), positions[k], ATOMS_LARGEST_PLACE);
	return SONDE_OK;
}

struct copying {
	const double *from;
	double *to;
};

static void copy_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct copying *copying = state;

	(void)worker;
	memcpy(copying->to + first, copying->from + first, (size_t)(end - first) * sizeof *copying->to);
}

static void copy_by_threads(const double *from, int64_t count, double *to)
{
	struct copying copying = {from, to};

	threads_for(3 * count > NUMBERS_OF_THREAD ? threads_available() : 1, 3 * count, NUMBERS_OF_THREAD, copy_some,
		    &copying);
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

static sonde_status check_many(const sonde_atoms *atoms, int64_t count, int64_t label_count, const int32_t *species)
{
	if (count < 0 || label_count < 0)
		return status_fail(SONDE_INVALID, "%lld atoms of %lld labels: neither can be negative",
				   (long long)count, (long long)label_count);
	return check_species(atoms, count, label_count, species);
}

static bool have_properties(const sonde_atoms *atoms)
{
	return atoms->occupancies != NULL || atoms->displacements != NULL;
}

sonde_status sonde_atoms_add_many(sonde_atoms *atoms, int64_t count, const char *const *labels, int64_t label_count,
				  const int32_t *species, const double *positions)
{
	CHECK(check_many(atoms, count, label_count, species));
	CHECK(atoms_reserve(atoms, atoms->count + count));
	CHECK(atoms_check_positions(positions, atoms->count, count));
	if (count > 0)
		copy_by_threads(positions, count, atoms->positions + 3 * atoms->count);
	return have_properties(atoms) ? add_each(atoms, count, labels, species, positions)
				      : add_species(atoms, count, labels, label_count, species);
}

/* Of the first atoms, whose positions are elsewhere. */
static sonde_status add_first_species(sonde_atoms *atoms, int64_t count, const char *const *labels,
				      int64_t label_count, const int32_t *species)
{
	CHECK(memory_grow(&atoms->species_of, &atoms->species_of_capacity, (size_t)count, sizeof *atoms->species_of,
			  "the species of the atoms"));
	return add_species(atoms, count, labels, label_count, species);
}

/* The room for positions of atoms that could not be added. */
static void forget_room(sonde_atoms *atoms)
{
	free(atoms->positions);
	atoms->positions = NULL;
	atoms->positions_capacity = 0;
}

/* Positions of the caller ------------------------------------------------------------------------------------------- */

static sonde_status bring_borrowed(const sonde_atoms *atoms)
{
	(void)atoms;
	return SONDE_OK;
}

static sonde_status copy_borrowed(sonde_atoms *atoms)
{
	const size_t numbers = 3 * (size_t)atoms->count;
	double *own;

	CHECK(memory_allocate_to_fill(&own, numbers, sizeof *own, "the positions of the atoms"));
	copy_by_threads(atoms->positions, atoms->count, own);
	atoms->positions = own;
	atoms->positions_capacity = numbers;
	atoms->owner = NULL;
	return SONDE_OK;
}

static void leave_borrowed(const struct positions_owner *owner)
{
	(void)owner;
}

static bool borrowed_are_elsewhere(const struct positions_owner *owner)
{
	(void)owner;
	return false;
}

/* One for all atoms: the array is in the atoms, and nothing else is to be known of it. */
static const struct positions_owner caller = {bring_borrowed, copy_borrowed, leave_borrowed, borrowed_are_elsewhere};

sonde_status sonde_atoms_add_borrowed(sonde_atoms *atoms, int64_t count, const char *const *labels,
				      int64_t label_count, const int32_t *species, const double *positions)
{
	if (count <= 0 || atoms->count > 0 || have_properties(atoms))
		return sonde_atoms_add_many(atoms, count, labels, label_count, species, positions);
	CHECK(check_many(atoms, count, label_count, species));
	CHECK(atoms_check_positions(positions, 0, count));
	CHECK(add_first_species(atoms, count, labels, label_count, species));
	forget_room(atoms);
	/* functions that write to positions call atoms_reserve() first, which makes them those of the atoms */
	atoms->positions = (double *)(uintptr_t)positions;
	atoms->owner = &caller;
	return SONDE_OK;
}

/* Positions of a GPU -------------------------------------------------------------------------------------------------- */

/* Positions that stay on the GPU, of the first atoms. False if it has no memory for another copy of them. */
static bool keep_on_gpu(sonde_atoms *atoms, int64_t count, const struct gpu_array *array)
{
	if (atoms->count > 0 || count == 0 || gpu_array_is_sparse(array, count) ||
	    atoms_gpu_create(array, count, &atoms->owner) != SONDE_OK)
		return false;
	forget_room(atoms);
	return true;
}

/* The atoms of a GPU have no array of positions. */
static sonde_status add_to_gpu(sonde_atoms *atoms, int64_t count, const char *const *labels, int64_t label_count,
			       const int32_t *species)
{
	const sonde_status status = add_first_species(atoms, count, labels, label_count, species);

	if (status != SONDE_OK) {
		atoms->owner->free(atoms->owner);
		atoms->owner = NULL;
	}
	return status;
}

sonde_status sonde_atoms_add_from_cuda_array(sonde_atoms *atoms, int64_t count, const char *const *labels,
					     int64_t label_count, const int32_t *species, int device,
					     uint64_t address, int bits, int64_t row_step, int64_t column_step)
{
	const struct gpu_array array = {device, address, bits, row_step, column_step};

	if (bits != 32 && bits != 64)
		return status_fail(SONDE_INVALID, "positions of %d bits: they are float32 or float64", bits);
	if (count > 0 && (address == 0 || !gpu_array_is_possible(&array, count)))
		return status_fail(
		    SONDE_INVALID,
		    "positions in the memory of a GPU: address %llu with steps of %lld and %lld numbers is "
		    "not a valid array of %lld atoms",
		    (unsigned long long)address, (long long)row_step, (long long)column_step, (long long)count);
	if (have_properties(atoms))
		return status_fail(SONDE_INVALID, "atoms of a GPU cannot be added to atoms with occupancies or "
						  "displacements");
	CHECK(check_many(atoms, count, label_count, species));
	if (keep_on_gpu(atoms, count, &array))
		return add_to_gpu(atoms, count, labels, label_count, species);
	CHECK(atoms_reserve(atoms, atoms->count + count));
	double *const positions = atoms->positions + 3 * atoms->count;
	if (count > 0)
		CHECK(gpu_array_to_host(&array, count, positions));
	CHECK(atoms_check_positions(positions, atoms->count, count));
	return add_species(atoms, count, labels, label_count, species);
}

sonde_status sonde_atoms_add_from_cuda(sonde_atoms *atoms, int64_t count, const char *const *labels,
				       int64_t label_count, const int32_t *species, int device, uint64_t address)
{
	return sonde_atoms_add_from_cuda_array(atoms, count, labels, label_count, species, device, address, 64, 3, 1);
}

sonde_status sonde_atoms_set_source(sonde_atoms *atoms, const char *source)
{
	text_free(&atoms->source);
	atoms->sha256[0] = '\0';
	text_append(&atoms->source, "%s", source);
	return text_status(&atoms->source);
}
