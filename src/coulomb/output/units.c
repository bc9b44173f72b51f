#include "coulomb/output/units.h"

const char *sonde_coulomb_unit(const sonde_coulomb_result *result)
{
	static const char *const names[] = {[SONDE_COULOMB_UNITS_V] = "V",
					    [SONDE_COULOMB_UNITS_KT_E] = "kT/e",
					    [SONDE_COULOMB_UNITS_KCAL_MOL_E] = "kcal/mol/e",
					    [SONDE_COULOMB_UNITS_E_A] = "e/Angstrom"};

	return names[result->options->units];
}

const char *coulomb_energy_unit(const sonde_coulomb_result *result)
{
	static const char *const names[] = {[SONDE_COULOMB_UNITS_V] = "eV",
					    [SONDE_COULOMB_UNITS_KT_E] = "kT",
					    [SONDE_COULOMB_UNITS_KCAL_MOL_E] = "kcal/mol",
					    [SONDE_COULOMB_UNITS_E_A] = "e^2/Angstrom"};

	return names[result->options->units];
}

bool coulomb_shows_potential(const sonde_coulomb_result *result)
{
	return result->options->quantity != SONDE_COULOMB_QUANTITY_FIELD;
}
