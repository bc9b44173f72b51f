/* Atoms from texts, for tests of readers. */
#ifndef TESTS_UNIT_READ_ATOMS_H
#define TESTS_UNIT_READ_ATOMS_H

#include <math.h>
#include <stdio.h>

#include "sonde/atoms.h"
#include "unit/support.h"

/* Atoms from a file of this name, to be freed. */
static inline sonde_atoms *read_text(const char *name, const char *text, int64_t frame)
{
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_write_text(name, text), frame, &atoms));
	return atoms;
}

/* A file that is refused, with these words. */
static inline void assert_refused(const char *name, const char *text, const char *words)
{
	sonde_atoms *atoms;

	assert_invalid(words, sonde_atoms_read(NULL, test_write_text(name, text), 0, &atoms));
	assert_null(atoms);
	assert_message(name);
}

static inline void assert_atom(const sonde_atoms *atoms, int64_t atom, const char *label, double x, double y,
			       double z)
{
	const double *position = sonde_atoms_positions(atoms) + 3 * atom;

	assert_string_equal(sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[atom]), label);
	assert_within(position[0], x, 1e-12, "x");
	assert_within(position[1], y, 1e-12, "y");
	assert_within(position[2], z, 1e-12, "z");
}

static inline void assert_cell(const sonde_atoms *atoms, const double cell[9], int periodic)
{
	assert_non_null(sonde_atoms_cell(atoms));
	for (int k = 0; k < 9; ++k)
		assert_within(sonde_atoms_cell(atoms)[k], cell[k], 1e-12, "cell");
	for (int k = 0; k < 3; ++k)
		assert_int_equal(sonde_atoms_periodic(atoms, k), periodic);
}

#endif
