#include "matter/scattering/probe.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/file_names.h"
#include "base/units.h"
#include "matter/elements/label.h"

/* The choices of the option `factors`. */
static const struct {
	enum scattering_table table;
	int radiation; /* -1: any */
} known_factors[] = {
    [PROBE_FACTORS_WAASMAIER_KIRFEL] = {SCATTERING_WAASMAIER_KIRFEL, PROBE_XRAY},
    [PROBE_FACTORS_IT1992] = {SCATTERING_IT1992, PROBE_XRAY},
    [PROBE_FACTORS_SEARS1992] = {SCATTERING_SEARS1992, PROBE_NEUTRON},
    [PROBE_FACTORS_RAUCH2003] = {SCATTERING_RAUCH2003, PROBE_NEUTRON},
    [PROBE_FACTORS_UNIT] = {SCATTERING_UNIT, -1},
    [PROBE_FACTORS_LOBATO] = {SCATTERING_LOBATO, PROBE_ELECTRON},
    [PROBE_FACTORS_PENG] = {SCATTERING_PENG, PROBE_ELECTRON},
    [PROBE_FACTORS_PENG_LOW] = {SCATTERING_PENG_LOW, PROBE_ELECTRON},
    [PROBE_FACTORS_KIRKLAND] = {SCATTERING_KIRKLAND, PROBE_ELECTRON},
};

/* The choices of the option `radiation`. */
static const struct {
	const char *name;
	int factors; /* those of auto */
} known_radiation[] = {
    [PROBE_XRAY] = {"xray", PROBE_FACTORS_WAASMAIER_KIRFEL},
    [PROBE_NEUTRON] = {"neutron", PROBE_FACTORS_SEARS1992},
    [PROBE_ELECTRON] = {"electron", PROBE_FACTORS_LOBATO},
};

sonde_status probe_energy(const char *energy, double wavelength, double *value)
{
	*value = wavelength > 0.0 ? EV_ANGSTROM / wavelength : 0.0;
	if (energy[0] == '\0')
		return SONDE_OK;
	if (wavelength > 0.0)
		return status_fail_option(SONDE_INVALID, "energy", "`wavelength` is given as well; choose one");
	if (!unit_parse_named(UNIT_ENERGY, energy, energy + strlen(energy), 1e3, value) || !(*value > 0.0) ||
	    !isfinite(*value))
		return status_fail_option(SONDE_INVALID, "energy",
					  "'%.40s' is not an energy above 0, as 8.048keV or 708 eV", energy);
	return SONDE_OK;
}

static sonde_status check_anomalous(const struct probe *probe)
{
	double energy;

	CHECK(probe_energy(probe->energy, probe->wavelength, &energy));
	if (probe->anomalous == ANOMALOUS_NONE)
		return probe->energy[0] != '\0' && probe->radiation != PROBE_XRAY
			   ? status_fail_option(SONDE_INVALID, "energy",
						"is the energy of X-rays; for other radiation, give `wavelength`")
			   : SONDE_OK;
	if (probe->radiation != PROBE_XRAY || probe->factors == PROBE_FACTORS_UNIT)
		return status_fail_option(SONDE_INVALID, "anomalous",
					  "f' and f'' belong to form factors for X-rays: `radiation xray`, and not "
					  "`factors unit`");
	if (!(energy > 0.0))
		return status_fail_option(SONDE_INVALID, "anomalous",
					  "f' and f'' depend on the energy; give `energy` or `wavelength`");
	return SONDE_OK;
}

static sonde_status check_limit(const struct probe *probe)
{
	const double limit = scattering_table_limit(probe->table);

	if (probe->q_last > limit && probe->q_option != NULL)
		return status_fail_option(SONDE_INVALID, probe->q_option,
					  "the form factors are valid up to q = %.2f 1/Angstrom, and the largest "
					  "vector has %g; leave out such vectors or choose other factors",
					  limit, probe->q_last);
	if (probe->q_last > limit)
		return status_fail_option(SONDE_INVALID, "q",
					  "the form factors are valid up to q = %.2f 1/Angstrom, not up to %g; "
					  "lower the last q or choose other factors",
					  limit, probe->q_last);
	return SONDE_OK;
}

