#include "debye/points/wavelength.h"

#include "base/constants.h"

sonde_status debye_energy(const sonde_debye_options *options, double *energy)
{
	return probe_energy(options->energy, options->wavelength, energy);
}

double debye_wavelength(const sonde_debye_options *options)
{
	double energy;

	if (options->wavelength > 0.0)
		return options->wavelength;
	return debye_energy(options, &energy) == SONDE_OK && energy > 0.0 ? EV_ANGSTROM / energy : 0.0;
}
