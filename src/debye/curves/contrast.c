#include "debye/curves/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "debye/curves/compton.h"
#include "matter/elements/assignments.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"

#define LARGEST_VOLUME 1e6                /* Angstrom^3 */
#define FM_PER_DENSITY 0.1                /* fm/Angstrom^3 of a scattering length density of 1e-6/Angstrom^2 */
#define CLASSICAL_RADIUS 2.8179403262e-13 /* of the electron, cm (CODATA 2018) */
#define FEMTOMETER 1e-13                  /* cm */
#define ANGSTROM 1e-8                     /* cm */
#define AVOGADRO 6.02214076e23            /* 1/mol, exact */

static sonde_status fail_label(const char *label, const struct debye_classes *classes)
{
	struct nearest_word nearest = {.word = label};
	char hint[96];

	for (int c = 0; c < classes->count; ++c)
		nearest_word_offer(&nearest, classes->view.species[c].label);
	return status_fail_option(SONDE_INVALID, "excluded_volume", "the sample has no '%s'%s", label,
				  nearest_word_hint(&nearest, hint, sizeof hint));
}

static sonde_status set_volume(const struct assignment *item, const struct debye_classes *classes, double *volumes)
{
	int found = -1;

	for (int c = 0; c < classes->count; ++c)
		if (item->first[0] == '\0' || strcmp(classes->view.species[c].label, item->first) == 0) {
			found = classes->species[c];
			if (volumes[found] >= 0.0 && volumes[found] != item->value)
				return status_fail_option(SONDE_INVALID, "excluded_volume", "'%s' is given twice",
							  classes->view.species[c].label);
			volumes[found] = item->value;
		}
	return found >= 0 ? SONDE_OK : fail_label(item->first, classes);
}

static sonde_status read_volumes(const char *list, const struct debye_classes *classes, double *volumes)
{
	struct assignment item;

	for (int s = 0; s < classes->species_count; ++s)
		volumes[s] = -1.0;
	while (list[0] != '\0') {
		CHECK(assignment_take("excluded_volume", &list, 0.0, LARGEST_VOLUME, &item));
		if (item.second[0] != '\0')
			return status_fail_option(SONDE_INVALID, "excluded_volume",
						  "'%s:%s' is not a single label, as in C=16.4", item.first,
						  item.second);
		CHECK(set_volume(&item, classes, volumes));
	}
	for (int c = 0; c < classes->count; ++c)
		if (volumes[classes->species[c]] < 0.0)
			return status_fail_option(SONDE_INVALID, "excluded_volume",
						  "there is none for '%s'; add %s=VOLUME in Angstrom^3",
						  classes->view.species[c].label, classes->view.species[c].label);
	return SONDE_OK;
}

/* The solvent's amplitude per Angstrom^3, in the unit of the amplitudes of atoms. */
static sonde_status find_density(const sonde_debye_options *options, double *density)
{
	*density = options->solvent_density;
	if (options->factors == SONDE_DEBYE_FACTORS_UNIT || options->radiation == SONDE_DEBYE_RADIATION_XRAY)
		return SONDE_OK;
	if (options->radiation != SONDE_DEBYE_RADIATION_NEUTRON)
		return status_fail_option(SONDE_INVALID, "solvent_density",
					  "applies to `radiation xray` and `radiation neutron`");
	*density *= FM_PER_DENSITY;
	return SONDE_OK;
}

/* "mg/ml:5": what is given, and how much. */
enum amount { AMOUNT_NONE, AMOUNT_MASS, AMOUNT_FRACTION, AMOUNT_NUMBER };

static sonde_status read_concentration(const sonde_debye_options *options, enum amount *amount, double *value)
{
	static const char *const names[] = {
	    [AMOUNT_MASS] = "mg/ml:", [AMOUNT_FRACTION] = "fraction:", [AMOUNT_NUMBER] = "number:"};
	const char *text = options->concentration;

	*amount = AMOUNT_NONE;
	*value = 0.0;
	for (int k = AMOUNT_MASS; k <= AMOUNT_NUMBER; ++k)
		if (strncmp(text, names[k], strlen(names[k])) == 0) {
			*amount = (enum amount)k;
			text += strlen(names[k]);
		}
	if (text[0] == '\0' && *amount == AMOUNT_NONE)
		return SONDE_OK;
	if (*amount == AMOUNT_NONE || !text_parse_real(text, text + strlen(text), value) || !(*value > 0.0) ||
	    (*amount == AMOUNT_FRACTION && *value > 1.0))
		return status_fail_option(
		    SONDE_INVALID, "concentration",
		    "'%.60s' is not a concentration: mg/ml:5 (mass), fraction:0.01 (volume), or "
		    "number:1e15 (particles per cm^3)",
		    options->concentration);
	if (options->factors == SONDE_DEBYE_FACTORS_UNIT)
		return status_fail_option(SONDE_INVALID, "concentration",
					  "absolute units need the amplitudes of a radiation, not `factors unit`");
	return *amount == AMOUNT_FRACTION && options->excluded_volume[0] == '\0'
		   ? status_fail_option(SONDE_INVALID, "concentration",
					"a volume fraction needs `excluded_volume`, the volumes of the atoms")
		   : SONDE_OK;
}

