#include "matter/atoms/atoms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LARGEST_COORDINATE 1e7
#define LARGEST_CHARGE 1e6
#define LARGEST_RADIUS 100.0
#define MOST_SPECIES 1000

sonde_status sonde_atoms_create(sonde_atoms **atoms)
{
	return memory_allocate(atoms, 1, sizeof **atoms, "atoms");
}

void sonde_atoms_free(sonde_atoms **atoms)
{
	if (atoms == NULL || *atoms == NULL)
		return;
	if ((*atoms)->owner != NULL)
		(*atoms)->owner->free((*atoms)->owner);
	else
		free((*atoms)->positions);
	free((*atoms)->species_of);
	free((*atoms)->charges);
	free((*atoms)->sites);
	free((*atoms)->occupancies);
	free((*atoms)->locations);
	free((*atoms)->displacements);
	atoms_groups_free(*atoms);
	free((struct placement *)(uintptr_t)(*atoms)->placements);
	free((*atoms)->species);
	text_free(&(*atoms)->source);
	free(*atoms);
	*atoms = NULL;
}

sonde_status atoms_reserve(sonde_atoms *atoms, int64_t count)
{
	if (atoms->owner != NULL)
		CHECK(atoms->owner->give(atoms));
	CHECK(memory_grow(&atoms->positions, &atoms->positions_capacity, 3 * (size_t)count, sizeof *atoms->positions,
			  "the positions of the atoms"));
	return memory_grow(&atoms->species_of, &atoms->species_of_capacity, (size_t)count, sizeof *atoms->species_of,
			   "the species of the atoms");
}

/* Whether a label can be written as a word in a file. */
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

int atoms_find_species(const sonde_atoms *atoms, const char *label)
{
	for (int s = 0; s < atoms->species_count; ++s)
		if (strcmp(atoms->species[s].label, label) == 0)
			return s;
	return -1;
}

