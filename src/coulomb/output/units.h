/* Quantities of a result, and their units; sonde_coulomb_unit() is public. */
#ifndef SONDE_COULOMB_OUTPUT_UNITS_H
#define SONDE_COULOMB_OUTPUT_UNITS_H

#include <stdbool.h>

#include "sonde/coulomb.h"

/* Name of the unit of energies: that of the potential times e. */
const char *coulomb_energy_unit(const sonde_coulomb_result *result);
bool coulomb_shows_potential(const sonde_coulomb_result *result);

#endif
