/* Mean square displacements of atoms: data of a sample, as a unit cell's file or a refined structure has them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms.h"

#define LARGEST 10.0 /* Angstrom^2 */
#define TENSOR 6

void atoms_displacements_forget(sonde_atoms *atoms)
{
	free(atoms->displacements);
	atoms->displacements = NULL;
	atoms->displacements_capacity = 0;
	atoms->displaced = 0;
	atoms->displacement_size = 0;
}

static sonde_status check_values(int64_t atom, const double *u, int size)
{
	for (int k = 0; k < size; ++k)
		if (!(u[k] >= (size == 1 ? 0.0 : -LARGEST) && u[k] <= LARGEST))
			return status_fail(SONDE_INVALID,
					   "atom %lld: a mean square displacement of %g is not within %g and %g "
					   "Angstrom^2",
					   (long long)atom + 1, u[k], size == 1 ? 0.0 : -LARGEST, LARGEST);
	return SONDE_OK;
}

/* Room for `count` atoms with `size` numbers each; numbers that are there become tensors if need be. */
static sonde_status reserve(sonde_atoms *atoms, int64_t count, int size)
{
	const int old = atoms->displacement_size;

	CHECK(memory_grow(&atoms->displacements, &atoms->displacements_capacity, (size_t)count * (size_t)size,
			  sizeof *atoms->displacements, "the displacements of the atoms"));
	atoms->displacement_size = size;
	if (old != 1 || size == 1)
		return SONDE_OK;
	for (int64_t i = atoms->displaced; i-- > 0;) {
		const double u = atoms->displacements[i];
		const double tensor[TENSOR] = {u, u, u, 0.0, 0.0, 0.0};
		memcpy(atoms->displacements + TENSOR * i, tensor, sizeof tensor);
	}
	return SONDE_OK;
}

/* Numbers of atom `atom`, within the reserved memory; `size` 0: unknown. */
static void put(sonde_atoms *atoms, int64_t atom, const double *u, int size)
{
	double *to = atoms->displacements + (int64_t)atoms->displacement_size * atom;

	for (int k = 0; k < atoms->displacement_size; ++k)
		to[k] = size == 0 ? NAN : size == atoms->displacement_size ? u[k] : k < 3 ? u[0] : 0.0;
}

/* Atoms from the last with displacements to `end` have none. */
static void fill_unknown(sonde_atoms *atoms, int64_t end)
{
	for (; atoms->displaced < end; ++atoms->displaced)
		put(atoms, atoms->displaced, NULL, 0);
}

sonde_status atoms_displacement_last(sonde_atoms *atoms, const double *u, int size)
{
	const int64_t last = atoms->count - 1;

	if (size == 0 && atoms->displacements == NULL)
		return SONDE_OK;
	CHECK(check_values(last, u, size));
	CHECK(reserve(atoms, atoms->count, size > atoms->displacement_size ? size : atoms->displacement_size));
	fill_unknown(atoms, last);
	put(atoms, last, u, size);
	atoms->displaced = atoms->count;
	return SONDE_OK;
}

sonde_status atoms_displacements_done(sonde_atoms *atoms)
{
	if (atoms->displacements == NULL || atoms->displaced == atoms->count)
		return SONDE_OK;
	CHECK(reserve(atoms, atoms->count, atoms->displacement_size));
	fill_unknown(atoms, atoms->count);
	return SONDE_OK;
}

bool atoms_displacement(const sonde_atoms *atoms, int64_t atom, double u[6])
{
	const int size = atoms->displacement_size;

	if (atom >= atoms->displaced)
		return false;
	const double *from = atoms->displacements + (int64_t)size * atom;
	if (isnan(from[0]))
		return false;
	for (int k = 0; k < TENSOR; ++k)
		u[k] = size == TENSOR ? from[k] : k < 3 ? from[0] : 0.0;
	return true;
}

void atoms_displacements_move(sonde_atoms *atoms, int64_t from, int64_t to)
{
	const int64_t size = atoms->displacement_size;

	if (atoms->displacements != NULL)
		memmove(atoms->displacements + size * to, atoms->displacements + size * from,
			(size_t)size * sizeof *atoms->displacements);
}

void displacement_rotate(const double rotation[3][3], const double u[6], double rotated[6])
{
	static const int rows[TENSOR] = {0, 1, 2, 1, 0, 0}, columns[TENSOR] = {0, 1, 2, 2, 2, 1};
	const double tensor[3][3] = {{u[0], u[5], u[4]}, {u[5], u[1], u[3]}, {u[4], u[3], u[2]}};

	for (int n = 0; n < TENSOR; ++n) {
		rotated[n] = 0.0;
		for (int k = 0; k < 3; ++k)
			for (int l = 0; l < 3; ++l)
				rotated[n] += rotation[rows[n]][k] * tensor[k][l] * rotation[columns[n]][l];
	}
}

