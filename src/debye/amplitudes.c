#include "debye/amplitudes.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/file_names.h"
#include "debye/derived_curves.h"
#include "debye/wavelength.h"
#include "matter/anomalous.h"
#include "matter/form_factors.h"
#include "matter/incoherent.h"
#include "matter/label.h"

/* The choices of the option `factors`. */
static const struct {
	enum scattering_table table;
	int radiation; /* -1: any */
} known_factors[] = {
    [SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL] = {SCATTERING_WAASMAIER_KIRFEL, SONDE_DEBYE_RADIATION_XRAY},
    [SONDE_DEBYE_FACTORS_IT1992] = {SCATTERING_IT1992, SONDE_DEBYE_RADIATION_XRAY},
    [SONDE_DEBYE_FACTORS_SEARS1992] = {SCATTERING_SEARS1992, SONDE_DEBYE_RADIATION_NEUTRON},
    [SONDE_DEBYE_FACTORS_RAUCH2003] = {SCATTERING_RAUCH2003, SONDE_DEBYE_RADIATION_NEUTRON},
    [SONDE_DEBYE_FACTORS_UNIT] = {SCATTERING_UNIT, -1},
    [SONDE_DEBYE_FACTORS_LOBATO] = {SCATTERING_LOBATO, SONDE_DEBYE_RADIATION_ELECTRON},
    [SONDE_DEBYE_FACTORS_PENG] = {SCATTERING_PENG, SONDE_DEBYE_RADIATION_ELECTRON},
    [SONDE_DEBYE_FACTORS_PENG_LOW] = {SCATTERING_PENG_LOW, SONDE_DEBYE_RADIATION_ELECTRON},
    [SONDE_DEBYE_FACTORS_KIRKLAND] = {SCATTERING_KIRKLAND, SONDE_DEBYE_RADIATION_ELECTRON},
};

/* The choices of the option `radiation`. */
static const struct {
	const char *name;
	int factors; /* those of auto */
} known_radiation[] = {
    [SONDE_DEBYE_RADIATION_XRAY] = {"xray", SONDE_DEBYE_FACTORS_WAASMAIER_KIRFEL},
    [SONDE_DEBYE_RADIATION_NEUTRON] = {"neutron", SONDE_DEBYE_FACTORS_SEARS1992},
    [SONDE_DEBYE_RADIATION_ELECTRON] = {"electron", SONDE_DEBYE_FACTORS_LOBATO},
};

static const enum anomalous_table known_anomalous[] = {
    [SONDE_DEBYE_ANOMALOUS_NONE] = ANOMALOUS_NONE,
    [SONDE_DEBYE_ANOMALOUS_HENKE] = ANOMALOUS_HENKE,
    [SONDE_DEBYE_ANOMALOUS_EPDL97] = ANOMALOUS_EPDL97,
    [SONDE_DEBYE_ANOMALOUS_CHANTLER] = ANOMALOUS_CHANTLER,
    [SONDE_DEBYE_ANOMALOUS_CROMER_LIBERMAN] = ANOMALOUS_CROMER_LIBERMAN,
};

/* q = 4 pi sin(theta)/lambda */
static void note_largest_q(sonde_context *context, const sonde_debye_options *options, double energy)
{
	const double largest = 4.0 * PI * energy / EV_ANGSTROM;

	if (options->q.last > largest)
		context_notef(context,
			      "q above %.4g 1/Angstrom, 4 pi over the wavelength, cannot be measured at %.7g keV",
			      largest, 1e-3 * energy);
}

/* For something else than anomalous scattering. */
static bool uses_wavelength(const sonde_debye_options *options)
{
	return points_are_angles(options) || intensity_is_corrected(options) ||
	       strcmp(options->resolution, "none") != 0 || options->compton != SONDE_DEBYE_COMPTON_NONE;
}

static sonde_status check_anomalous(sonde_context *context, const sonde_debye_options *options)
{
	double energy;

	CHECK(debye_energy(options, &energy));
	if (options->anomalous == SONDE_DEBYE_ANOMALOUS_NONE && options->energy[0] != '\0' &&
	    options->radiation != SONDE_DEBYE_RADIATION_XRAY)
		return status_fail_option(SONDE_INVALID, "energy",
					  "is the energy of X-rays; for other radiation, give `wavelength`");
	if (options->anomalous == SONDE_DEBYE_ANOMALOUS_NONE)
		return options->energy[0] != '\0' && !uses_wavelength(options)
			   ? status_fail_option(
				 SONDE_INVALID, "energy",
				 "has no effect without `anomalous`, as in `anomalous henke`, `two_theta`, "
				 "`polarization`, `lorentz`, `resolution`, or `compton`")
			   : SONDE_OK;
	if (options->radiation != SONDE_DEBYE_RADIATION_XRAY || options->factors == SONDE_DEBYE_FACTORS_UNIT)
		return status_fail_option(SONDE_INVALID, "anomalous",
					  "f' and f'' belong to form factors for X-rays: `radiation xray`, and not "
					  "`factors unit`");
	if (!(energy > 0.0))
		return status_fail_option(SONDE_INVALID, "anomalous",
					  "f' and f'' depend on the energy; give `energy` or `wavelength`");
	note_largest_q(context, options, energy);
	return SONDE_OK;
}

