/* Anomalous scattering of X-rays: f' and f'' of the elements near their absorption edges. */
#ifndef SONDE_MATTER_ANOMALOUS_H
#define SONDE_MATTER_ANOMALOUS_H

#include "base/status.h"

enum anomalous_table {
	ANOMALOUS_NONE,
	ANOMALOUS_HENKE,
	ANOMALOUS_EPDL97,
	ANOMALOUS_CHANTLER,
	ANOMALOUS_CROMER_LIBERMAN /* at eight laboratory lines only */
};

/* f' and f'', in electrons, of the element with this atomic number at an energy in eV, so that f = f0(q) + f' + i f''
 * with f'' above 0. f' includes the relativistic correction in all tables. The tables' own values at their energies;
 * between two of them f' and E^2 f'' are linear in the energy, but not across an absorption edge. Fails outside the
 * table and at an edge whose sides are too far apart. */
sonde_status anomalous_find(enum anomalous_table table, int atomic_number, double energy, double *real,
			    double *imaginary);

/* The table's name and source on one line, for results. */
const char *anomalous_table_source(enum anomalous_table table);

#endif
