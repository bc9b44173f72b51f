/* Substitutions and vacancies: exact numbers of atoms at random. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/elements/assignments.h"
#include "matter/generate/defects.h"
#include "matter/generate/keyed_random.h"

/* Marks `wanted` atoms of a species, each set of so many with the same probability (D. E. Knuth, The Art of Computer Programming 2,
 * 3.4.2, algorithm S). */
static void choose(const sonde_atoms *atoms, int species, int64_t wanted, struct random_key key,
		   unsigned char *chosen)
{
	int64_t left = atoms->species[species].atoms;

	for (int64_t i = 0; i < atoms->count && wanted > 0; ++i) {
		double uniform[2];
		if (atoms->species_of[i] != species)
			continue;
		keyed_uniforms(key, i, 0, uniform);
		if ((double)left * uniform[0] < (double)wanted) {
			chosen[i] = 1;
			--wanted;
		}
		--left;
	}
}

static void replace(const unsigned char *chosen, uint16_t from, uint16_t to, sonde_atoms *atoms)
{
	for (int64_t i = 0; i < atoms->count; ++i) {
		if (chosen[i] && atoms->species_of[i] == from) {
			atoms->species_of[i] = to;
			--atoms->species[from].atoms;
			++atoms->species[to].atoms;
		}
	}
}

/* `before` is the number of atoms of each species before the first replacement. */
static sonde_status substitute_one(const struct assignment *item, int number, int64_t seed, const int64_t *before,
				   int species_before, unsigned char *chosen, sonde_atoms *atoms)
{
	const int from = atoms_find_species(atoms, item->first);
	const struct random_key key = {seed, RANDOM_SUBSTITUTION + (uint32_t)number};
	uint16_t to;

	if (item->first[0] == '\0' || item->second[0] == '\0')
		return status_fail_option(SONDE_INVALID, "substitute",
					  "each item is FROM:TO=FRACTION, as Co:Fe=0.1; one has no two labels");
	if (from < 0 || from >= species_before || before[from] == 0)
		return status_fail_option(SONDE_INVALID, "substitute", "the sample has no atoms '%s'", item->first);
	const int64_t wanted = llround(item->value * (double)before[from]);
	if (wanted > atoms->species[from].atoms)
		return status_fail_option(SONDE_INVALID, "substitute", "the fractions of %s exceed 1", item->first);
	CHECK(atoms_species_index(atoms, item->second, &to));
	memset(chosen, 0, (size_t)atoms->count);
	choose(atoms, from, wanted, key, chosen);
	replace(chosen, (uint16_t)from, to, atoms);
	return SONDE_OK;
}

static sonde_status count_species(const sonde_atoms *atoms, int64_t **counts)
{
	CHECK(memory_allocate(counts, (size_t)atoms->species_count, sizeof **counts, "the numbers of atoms"));
	for (int s = 0; s < atoms->species_count; ++s)
		(*counts)[s] = atoms->species[s].atoms;
	return SONDE_OK;
}

sonde_status defects_substitute(const char *text, int64_t seed, sonde_atoms *atoms)
{
	const int species_before = atoms->species_count;
	unsigned char *chosen = NULL;
	int64_t *before = NULL;
	sonde_status status = count_species(atoms, &before);

	if (status == SONDE_OK)
		status = memory_allocate(&chosen, (size_t)atoms->count, 1, "the atoms to replace");
	for (int number = 0; status == SONDE_OK && *text != '\0'; ++number) {
		struct assignment item;
		status = assignment_take("substitute", &text, 0.0, 1.0, &item);
		if (status == SONDE_OK)
			status = substitute_one(&item, number, seed, before, species_before, chosen, atoms);
	}
	free(chosen);
	free(before);
	if (status == SONDE_OK)
		atoms_drop_absent_species(atoms);
	return status;
}

static void remove_chosen(const unsigned char *chosen, sonde_atoms *atoms)
{
	int64_t kept = 0;

	for (int64_t i = 0; i < atoms->count; ++i) {
		if (chosen[i]) {
			--atoms->species[atoms->species_of[i]].atoms;
			continue;
		}
		memmove(atoms->positions + 3 * kept, atoms->positions + 3 * i, 3 * sizeof *atoms->positions);
		atoms_displacements_move(atoms, i, kept);
		atoms->species_of[kept++] = atoms->species_of[i];
	}
	atoms->count = kept;
	atoms->displaced = atoms->displaced < kept ? atoms->displaced : kept;
	atoms_drop_absent_species(atoms);
}

static sonde_status choose_vacancies(const char *text, int64_t seed, const sonde_atoms *atoms, unsigned char *chosen)
{
	for (uint32_t number = 0; *text != '\0'; ++number) {
		const struct random_key key = {seed, RANDOM_VACANCY + number};
		struct assignment item;
		CHECK(assignment_take("vacancies", &text, 0.0, 1.0, &item));
		const int only = item.first[0] != '\0' ? atoms_find_species(atoms, item.first) : -1;
		if (item.second[0] != '\0' || (item.first[0] != '\0' && only < 0))
			return status_fail_option(SONDE_INVALID, "vacancies", "the sample has no atoms '%s%s%s'",
						  item.first, item.second[0] != '\0' ? ":" : "", item.second);
		if (item.first[0] == '\0' ? text[0] != '\0' || number > 0 : false)
			return status_fail_option(
			    SONDE_INVALID, "vacancies",
			    "a fraction without a label is that of all species, and stands alone");
		for (int s = 0; s < atoms->species_count; ++s)
			if (only < 0 || s == only)
				choose(atoms, s, llround(item.value * (double)atoms->species[s].atoms), key, chosen);
	}
	return SONDE_OK;
}

sonde_status defects_remove(const char *text, int64_t seed, sonde_atoms *atoms)
{
	unsigned char *chosen;

	CHECK(memory_allocate(&chosen, (size_t)atoms->count, 1, "the atoms to remove"));
	const sonde_status status = choose_vacancies(text, seed, atoms, chosen);
	if (status == SONDE_OK)
		remove_chosen(chosen, atoms);
	free(chosen);
	CHECK(status);
	return atoms->count > 0
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "vacancies", "no atom is left; give a smaller fraction");
}
