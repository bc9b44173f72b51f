/* Masses of isotopes: data/isotopes.csv. */
#ifndef SONDE_MATTER_ISOTOPE_H
#define SONDE_MATTER_ISOTOPE_H

#include "base/status.h"

/* Mass of the neutral atom in amu; a mass number of 0 is the natural mixture, by element_of(). SONDE_INVALID for
 * isotopes that the table lacks: the message lists those that it has. `mass` is 0 after a failure. */
sonde_status isotope_mass(int atomic_number, int mass_number, double *mass);

/* "Si" for the natural mass, "10B" for one near a whole number, else "10.4B". */
void isotope_label(int atomic_number, double mass, char label[16]);

#endif