sonde_status sonde_atoms_set_displacements(sonde_atoms *atoms, const double *displacements, int each)
{
	if (each != 1 && each != TENSOR)
		return status_fail(SONDE_INVALID, "an atom has 1 or 6 numbers of displacement, not %d", each);
	for (int64_t i = 0; i < atoms->count; ++i)
		if (!isnan(displacements[i * each]))
			CHECK(check_values(i, displacements + i * each, each));
	atoms_displacements_forget(atoms);
	CHECK(reserve(atoms, atoms->count, each));
	for (int64_t i = 0; i < atoms->count; ++i)
		put(atoms, i, displacements + i * each, isnan(displacements[i * each]) ? 0 : each);
	atoms->displaced = atoms->count;
	return SONDE_OK;
}

const double *sonde_atoms_displacements(const sonde_atoms *atoms, int *each)
{
	const bool all = atoms->displacements != NULL && atoms->displaced == atoms->count;

	*each = all ? atoms->displacement_size : 0;
	return all ? atoms->displacements : NULL;
}

/* Checks ------------------------------------------------------------------------------------------------- */

#define NEARLY_ISOTROPIC 1e-9 /* Angstrom^2 */

bool displacement_is_isotropic(const double u[6], double *mean)
{
	const double trace = u[0] + u[1] + u[2];

	*mean = u[0];
	if (u[0] == u[1] && u[0] == u[2] && u[3] == 0.0 && u[4] == 0.0 && u[5] == 0.0)
		return true;
	*mean = nearbyint(trace / 3.0 * DISPLACEMENT_UNITS) / DISPLACEMENT_UNITS;
	for (int k = 0; k < 6; ++k)
		if (fabs(u[k] - (k < 3 ? *mean : 0.0)) > NEARLY_ISOTROPIC)
			return false;
	return true;
}

/* All mean squares are positive or 0: the principal minors, with a tolerance for rounding and few digits. */
static bool is_possible(const double u[6])
{
	const double trace = u[0] + u[1] + u[2], small = 1e-6 * trace;
	const double minors[3] = {u[1] * u[2] - u[3] * u[3], u[0] * u[2] - u[4] * u[4], u[0] * u[1] - u[5] * u[5]};
	const double determinant =
	    u[0] * minors[0] - u[5] * (u[5] * u[2] - u[3] * u[4]) + u[4] * (u[5] * u[3] - u[1] * u[4]);

	for (int k = 0; k < 3; ++k)
		if (u[k] < -small || minors[k] < -small * trace)
			return false;
	return determinant >= -small * trace * trace;
}

static sonde_status fail_displacement(const sonde_atoms *atoms, int64_t i, const char *what)
{
	return status_fail_option(SONDE_INVALID, "displacement", "%s: atom %lld (%s) %s",
				  atoms->source.bytes != NULL ? atoms->source.bytes : "sample", (long long)i + 1,
				  atoms->species[atoms->species_of[i]].label, what);
}

sonde_status atoms_displacements_check(const sonde_atoms *atoms, bool *anisotropic)
{
	bool moving = false;

	*anisotropic = false;
	if (atoms->displacements == NULL)
		return status_fail_option(
		    SONDE_INVALID, "displacement",
		    "%s has no mean square displacements: they come from CIF, PDB (B factors, "
		    "ANISOU), HDF5 files, and "
		    "columns U_iso, B_iso, U_aniso of extended XYZ; a trajectory has those of its "
		    "`topology`, or of its first frame",
		    atoms->source.bytes != NULL ? atoms->source.bytes : "the sample");
	for (int64_t i = 0; i < atoms->count; ++i) {
		double u[6], mean;
		if (!atoms_displacement(atoms, i, u))
			return fail_displacement(atoms, i, "has no mean square displacement");
		if (!is_possible(u))
			return fail_displacement(atoms, i,
						 "has a tensor of mean square displacements that are negative along "
						 "some direction (not positive definite)");
		*anisotropic = !displacement_is_isotropic(u, &mean) || *anisotropic;
		moving = moving || mean > 0.0 || *anisotropic;
	}
	return moving ? SONDE_OK
		      : status_fail_option(SONDE_INVALID, "displacement", "all mean square displacements of %s are 0",
					   atoms->source.bytes != NULL ? atoms->source.bytes : "the sample");
}
