/* Atoms with charges from PQR files. The first byte chooses the model. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "io/atoms/pqr.h"
#include "matter/atoms/atoms.h"

static sonde_status add_atom(void *user, const char *label, const double position[3])
{
	for (int k = 0; k < 3; ++k)
		REQUIRE(fabs(position[k]) <= 1e7);
	REQUIRE(strlen(label) < 64 && strpbrk(label, "\"' \t") == NULL);
	return sonde_atoms_add(user, label, position);
}

static sonde_status add_charges(void *user, const double *charges, int count)
{
	REQUIRE(count == 1 && isfinite(charges[0]));
	return atoms_charge(user, sonde_atoms_count(user) - 1, charges, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sonde_atoms *atoms = NULL;

	if (size == 0 || size > 1 << 19)
		return 0;
	REQUIRE(sonde_atoms_create(&atoms) == SONDE_OK);
	const struct atom_sink sink = {.user = atoms, .atom = add_atom, .charges = add_charges};
	sonde_status status = pqr_read(memory_file(data + 1, size - 1), data[0] % 4, &sink);
	if (status == SONDE_OK)
		status = atoms_charges_done(atoms, 1);
	if (status == SONDE_OK)
		REQUIRE(sonde_atoms_count(atoms) > 0 && sonde_atoms_charges(atoms) != NULL);
	else
		REQUIRE_MESSAGE();
	sonde_atoms_free(&atoms);
	return 0;
}
