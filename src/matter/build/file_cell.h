/* Unit cells from files of atoms: CIF, POSCAR and others with a cell. */
#ifndef SONDE_MATTER_BUILD_FILE_CELL_H
#define SONDE_MATTER_BUILD_FILE_CELL_H

#include "matter/atoms/atoms.h"
#include "matter/crystal/crystal.h"
#include "matter/crystal/unit_cell.h"

/* Sites of one label, one occupancy, and the same mean square displacements. */
struct cell_kind {
	char label[SONDE_LABEL_SIZE];
	double occupancy;
	bool moves;             /* its displacements are known: */
	double displacement[6]; /* xx, yy, zz, yz, xz, xy, Angstrom^2 */
};

struct file_cell {
	int count; /* of kinds, the species of the crystal */
	struct cell_kind *kinds;
	size_t capacity;
	bool anisotropic; /* some kind has a tensor other than a number */
};

/* Both are to be freed, also after a failure. `context` may be null. */
sonde_status file_cell_read(sonde_context *context, const char *path, struct crystal *crystal,
			    struct file_cell *cell);
void file_cell_free(struct file_cell *cell);

/* The same from the sites of a unit cell. */
sonde_status file_cell_take(const struct unit_cell *unit, struct crystal *crystal, struct file_cell *cell);

/* Turns the displacements with the cell. */
void file_cell_rotate(struct file_cell *cell, const double rotation[3][3]);
/* Adds a species for every kind to empty atoms; species[k] is that of kind k. */
sonde_status file_cell_add_kinds(const struct file_cell *cell, sonde_atoms *atoms, uint16_t *species);
/* Replaces the kinds of the atoms by labels, occupancies, and displacements. */
sonde_status file_cell_finish(const struct file_cell *cell, sonde_atoms *atoms);

#endif
