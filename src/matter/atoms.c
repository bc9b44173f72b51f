#include "matter/atoms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LARGEST_COORDINATE 1e7
#define MOST_SPECIES 1000

sonde_status sonde_atoms_create(sonde_atoms **atoms)
{
	return memory_allocate(atoms, 1, sizeof **atoms, "atoms");
}

void sonde_atoms_free(sonde_atoms **atoms)
{
	if (atoms == NULL || *atoms == NULL)
		return;
	free((*atoms)->positions);
	free((*atoms)->species_of);
	free((*atoms)->species);
	text_free(&(*atoms)->source);
	free(*atoms);
	*atoms = NULL;
}

sonde_status atoms_reserve(sonde_atoms *atoms, int64_t count)
{
	CHECK(memory_grow(&atoms->positions, &atoms->positions_capacity, 3 * (size_t)count, sizeof *atoms->positions,
			  "the positions of the atoms"));
	return memory_grow(&atoms->species_of, &atoms->species_of_capacity, (size_t)count, sizeof *atoms->species_of,
			   "the species of the atoms");
}

/* Whether a label can be a word in a file. */
static bool is_label(const char *label)
{
	size_t length = strlen(label);

	if (length == 0 || length >= SONDE_LABEL_SIZE)
		return false;
	for (size_t k = 0; k < length; ++k)
		if ((unsigned char)label[k] <= ' ' || label[k] == 0x7f || label[k] == '"' || label[k] == '\'')
			return false;
	return true;
}

sonde_status atoms_species_index(sonde_atoms *atoms, const char *label, uint16_t *index)
{
	for (int s = 0; s < atoms->species_count; ++s) {
		if (strcmp(atoms->species[s].label, label) == 0) {
			*index = (uint16_t)s;
			return SONDE_OK;
		}
	}
	if (!is_label(label))
		return status_fail(SONDE_INVALID,
				   "'%.40s' is no label of an atom: 1 to %d characters without blanks or quotes",
				   label, SONDE_LABEL_SIZE - 1);
	if (atoms->species_count == MOST_SPECIES)
		return status_fail(SONDE_INVALID, "more than %d different labels of atoms; '%s' is one too many",
				   MOST_SPECIES, label);
	CHECK(memory_grow(&atoms->species, &atoms->species_capacity, (size_t)atoms->species_count + 1,
			  sizeof *atoms->species, "the species"));
	atoms->species[atoms->species_count] = (struct species){0};
	strcpy(atoms->species[atoms->species_count].label, label);
	*index = (uint16_t)atoms->species_count++;
	return SONDE_OK;
}

void atoms_append(sonde_atoms *atoms, uint16_t species, const double position[3])
{
	memcpy(atoms->positions + 3 * atoms->count, position, 3 * sizeof *position);
	atoms->species_of[atoms->count++] = species;
	++atoms->species[species].atoms;
}

sonde_status sonde_atoms_add(sonde_atoms *atoms, const char *label, const double position[3])
{
	uint16_t species = 0;

	for (int k = 0; k < 3; ++k)
		if (!(fabs(position[k]) <= LARGEST_COORDINATE))
			return status_fail(SONDE_INVALID, "atom %lld: coordinate %g is not within +-%g Angstrom",
					   (long long)atoms->count + 1, position[k], LARGEST_COORDINATE);
	CHECK(atoms_reserve(atoms, atoms->count + 1));
	CHECK(atoms_species_index(atoms, label, &species));
	atoms_append(atoms, species, position);
	return SONDE_OK;
}

int64_t sonde_atoms_count(const sonde_atoms *atoms)
{
	return atoms->count;
}

const double *sonde_atoms_positions(const sonde_atoms *atoms)
{
	return atoms->positions;
}

int sonde_atoms_species_count(const sonde_atoms *atoms)
{
	return atoms->species_count;
}

const char *sonde_atoms_species_label(const sonde_atoms *atoms, int species)
{
	return species >= 0 && species < atoms->species_count ? atoms->species[species].label : "";
}

int64_t sonde_atoms_species_atoms(const sonde_atoms *atoms, int species)
{
	return species >= 0 && species < atoms->species_count ? atoms->species[species].atoms : 0;
}

const uint16_t *sonde_atoms_species(const sonde_atoms *atoms)
{
	return atoms->species_of;
}
