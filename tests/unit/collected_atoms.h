/* A sink for io/atoms/xyz.h that keeps its input. */
#ifndef TESTS_UNIT_COLLECTED_ATOMS_H
#define TESTS_UNIT_COLLECTED_ATOMS_H

#include <stdbool.h>
#include <stdio.h>

#include "io/atoms/xyz.h"

struct collected {
	int count, lattices;
	char label[8][64]; /* of the first eight atoms */
	double position[8][3];
	double lattice[9];
	char periodic[4]; /* as "TTF"; "???" where the file does not say */
	bool cancelled;
};

static sonde_status collect_atom(void *user, const char *label, const double position[3])
{
	struct collected *atoms = user;

	if (atoms->count < 8) {
		snprintf(atoms->label[atoms->count], sizeof atoms->label[0], "%s", label);
		memcpy(atoms->position[atoms->count], position, sizeof atoms->position[0]);
	}
	++atoms->count;
	return SONDE_OK;
}

static sonde_status collect_lattice(void *user, const double lattice[9], const bool periodic[3])
{
	struct collected *atoms = user;

	if (lattice != NULL)
		memcpy(atoms->lattice, lattice, sizeof atoms->lattice);
	for (int k = 0; k < 3; ++k)
		atoms->periodic[k] = periodic == NULL ? '?' : periodic[k] ? 'T' : 'F';
	++atoms->lattices;
	return SONDE_OK;
}

static bool is_cancelled(void *user)
{
	return ((struct collected *)user)->cancelled;
}

static sonde_status collect(const char *path, int64_t frame, struct collected *atoms)
{
	const struct atom_sink sink = {
	    .user = atoms, .atom = collect_atom, .lattice = collect_lattice, .cancelled = is_cancelled, .threads = 2};
	bool cancelled = atoms->cancelled;

	*atoms = (struct collected){.cancelled = cancelled};
	return xyz_read(path, frame, &sink);
}

#endif
