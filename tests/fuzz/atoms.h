/* A sink for the readers of atoms, which checks what they deliver. */
#ifndef TESTS_FUZZ_ATOMS_H
#define TESTS_FUZZ_ATOMS_H

#include <ctype.h>
#include <math.h>

#include "fuzz/fuzz.h"
#include "io/atoms/atom_sink.h"
#include "matter/atoms/atoms_copies.h"

struct checked_atoms {
	int64_t atoms, charged, frames;
};

static sonde_status check_atom(void *user, const char *label, const double position[3])
{
	struct checked_atoms *checked = user;

	REQUIRE(strlen(label) < 64 && strpbrk(label, " \t\n\r") == NULL);
	for (int k = 0; k < 3; ++k)
		REQUIRE(fabs(position[k]) <= 1e7);
	++checked->atoms;
	return SONDE_OK;
}

static sonde_status check_lattice(void *user, const double lattice[9], const bool periodic[3])
{
	(void)user;
	(void)periodic;
	for (int k = 0; k < 9; ++k)
		REQUIRE(fabs(lattice[k]) <= 1e7);
	return SONDE_OK;
}

static sonde_status check_charges(void *user, const double *charges, int count)
{
	struct checked_atoms *checked = user;

	REQUIRE(count == 1 && isfinite(charges[0]));
	REQUIRE(++checked->charged == checked->atoms);
	return SONDE_OK;
}

static sonde_status check_frame(void *user)
{
	struct checked_atoms *checked = user;

	++checked->frames;
	checked->charged = checked->atoms; /* a frame with charges may follow one without */
	return SONDE_OK;
}

static sonde_status check_copies(void *user, const char *text, size_t length)
{
	struct copy_group groups[ATOMS_MOST_STRUCTURES];
	int count = 0;
	(void)user;

	if (atoms_copies_parse(text, length, groups, &count))
		REQUIRE(count > 0 && count <= ATOMS_MOST_STRUCTURES && groups[0].copies > 0);
	return SONDE_OK;
}

static const char *check_element(void *user, const char *name, double mass)
{
	(void)user;
	REQUIRE(mass >= 0.0);
	return isalpha((unsigned char)name[0]) ? name : mass > 1.0 && mass < 250.0 ? "X" : NULL;
}

/* The first byte chooses the frame. */
static inline int try_atoms(sonde_status (*read)(const char *path, int64_t frame, const struct atom_sink *sink),
			    const uint8_t *data, size_t size)
{
	struct checked_atoms checked = {0};
	const struct atom_sink sink = {.user = &checked,
				       .atom = check_atom,
				       .lattice = check_lattice,
				       .charges = check_charges,
				       .frame = check_frame,
				       .element = check_element,
				       .copies = check_copies,
				       .unlabeled = size > 0 && data[0] % 8 > 4};

	if (size == 0 || size > 1 << 19)
		return 0;
	sonde_status status = read(memory_file(data + 1, size - 1), (int64_t)(data[0] % 4) - 1, &sink);
	if (status != SONDE_OK) {
		REQUIRE(status == SONDE_INVALID);
		REQUIRE_MESSAGE();
	}
	return 0;
}

#endif
