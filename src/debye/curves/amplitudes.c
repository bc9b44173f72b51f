#include "debye/curves/amplitudes.h"

#include <string.h>

#include "base/constants.h"
#include "debye/curves/derived_curves.h"
#include "debye/points/wavelength.h"
#include "matter/scattering/incoherent.h"

PROBE_ASSERT_CHOICES(SONDE_DEBYE);

static struct probe probe_of(const sonde_debye_options *options, enum scattering_table table)
{
	return (struct probe){.radiation = options->radiation,
			      .factors = options->factors,
			      .anomalous = (enum anomalous_table)options->anomalous,
			      .energy = options->energy,
			      .wavelength = options->wavelength,
			      .form_factors = options->form_factors,
			      .q_first = options->q.first,
			      .q_last = options->q.last,
			      .table = table};
}

/* q = 4 pi sin(theta)/lambda */
static sonde_status note_largest_q(sonde_context *context, const sonde_debye_options *options)
{
	double energy;

	if (options->anomalous == SONDE_DEBYE_ANOMALOUS_NONE)
		return SONDE_OK;
	CHECK(debye_energy(options, &energy));
	const double largest = 4.0 * PI * energy / EV_ANGSTROM;
	if (options->q.last > largest)
		context_notef(context,
			      "q above %.4g 1/Angstrom, 4 pi over the wavelength, cannot be measured at %.7g keV",
			      largest, 1e-3 * energy);
	return SONDE_OK;
}

/* For something else than anomalous scattering. */
static bool uses_wavelength(const sonde_debye_options *options)
{
	return points_are_angles(options) || intensity_is_corrected(options) ||
	       strcmp(options->resolution, "none") != 0 || options->compton != SONDE_DEBYE_COMPTON_NONE;
}

sonde_status debye_choose_table(sonde_context *context, struct debye_plan *plan)
{
	sonde_debye_options *options = &plan->options;
	struct probe probe = probe_of(options, plan->table);

	CHECK(probe_choose_table(&probe));
	options->factors = probe.factors;
	plan->table = probe.table;
	if (options->anomalous == SONDE_DEBYE_ANOMALOUS_NONE && options->energy[0] != '\0' &&
	    !uses_wavelength(options))
		return status_fail_option(SONDE_INVALID, "energy",
					  "has no effect without `anomalous`, as in `anomalous henke`, `two_theta`, "
					  "`polarization`, `lorentz`, `resolution`, or `compton`");
	return note_largest_q(context, options);
}

sonde_status debye_read_form_factors(const struct debye_plan *plan, struct amplitudes *amplitudes)
{
	const char *path = plan->options.form_factors;

	return path[0] != '\0' ? form_factors_read(path, &amplitudes->form_factors) : SONDE_OK;
}

sonde_status debye_find_scatterer(const struct debye_plan *plan, const struct amplitudes *amplitudes,
				  const char *label, struct scatterer *scatterer)
{
	const struct probe probe = probe_of(&plan->options, plan->table);

	return probe_find_scatterer(&probe, amplitudes->form_factors, label, scatterer);
}

static const char *label_of_species(const void *of, int s)
{
	const sonde_debye_result *result = of;

	return result->species_label[s];
}

void debye_append_amplitudes(const sonde_debye_result *result, struct text *text)
{
	struct probe probe = probe_of(result->options, result->provenance->table);

	probe.form_factors_sha256 = result->provenance->form_factors_sha256;

	probe_append_amplitudes(&probe, result->species_count, label_of_species, result, text);
	if (result->intensity_compton != NULL)
		text_append(text, "; %s", incoherent_source);
}
