#include "debye/curves/compton.h"

#include <math.h>

#include "base/constants.h"
#include "base/memory.h"
#include "debye/points/wavelength.h"
#include "matter/scattering/incoherent.h"
#include "matter/elements/label.h"

#define COMPTON_WAVELENGTH 0.0242631023867 /* h/(m c), Angstrom (CODATA 2018) */

static bool has_recoil(const sonde_debye_options *options)
{
	return options->compton == SONDE_DEBYE_COMPTON_COUNTS || options->compton == SONDE_DEBYE_COMPTON_ENERGY;
}

sonde_status compton_check(const sonde_debye_options *options)
{
	if (options->compton == SONDE_DEBYE_COMPTON_NONE)
		return SONDE_OK;
	if (options->radiation != SONDE_DEBYE_RADIATION_XRAY || options->factors == SONDE_DEBYE_FACTORS_UNIT)
		return status_fail_option(SONDE_INVALID, "compton",
					  "applies to X-rays: `radiation xray`, and not `factors unit`");
	return has_recoil(options) && !(debye_wavelength(options) > 0.0)
		   ? status_fail_option(SONDE_INVALID, "compton", "the recoil depends on `wavelength`")
		   : SONDE_OK;
}

/* Breit and Dirac's factor (E'/E)^n, E'/E = 1/(1 + 2 (h/m c lambda) sin^2(theta)): n = 2 for detectors that count
 * photons, 3 for those that measure their energy (G. Breit, Phys. Rev. 27 (1926) 362; P. A. M. Dirac, Proc. R. Soc. A
 * 111 (1926) 405; B. E. Warren, X-ray Diffraction (1969), ch. 1). */
static double recoil(const sonde_debye_options *options, double q)
{
	if (!has_recoil(options))
		return 1.0;
	const double wavelength = debye_wavelength(options), sine = q * wavelength / (4.0 * PI),
		     ratio = 1.0 / (1.0 + 2.0 * COMPTON_WAVELENGTH / wavelength * sine * sine);
	return ratio * ratio * (options->compton == SONDE_DEBYE_COMPTON_ENERGY ? ratio : 1.0);
}

/* Adds the atoms of a species. */
static sonde_status add_species(const sonde_debye_options *options, int species, sonde_debye_result *result)
{
	struct incoherent incoherent;
	struct label label;

	sonde_status status = label_parse(result->species_label[species], &label);
	if (status == SONDE_OK)
		status = incoherent_find(label.atomic_number, &incoherent);
	if (status != SONDE_OK)
		return status_prefix_option(status, "compton");
	for (int64_t k = 0; k < result->q_count; ++k)
		result->intensity_compton[k] += result->species_present[species] *
						incoherent_at(&incoherent, result->q[k]) *
						recoil(options, result->q[k]);
	return SONDE_OK;
}

sonde_status compton_make(sonde_debye_result *result)
{
	const size_t points = (size_t)result->q_count;
	const sonde_debye_options *options = result->options;

	if (options->compton == SONDE_DEBYE_COMPTON_NONE)
		return SONDE_OK;
	CHECK(memory_allocate(&result->intensity_compton, points, sizeof(double), "the result"));
	CHECK(memory_allocate(&result->intensity_total, points, sizeof(double), "the result"));
	for (int s = 0; s < result->species_count; ++s)
		CHECK(add_species(options, s, result));
	for (size_t k = 0; k < points; ++k)
		result->intensity_total[k] = result->intensity[k] + result->intensity_compton[k];
	return SONDE_OK;
}

const double *compton_total(const sonde_debye_result *result)
{
	return result->intensity_total != NULL ? result->intensity_total : result->intensity;
}