sonde_status probe_choose_table(struct probe *probe)
{
	if (probe->factors == PROBE_FACTORS_AUTO)
		probe->factors = known_radiation[probe->radiation].factors;
	int radiation = known_factors[probe->factors].radiation;
	if (radiation >= 0 && radiation != probe->radiation)
		return status_fail_option(SONDE_INVALID, "factors", "this table is for %s, but radiation is %s",
					  known_radiation[radiation].name, known_radiation[probe->radiation].name);
	probe->table = known_factors[probe->factors].table;
	CHECK(check_anomalous(probe));
	/* the table may be needed for no label: probe_find_scatterer() */
	return probe->form_factors[0] == '\0' ? check_limit(probe) : SONDE_OK;
}

static sonde_status add_anomalous(const struct probe *probe, const char *label, struct scatterer *scatterer)
{
	double energy, real, imaginary;

	if (probe->anomalous == ANOMALOUS_NONE)
		return SONDE_OK;
	if (scatterer->atomic_number == 0)
		return status_fail_option(SONDE_INVALID, "anomalous", "'%.32s' is not the label of an element",
					  label);
	CHECK(probe_energy(probe->energy, probe->wavelength, &energy));
	CHECK(anomalous_find(probe->anomalous, scatterer->atomic_number, energy, &real, &imaginary));
	scatterer->c += real;
	scatterer->c_imaginary += imaginary;
	return SONDE_OK;
}

sonde_status probe_find_scatterer(const struct probe *probe, const struct form_factors *form_factors,
				  const char *label, struct scatterer *scatterer)
{
	bool found = false;

	if (form_factors != NULL)
		CHECK(form_factors_find(form_factors, label, probe->q_first, probe->q_last, scatterer, &found));
	if (!found) {
		CHECK(scatterer_find(probe->table, label, scatterer));
		CHECK(check_limit(probe));
	}
	if (scatterer->coulomb != 0.0 && probe->q_first == 0.0)
		return status_fail_option(SONDE_INVALID, probe->q_option != NULL ? probe->q_option : "q",
					  "an ion scatters electrons infinitely strongly at q = 0, by its charge; %s",
					  probe->q_option != NULL ? "leave out this vector" : "begin above 0");
	return add_anomalous(probe, label, scatterer);
}

/* "; f' and f'' at 8.0478 keV (1.5406 Angstrom), Fe -1.144 +3.209i: SOURCE" */
static void append_anomalous(const struct probe *probe, int count, const char *(*label)(const void *user, int s),
			     const void *user, struct text *text)
{
	double energy, real, imaginary;

	if (probe->anomalous == ANOMALOUS_NONE || probe_energy(probe->energy, probe->wavelength, &energy) != SONDE_OK)
		return;
	text_append(text, "; f' and f'' at %.7g keV (%.7g Angstrom)", 1e-3 * energy, EV_ANGSTROM / energy);
	for (int s = 0; s < count; ++s) {
		struct label parsed;
		if (label_parse(label(user, s), &parsed) == SONDE_OK &&
		    anomalous_find(probe->anomalous, parsed.atomic_number, energy, &real, &imaginary) == SONDE_OK)
			text_append(text, ", %s %.5g %+.5gi", label(user, s), real, imaginary);
	}
	text_append(text, ": %s", anomalous_table_source(probe->anomalous));
}

void probe_append_amplitudes(const struct probe *probe, int count, const char *(*label)(const void *user, int s),
			     const void *user, struct text *text)
{
	text_append(text, "%s", scattering_table_source(probe->table));
	append_anomalous(probe, count, label, user, text);
	if (probe->form_factors[0] != '\0')
		text_append(text, FORM_FACTORS_OF "%s sha256 %s", file_names_get(probe->form_factors),
			    probe->form_factors_sha256 != NULL ? probe->form_factors_sha256 : "");
}
