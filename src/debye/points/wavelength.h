/* The energy and the wavelength of the radiation. */
#ifndef SONDE_DEBYE_WAVELENGTH_H
#define SONDE_DEBYE_WAVELENGTH_H

#include "base/status.h"
#include "matter/scattering/probe.h"
#include "sonde/debye.h"

/* Energy of X-rays in eV; 0 if neither `energy` nor `wavelength` is given. */
sonde_status debye_energy(const sonde_debye_options *options, double *energy);
/* Angstrom; 0 if neither is given, or the energy is not valid. */
double debye_wavelength(const sonde_debye_options *options);

#endif
