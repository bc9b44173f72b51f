/* The cell of atoms in the orientation of crystallographic files and of LAMMPS: a along x, b in the xy plane, right-handed. */
#ifndef SONDE_MATTER_ATOMS_BOX_H
#define SONDE_MATTER_ATOMS_BOX_H

#include "matter/atoms/atoms.h"

#define ATOMS_BOX_MARGIN 5.0 /* Angstrom of vacuum on each side of atoms without a cell */

struct atoms_box {
	double lattice[9];  /* rows a, b, c as they are; b and c are exchanged if the cell is left-handed */
	double edges[9];    /* the same turned: ax 0 0, bx by 0, cx cy cz */
	double rotation[9]; /* by rows: a turned position is rotation * position */
	double origin[3];   /* corner of the box; 0 for a cell */
	bool swapped;       /* b and c are exchanged */
	bool vacuum;        /* the atoms have no cell: a box around them with the margin above */
};

/* SONDE_INVALID for a cell without volume. */
sonde_status atoms_box_make(const sonde_atoms *atoms, struct atoms_box *box);
void atoms_box_turn(const struct atoms_box *box, const double position[3], double turned[3]);
/* Coordinates in units of the edges. */
void atoms_box_fractions(const struct atoms_box *box, const double position[3], double fractions[3]);
/* Lengths of a, b, c, and the angles between b and c, c and a, a and b in degrees. */
void atoms_box_parameters(const struct atoms_box *box, double lengths[3], double angles[3]);
double atoms_box_volume(const struct atoms_box *box);

#endif
