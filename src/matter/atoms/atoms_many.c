/* Atoms of arrays of a program. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matter/atoms/atoms.h"

static sonde_status check_atoms(const sonde_atoms *atoms, int64_t count, int64_t label_count, const int32_t *species,
				const double *positions)
{
	for (int64_t i = 0; i < count; ++i)
		if (species[i] < 0 || species[i] >= label_count)
			return status_fail(SONDE_INVALID, "atom %lld: there is no label %d, of %lld",
					   (long long)(atoms->count + i + 1), species[i], (long long)label_count);
	for (int64_t k = 0; k < 3 * count; ++k)
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

sonde_status sonde_atoms_add_many(sonde_atoms *atoms, int64_t count, const char *const *labels, int64_t label_count,
				  const int32_t *species, const double *positions)
{
	uint16_t *index = NULL;
	bool *known = NULL;
	sonde_status status;

	if (count < 0 || label_count < 0)
		return status_fail(SONDE_INVALID, "%lld atoms of %lld labels: neither can be negative",
				   (long long)count, (long long)label_count);
	CHECK(check_atoms(atoms, count, label_count, species, positions));
	CHECK(atoms_reserve(atoms, atoms->count + count));
	if (atoms->occupancies != NULL || atoms->displacements != NULL)
		return add_each(atoms, count, labels, species, positions);
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
	for (int64_t i = 0; i < count; ++i)
		atoms_append(atoms, index[species[i]], positions + 3 * i);
	if (count > 0)
		atoms->group_count = 0;
done:
	if (status != SONDE_OK)
		atoms_drop_absent_species(atoms);
	free(index);
	free(known);
	return status;
}

sonde_status sonde_atoms_set_source(sonde_atoms *atoms, const char *source)
{
	text_free(&atoms->source);
	atoms->sha256[0] = '\0';
	text_append(&atoms->source, "%s", source);
	return text_status(&atoms->source);
}
