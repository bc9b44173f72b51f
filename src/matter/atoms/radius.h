/* Van der Waals radii, and covalent ones. */
#ifndef SONDE_MATTER_RADIUS_H
#define SONDE_MATTER_RADIUS_H

#include "matter/atoms/atoms.h"

/* The radius of the element of a label, Angstrom; 0 if it is not known. */
double radius_of_label(const char *text);
/* The covalent radius, likewise. */
double covalent_radius_of_label(const char *text);
/* The radius of every atom in Angstrom, to be freed: from its file (PQR), else that of its element. Fails for
 * elements without one. */
sonde_status atoms_radii(const sonde_atoms *atoms, double **radii);

#endif
