/* The box of LAMMPS: bounds along x, y, z and tilt factors. */
#ifndef SONDE_IO_LAMMPS_BOX_H
#define SONDE_IO_LAMMPS_BOX_H

#include "io/text/words.h"

struct lammps_box {
	double origin[3], lattice[9]; /* rows a, b, c; Angstrom */
};

/* a = (xhi - xlo, 0, 0), b = (xy, yhi - ylo, 0), c = (xz, yz, zhi - zlo); tilt: xy, xz, yz. */
void lammps_box_set(const double low[3], const double high[3], const double tilt[3], struct lammps_box *box);
/* Fails if the volume of the box is zero or an edge is out of range. */
sonde_status lammps_box_check(const struct line_reader *reader, const struct lammps_box *box);
/* Fails if `units`, a style of units of LAMMPS, has lengths that are not in Angstrom. */
sonde_status lammps_check_units(const struct line_reader *reader, const struct word *units);

#endif
