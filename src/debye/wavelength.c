#include "debye/wavelength.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/units.h"

sonde_status debye_energy(const sonde_debye_options *options, double *energy)
{
	const char *text = options->energy;

	*energy = options->wavelength > 0.0 ? EV_ANGSTROM / options->wavelength : 0.0;
	if (text[0] == '\0')
		return SONDE_OK;
	if (options->wavelength > 0.0)
		return status_fail_option(SONDE_INVALID, "energy", "`wavelength` is given as well; choose one");
	if (!unit_parse_named(UNIT_ENERGY, text, text + strlen(text), 1e3, energy) || !(*energy > 0.0) ||
	    !isfinite(*energy))
		return status_fail_option(SONDE_INVALID, "energy",
					  "'%.40s' is not an energy above 0, as 8.048keV or 708 eV", text);
	return SONDE_OK;
}

double debye_wavelength(const sonde_debye_options *options)
{
	double energy;

	if (options->wavelength > 0.0)
		return options->wavelength;
	return debye_energy(options, &energy) == SONDE_OK && energy > 0.0 ? EV_ANGSTROM / energy : 0.0;
}