static sonde_status check_limit(const struct debye_plan *plan)
{
	const double limit = scattering_table_limit(plan->table);

	if (plan->options.q.last > limit)
		return status_fail_option(SONDE_INVALID, "q",
					  "the form factors are valid up to q = %.2f 1/Angstrom, not up to %g; "
					  "lower the last q or choose other factors",
					  limit, plan->options.q.last);
	return SONDE_OK;
}

sonde_status debye_choose_table(sonde_context *context, struct debye_plan *plan)
{
	sonde_debye_options *options = &plan->options;

	if (options->factors == SONDE_DEBYE_FACTORS_AUTO)
		options->factors = known_radiation[options->radiation].factors;
	int radiation = known_factors[options->factors].radiation;
	if (radiation >= 0 && radiation != options->radiation)
		return status_fail_option(SONDE_INVALID, "factors", "this table is for %s, but radiation is %s",
					  known_radiation[radiation].name, known_radiation[options->radiation].name);
	plan->table = known_factors[options->factors].table;
	CHECK(check_anomalous(context, options));
	/* the table may be needed for no label: debye_find_scatterer() */
	return options->form_factors[0] == '\0' ? check_limit(plan) : SONDE_OK;
}

sonde_status debye_read_form_factors(const struct debye_plan *plan, struct amplitudes *amplitudes)
{
	const char *path = plan->options.form_factors;

	return path[0] != '\0' ? form_factors_read(path, &amplitudes->form_factors) : SONDE_OK;
}

static sonde_status add_anomalous(const sonde_debye_options *options, const char *label, struct scatterer *scatterer)
{
	double energy, real, imaginary;

	if (options->anomalous == SONDE_DEBYE_ANOMALOUS_NONE)
		return SONDE_OK;
	if (scatterer->atomic_number == 0)
		return status_fail_option(SONDE_INVALID, "anomalous", "'%.32s' is not the label of an element",
					  label);
	CHECK(debye_energy(options, &energy));
	CHECK(
	    anomalous_find(known_anomalous[options->anomalous], scatterer->atomic_number, energy, &real, &imaginary));
	scatterer->c += real;
	scatterer->c_imaginary += imaginary;
	return SONDE_OK;
}

sonde_status debye_find_scatterer(const struct debye_plan *plan, const struct amplitudes *amplitudes,
				  const char *label, struct scatterer *scatterer)
{
	const sonde_grid *q = &plan->options.q;
	bool found = false;

	if (amplitudes->form_factors != NULL)
		CHECK(form_factors_find(amplitudes->form_factors, label, q->first, q->last, scatterer, &found));
	if (!found) {
		CHECK(scatterer_find(plan->table, label, scatterer));
		CHECK(check_limit(plan));
	}
	if (scatterer->coulomb != 0.0 && q->first == 0.0)
		return status_fail_option(SONDE_INVALID, "q",
					  "an ion scatters electrons infinitely strongly at q = 0, by its charge; "
					  "begin above 0");
	return add_anomalous(&plan->options, label, scatterer);
}

/* "; f' and f'' at 8.0478 keV (1.5406 Angstrom), Fe -1.144 +3.209i: SOURCE" */
static void append_anomalous(const sonde_debye_result *result, struct text *text)
{
	const enum anomalous_table table = known_anomalous[result->options->anomalous];
	double energy, real, imaginary;

	if (table == ANOMALOUS_NONE || debye_energy(result->options, &energy) != SONDE_OK)
		return;
	text_append(text, "; f' and f'' at %.7g keV (%.7g Angstrom)", 1e-3 * energy, EV_ANGSTROM / energy);
	for (int s = 0; s < result->species_count; ++s) {
		struct label label;
		if (label_parse(result->species_label[s], &label) == SONDE_OK &&
		    anomalous_find(table, label.atomic_number, energy, &real, &imaginary) == SONDE_OK)
			text_append(text, ", %s %.5g %+.5gi", result->species_label[s], real, imaginary);
	}
	text_append(text, ": %s", anomalous_table_source(table));
}

void debye_append_amplitudes(const sonde_debye_result *result, struct text *text)
{
	const char *path = result->options->form_factors;

	text_append(text, "%s", scattering_table_source(result->provenance->table));
	append_anomalous(result, text);
	if (path[0] != '\0')
		text_append(text, FORM_FACTORS_OF "%s sha256 %s", file_names_get(path),
			    result->provenance->form_factors_sha256);
	if (result->intensity_compton != NULL)
		text_append(text, "; %s", incoherent_source);
}
