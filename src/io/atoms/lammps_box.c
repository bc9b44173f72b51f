#include "io/atoms/lammps_box.h"

#include <math.h>
#include <string.h>

#include "io/atoms/atom_list.h"

void lammps_box_set(const double low[3], const double high[3], const double tilt[3], struct lammps_box *box)
{
	const double lattice[9] = {high[0] - low[0], 0.0, 0.0, tilt[0], high[1] - low[1], 0.0, tilt[1], tilt[2],
				   high[2] - low[2]};

	memcpy(box->origin, low, sizeof box->origin);
	memcpy(box->lattice, lattice, sizeof lattice);
}

sonde_status lammps_box_check(const struct line_reader *reader, const struct lammps_box *box)
{
	const double *m = box->lattice;
	double volume = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
			m[2] * (m[3] * m[7] - m[4] * m[6]);

	for (int k = 0; k < 9; ++k)
		if (!(fabs(m[k]) <= ATOM_LARGEST_COORDINATE))
			return line_fail(reader, "an edge of the box is beyond %g Angstrom", ATOM_LARGEST_COORDINATE);
	if (!(fabs(volume) > 0.0))
		return line_fail(reader, "the volume of the box is zero");
	for (int k = 0; k < 3; ++k)
		if (m[4 * k] < 0.0 && m[3] == 0.0 && m[6] == 0.0 && m[7] == 0.0)
			return line_fail(reader, "an upper bound of the box is below the lower one");
	return SONDE_OK;
}

sonde_status lammps_check_units(const struct line_reader *reader, const struct word *units)
{
	if (word_is(units, "real") || word_is(units, "metal"))
		return SONDE_OK;
	return line_fail(reader, "units %.*s: lengths must be in Angstrom, as in units metal or real",
			 units->end - units->start > 32 ? 32 : (int)(units->end - units->start), units->start);
}
