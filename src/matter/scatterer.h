/* Scattering by one atom: X-ray form factors and neutron scattering lengths. */
#ifndef SONDE_MATTER_SCATTERER_H
#define SONDE_MATTER_SCATTERER_H

#include <stdbool.h>

#include "base/status.h"

enum scattering_table {
	SCATTERING_WAASMAIER_KIRFEL, /* X-rays, 5 Gaussians and a constant, s = q/4 pi below 6 1/A */
	SCATTERING_IT1992,           /* X-rays, 4 Gaussians and a constant, s below 2 1/A */
	SCATTERING_SEARS1992,        /* neutrons: natural elements and D, else as RAUCH2003 */
	SCATTERING_RAUCH2003,        /* neutrons: elements and isotopes */
	SCATTERING_UNIT              /* every atom has amplitude 1 */
};

/* f(q) = c + sum_i a_i exp(-b_i (q/4 pi)^2), in electrons; or a length c + i c_imaginary in fm, with no
 * a_i. */
struct scatterer {
	double a[5], b[5];
	double c, c_imaginary;
	bool depends_on_energy; /* a length that depends on the wavelength, tabulated at 1.798 Angstrom */
};

/* Finds the scattering of an atom with this label. Fails on labels that are not in the table, with the known
 * alternatives. */
sonde_status scatterer_find(enum scattering_table table, const char *label, struct scatterer *scatterer);

/* f(q); q in 1/Angstrom. */
void scatterer_amplitude(const struct scatterer *scatterer, double q, double *real, double *imaginary);

/* Largest q in 1/Angstrom for which the table is valid; infinite for neutrons. */
double scattering_table_limit(enum scattering_table table);
/* The table's name and source on one line, for results. */
const char *scattering_table_source(enum scattering_table table);

#endif