sonde_status atoms_species_index(sonde_atoms *atoms, const char *label, uint16_t *index)
{
	const int known = atoms_find_species(atoms, label);

	*index = (uint16_t)known;
	if (known >= 0)
		return SONDE_OK;
	if (!is_label(label))
		return status_fail(SONDE_INVALID,
				   "'%.40s' is not a valid atom label: 1 to %d characters without blanks or quotes",
				   label, SONDE_LABEL_SIZE - 1);
	if (atoms->species_count == MOST_SPECIES)
		return status_fail(SONDE_INVALID, "more than %d different atom labels; '%s' is one too many",
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

void atoms_drop_absent_species(sonde_atoms *atoms)
{
	uint16_t index[MOST_SPECIES];
	int kept = 0;

	for (int s = 0; s < atoms->species_count; ++s) {
		index[s] = (uint16_t)kept;
		if (atoms->species[s].atoms > 0)
			atoms->species[kept++] = atoms->species[s];
	}
	for (int64_t i = 0; i < atoms->count && kept < atoms->species_count; ++i)
		atoms->species_of[i] = index[atoms->species_of[i]];
	atoms->species_count = kept;
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
	bool occupied = atoms->occupancies != NULL && atoms->occupied == atoms->count;
	bool moving = atoms->displacements != NULL && atoms->displaced == atoms->count && !atoms->reading;
	atoms_append(atoms, species, position);
	atoms->group_count = 0;
	if (moving)
		CHECK(atoms_displacement_last(atoms, NULL, 0));
	return occupied && !atoms->reading ? atoms_occupancy_last(atoms, 1.0) : SONDE_OK;
}

bool atoms_are_periodic(const sonde_atoms *atoms)
{
	return atoms->periodic[0] || atoms->periodic[1] || atoms->periodic[2];
}

sonde_status sonde_atoms_set_cell(sonde_atoms *atoms, const double edges[9], const int periodic[3])
{
	for (int k = 0; k < 9; ++k)
		if (!(fabs(edges[k]) <= LARGEST_COORDINATE))
			return status_fail(SONDE_INVALID, "cell: %g is not within +-%g Angstrom", edges[k],
					   LARGEST_COORDINATE);
	atoms->has_lattice = true;
	atoms->maybe_periodic = false;
	memcpy(atoms->lattice, edges, sizeof atoms->lattice);
	for (int k = 0; k < 3; ++k)
		atoms->periodic[k] = periodic[k] != 0;
	return SONDE_OK;
}

sonde_status atoms_set_lattice(sonde_atoms *atoms, const double lattice[9], const bool periodic[3])
{
	atoms->has_lattice = lattice != NULL;
	if (lattice != NULL)
		memcpy(atoms->lattice, lattice, sizeof atoms->lattice);
	atoms->maybe_periodic = periodic == NULL;
	for (int k = 0; k < 3; ++k)
		atoms->periodic[k] = periodic != NULL && periodic[k];
	return SONDE_OK;
}

const double *sonde_atoms_cell(const sonde_atoms *atoms)
{
	return atoms->has_lattice ? atoms->lattice : NULL;
}

int sonde_atoms_periodic(const sonde_atoms *atoms, int edge)
{
	if (edge < 0 || edge > 2)
		return 0;
	return atoms->maybe_periodic ? -1 : atoms->periodic[edge];
}

static sonde_status check_charge(int64_t atom, double charge)
{
	if (!isfinite(charge) || fabs(charge) > LARGEST_CHARGE)
		return status_fail(SONDE_INVALID, "atom %lld: a charge of %g e is out of range: at most %g",
				   (long long)atom + 1, charge, LARGEST_CHARGE);
	return SONDE_OK;
}

static sonde_status grow_charges(sonde_atoms *atoms, size_t more)
{
	return memory_grow(&atoms->charges, &atoms->charges_capacity, (size_t)atoms->charged + more,
			   sizeof *atoms->charges, "the charges of the atoms");
}

sonde_status atoms_charge(sonde_atoms *atoms, int64_t atom, const double *charges, int count)
{
	if (atoms->charged != atoms->charge_sets * atoms->count + atom * count)
		return status_fail(SONDE_INVALID, "atom %lld has a charge, but earlier atoms have none",
				   (long long)atom + 1);
	CHECK(grow_charges(atoms, (size_t)count));
	for (int s = 0; s < count; ++s) {
		CHECK(check_charge(atom, charges[s]));
		atoms->charges[atoms->charged++] = charges[s];
	}
	return SONDE_OK;
}

sonde_status atoms_charges_done(sonde_atoms *atoms, int count)
{
	size_t n = (size_t)atoms->count, first = (size_t)atoms->charge_sets * n;
	double *by_set;

	if ((size_t)atoms->charged != first + (size_t)count * n || count == 0)
		return SONDE_OK; /* some have none: all are dropped */
	atoms->charge_sets += count;
	if (count == 1)
		return SONDE_OK;
	CHECK(memory_allocate(&by_set, (size_t)count * n + 1, sizeof *by_set, "the charges of the atoms"));
	for (size_t i = 0; i < n; ++i)
		for (size_t s = 0; s < (size_t)count; ++s)
			by_set[s * n + i] = atoms->charges[first + i * (size_t)count + s];
	memcpy(atoms->charges + first, by_set, (size_t)count * n * sizeof *by_set);
	free(by_set);
	return SONDE_OK;
}

sonde_status atoms_site_last(sonde_atoms *atoms, const char *residue, const char *name, double radius)
{
	if (atoms->sited != atoms->count - 1)
		return status_fail(SONDE_INVALID, "atom %lld has a name, but earlier atoms have none",
				   (long long)atoms->count);
	if (!(radius >= 0.0 && radius <= LARGEST_RADIUS))
		return status_fail(SONDE_INVALID, "a radius of %g Angstrom is out of range: 0 to %g", radius,
				   LARGEST_RADIUS);
	CHECK(memory_grow(&atoms->sites, &atoms->sites_capacity, (size_t)atoms->count, sizeof *atoms->sites,
			  "the names of the atoms"));
	struct site *site = &atoms->sites[atoms->sited++];
	*site = (struct site){.radius = (float)radius};
	strncpy(site->residue, residue, sizeof site->residue - 1);
	strncpy(site->name, name, sizeof site->name - 1);
	return SONDE_OK;
}

static void forget_occupancies(sonde_atoms *atoms)
{
	free(atoms->occupancies);
	atoms->occupancies = NULL;
	atoms->occupancies_capacity = 0;
	atoms->occupied = 0;
}

static sonde_status check_occupancy(int64_t atom, double occupancy)
{
	if (!(occupancy >= 0.0 && occupancy <= 1.0))
		return status_fail(SONDE_INVALID, "atom %lld: an occupancy of %g is not from 0 to 1",
				   (long long)atom + 1, occupancy);
	return SONDE_OK;
}

sonde_status atoms_occupancy_last(sonde_atoms *atoms, double occupancy)
{
	if (isnan(occupancy)) {
		forget_occupancies(atoms);
		return SONDE_OK;
	}
	CHECK(check_occupancy(atoms->count - 1, occupancy));
	if (atoms->occupied != atoms->count - 1)
		return status_fail(SONDE_INVALID, "atom %lld has an occupancy, but earlier atoms have none",
				   (long long)atoms->count);
	CHECK(memory_grow(&atoms->occupancies, &atoms->occupancies_capacity, (size_t)atoms->count,
			  sizeof *atoms->occupancies, "the occupancies of the atoms"));
	atoms->occupancies[atoms->occupied++] = occupancy;
	return SONDE_OK;
}

void atoms_occupancies_done(sonde_atoms *atoms)
{
	bool whole = true;

	for (int64_t i = 0; i < atoms->occupied && whole; ++i)
		whole = atoms->occupancies[i] == 1.0;
	if (whole || atoms->occupied != atoms->count)
		forget_occupancies(atoms);
}

sonde_status sonde_atoms_set_occupancies(sonde_atoms *atoms, const double *occupancies)
{
	for (int64_t i = 0; i < atoms->count; ++i)
		CHECK(check_occupancy(i, occupancies[i]));
	CHECK(memory_grow(&atoms->occupancies, &atoms->occupancies_capacity, (size_t)atoms->count,
			  sizeof *atoms->occupancies, "the occupancies of the atoms"));
	for (int64_t i = 0; i < atoms->count; ++i)
		atoms->occupancies[i] = occupancies[i];
	atoms->occupied = atoms->count;
	atoms_occupancies_done(atoms);
	return SONDE_OK;
}

const double *sonde_atoms_occupancies(const sonde_atoms *atoms)
{
	return atoms->occupied == atoms->count ? atoms->occupancies : NULL;
}

sonde_status atoms_location_last(sonde_atoms *atoms, uint32_t group, char letter)
{
	if (group >= UINT32_MAX / LOCATION_LETTERS)
		return status_fail(SONDE_INVALID, "atom %lld: too many residues have alternative locations",
				   (long long)atoms->count);
	CHECK(memory_grow(&atoms->locations, &atoms->locations_capacity, (size_t)atoms->count,
			  sizeof *atoms->locations, "the locations of the atoms"));
	for (; atoms->located < atoms->count; ++atoms->located)
		atoms->locations[atoms->located] = 0;
	atoms->locations[atoms->count - 1] = group * LOCATION_LETTERS + (unsigned char)letter;
	return SONDE_OK;
}

uint32_t atoms_location(const sonde_atoms *atoms, int64_t atom)
{
	return atom < atoms->located ? atoms->locations[atom] : 0;
}

const struct site *atoms_sites(const sonde_atoms *atoms)
{
	return atoms->sited == atoms->count && atoms->count > 0 ? atoms->sites : NULL;
}

sonde_status sonde_atoms_set_charges(sonde_atoms *atoms, const double *charges)
{
	atoms->charged = 0;
	atoms->charge_sets = 0;
	return sonde_atoms_add_charges(atoms, charges);
}

sonde_status sonde_atoms_add_charges(sonde_atoms *atoms, const double *charges)
{
	if (atoms->charged != atoms->charge_sets * atoms->count)
		return status_fail(SONDE_INVALID, "atoms were added after their charges were set");
	for (int64_t i = 0; i < atoms->count; ++i)
		CHECK(check_charge(i, charges[i]));
	CHECK(grow_charges(atoms, (size_t)atoms->count));
	memcpy(atoms->charges + atoms->charged, charges, (size_t)atoms->count * sizeof *charges);
	atoms->charged += atoms->count;
	++atoms->charge_sets;
	return SONDE_OK;
}

const double *sonde_atoms_charges(const sonde_atoms *atoms)
{
	return sonde_atoms_charge_sets(atoms) > 0 ? atoms->charges : NULL;
}

int sonde_atoms_charge_sets(const sonde_atoms *atoms)
{
	return atoms->count > 0 && atoms->charged == atoms->charge_sets * atoms->count ? atoms->charge_sets : 0;
}

int64_t sonde_atoms_count(const sonde_atoms *atoms)
{
	return atoms->count;
}

sonde_status atoms_need_positions(const sonde_atoms *atoms)
{
	return atoms->owner != NULL ? atoms->owner->bring(atoms) : SONDE_OK;
}

int sonde_atoms_on_gpu(const sonde_atoms *atoms)
{
	return atoms->owner != NULL && atoms->owner->is_alone(atoms->owner);
}

const double *sonde_atoms_positions(const sonde_atoms *atoms)
{
	return atoms_need_positions(atoms) == SONDE_OK ? atoms->positions : NULL;
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
