/* Scattering by one atom: form factors for X-rays and electrons, and neutron scattering lengths. */
#ifndef SONDE_MATTER_SCATTERER_H
#define SONDE_MATTER_SCATTERER_H

#include <stdbool.h>

#include "base/status.h"

enum scattering_table {
	SCATTERING_WAASMAIER_KIRFEL, /* X-rays, 5 Gaussians and a constant, s = q/4 pi below 6 1/A */
	SCATTERING_IT1992,           /* X-rays, 4 Gaussians and a constant, s below 2 1/A */
	SCATTERING_SEARS1992,        /* neutrons: natural elements and D, else as RAUCH2003 */
	SCATTERING_RAUCH2003,        /* neutrons: elements and isotopes */
	SCATTERING_LOBATO,           /* electrons: atoms, any q */
	SCATTERING_PENG,             /* electrons: atoms and ions, 5 Gaussians, s below 6 1/A */
	SCATTERING_PENG_LOW,         /* electrons: atoms, 5 Gaussians, s below 2 1/A */
	SCATTERING_KIRKLAND,         /* electrons: atoms, 3 Lorentzians and 3 Gaussians, s below 6 1/A */
	SCATTERING_UNIT              /* every atom has amplitude 1 */
};

/* How f depends on s = q/4 pi; c is added to each. */
enum scatterer_form {
	SCATTERER_GAUSSIANS, /* sum_i a_i exp(-b_i s^2), i < 5; or no a_i: a constant */
	SCATTERER_LOBATO,    /* sum_i a_i (2 + b_i g^2)/(1 + b_i g^2)^2, i < 5, g = 2 s */
	SCATTERER_KIRKLAND,  /* sum over i < 3 of a_i/(g^2 + b_i), and from 3 to 5 of a_i exp(-b_i g^2) */
	SCATTERER_CURVE      /* a table, `curve` */
};

struct form_factor_curve; /* form_factor_curve.h */

/* An amplitude f(q) + i c_imaginary: in electrons for X-rays, fm for neutrons (a length, with no a_i), and Angstrom for
 * electrons, without the relativistic factor. */
struct scatterer {
	double a[6], b[6];
	double c, c_imaginary;
	bool depends_on_energy; /* a length that depends on the wavelength, tabulated at 1.798 Angstrom */
	enum scatterer_form form;
	double coulomb;    /* of an ion: its charge/(8 pi^2 a_B) in 1/Angstrom, divided by s^2 a part of f */
	int atomic_number; /* 0: unknown */
	const struct form_factor_curve *curve; /* not owned */
};

/* Finds the scattering of an atom with this label. Fails on labels that are not in the table, with the known
 * alternatives. */
sonde_status scatterer_find(enum scattering_table table, const char *label, struct scatterer *scatterer);

/* f(q); q in 1/Angstrom. Infinite for electrons and an ion at q = 0. */
void scatterer_amplitude(const struct scatterer *scatterer, double q, double *real, double *imaginary);

/* Largest q in 1/Angstrom for which the table is valid; infinite for neutrons and Lobato and Van Dyck's. */
double scattering_table_limit(enum scattering_table table);
/* The table's name and source on one line, for results. */
const char *scattering_table_source(enum scattering_table table);

#endif