sonde_status contrast_read(const sonde_debye_options *options, const struct debye_classes *classes,
			   struct contrast *contrast)
{
	const size_t species = (size_t)classes->species_count;
	enum amount amount;
	double value, density;

	*contrast = (struct contrast){0};
	CHECK(read_concentration(options, &amount, &value));
	if (options->excluded_volume[0] == '\0')
		return options->solvent_density == 0.0
			   ? SONDE_OK
			   : status_fail_option(SONDE_INVALID, "solvent_density",
						"needs `excluded_volume`, the volumes of the atoms");
	CHECK(memory_allocate(&contrast->volume, species, sizeof(double), "the volumes"));
	CHECK(read_volumes(options->excluded_volume, classes, contrast->volume));
	if (options->solvent_density == 0.0)
		return amount == AMOUNT_FRACTION
			   ? SONDE_OK
			   : status_fail_option(SONDE_INVALID, "excluded_volume",
						"has no effect without `solvent_density` or a volume fraction");
	CHECK(find_density(options, &density));
	CHECK(memory_allocate(&contrast->amount, species, sizeof(double), "the volumes"));
	CHECK(memory_allocate(&contrast->spread, species, sizeof(double), "the volumes"));
	for (size_t s = 0; s < species; ++s) {
		contrast->amount[s] = density * contrast->volume[s];
		contrast->spread[s] = pow(contrast->volume[s], 2.0 / 3.0) / (4.0 * PI);
	}
	return SONDE_OK;
}

void contrast_free(struct contrast *contrast)
{
	free(contrast->volume);
	free(contrast->amount);
	free(contrast->spread);
	*contrast = (struct contrast){0};
}

/* Mass of the sample in g/mol. */
static sonde_status find_mass(const sonde_debye_result *result, double *mass)
{
	struct label label;
	double each;

	*mass = 0.0;
	for (int s = 0; s < result->species_count; ++s) {
		CHECK(label_parse(result->species_label[s], &label));
		CHECK(isotope_mass(label.atomic_number, label.mass_number, &each));
		*mass += result->species_present[s] * each;
	}
	return SONDE_OK;
}

/* Samples per cm^3. */
static sonde_status find_number(const struct contrast *contrast, enum amount amount, double value,
				const sonde_debye_result *result, double *number)
{
	double mass, volume = 0.0;

	*number = value;
	if (amount == AMOUNT_MASS) {
		CHECK(find_mass(result, &mass));
		*number = 1e-3 * value * AVOGADRO / mass; /* mg/ml = 1e-3 g/cm^3 */
	}
	if (amount == AMOUNT_FRACTION) {
		for (int s = 0; s < result->species_count; ++s)
			volume += result->species_present[s] * contrast->volume[s];
		*number = value / (volume * ANGSTROM * ANGSTROM * ANGSTROM);
	}
	return isfinite(*number)
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "concentration", "the sample has neither mass nor volume");
}

sonde_status contrast_make_absolute(const struct debye_classes *classes, sonde_debye_result *result)
{
	static const double units[] = {[SONDE_DEBYE_RADIATION_XRAY] = CLASSICAL_RADIUS,
				       [SONDE_DEBYE_RADIATION_NEUTRON] = FEMTOMETER,
				       [SONDE_DEBYE_RADIATION_ELECTRON] = ANGSTROM};
	const sonde_debye_options *options = result->options;
	const double *curve = result->intensity_resolved != NULL    ? result->intensity_resolved
			      : result->intensity_corrected != NULL ? result->intensity_corrected
								    : compton_total(result);
	struct contrast contrast;
	enum amount amount;
	double value, number;

	CHECK(read_concentration(options, &amount, &value));
	if (amount == AMOUNT_NONE)
		return SONDE_OK;
	sonde_status status = contrast_read(options, classes, &contrast);
	if (status == SONDE_OK)
		status = find_number(&contrast, amount, value, result, &number);
	contrast_free(&contrast);
	CHECK(status);
	CHECK(memory_allocate(&result->intensity_absolute, (size_t)result->q_count, sizeof(double), "the result"));
	const double unit = units[options->radiation];
	for (int64_t k = 0; k < result->q_count; ++k)
		result->intensity_absolute[k] = number * unit * unit * curve[k];
	return SONDE_OK;
}

sonde_status contrast_make_absolute_of_species(sonde_debye_result *result)
{
	const size_t count = (size_t)result->species_count;
	struct debye_classes *classes;
	sonde_status status;

	CHECK(memory_allocate(&classes, 1, sizeof *classes, "the volumes"));
	CHECK_GOTO(status, memory_allocate(&classes->species, count, sizeof *classes->species, "the volumes"), done);
	CHECK_GOTO(status,
		   memory_allocate(&classes->view.species, count, sizeof *classes->view.species, "the volumes"),
		   done);
	classes->count = classes->species_count = result->species_count;
	for (size_t s = 0; s < count; ++s) {
		classes->species[s] = (int)s;
		memcpy(classes->view.species[s].label, result->species_label[s], SONDE_LABEL_SIZE);
	}
	status = contrast_make_absolute(classes, result);
done:
	free(classes->species);
	free(classes->view.species);
	free(classes);
	return status;
}
