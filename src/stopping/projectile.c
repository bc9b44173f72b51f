#include "stopping/projectile.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "matter/elements/element.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"

/* Nuclei with names of their own; as ions they have the mass of the atom, like all others. */
static const struct {
	const char *name, *label;
} particles[] = {{"proton", "1H"}, {"protium", "1H"}, {"deuteron", "2H"}, {"deuterium", "2H"},
		 {"triton", "3H"}, {"tritium", "3H"}, {"helion", "3He"},  {"alpha", "4He"}};
#define PARTICLES (sizeof particles / sizeof *particles)

/* "He-3" to "3He". False for any other form. */
static bool turn_round(const char *ion, char label[16])
{
	const char *dash = strchr(ion, '-');
	size_t digits = dash != NULL ? strspn(dash + 1, "0123456789") : 0;

	if (digits == 0 || digits > 3 || dash[1 + digits] != '\0' || dash == ion || dash - ion > 2)
		return false;
	snprintf(label, 16, "%s%.*s", dash + 1, (int)(dash - ion), ion);
	return true;
}

static sonde_status fail_unknown(const char *ion)
{
	struct nearest_word nearest = {.word = ion};
	char hint[64];

	/* ambiguous: neither phosphorus for protons nor the reverse may be taken silently */
	if (strcmp(ion, "p") == 0)
		return status_fail_option(SONDE_INVALID, "ion",
					  "'p' is not an element: write 'proton' or 'H', or 'P' for phosphorus");
	for (size_t k = 0; k < PARTICLES; ++k)
		nearest_word_offer(&nearest, particles[k].name);
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z)
		nearest_word_offer(&nearest, element_symbol(z));
	return status_fail_option(SONDE_INVALID, "ion",
				  "'%.32s' is not an element, an isotope (3He) or a particle (alpha)%s", ion,
				  nearest_word_hint(&nearest, hint, sizeof hint));
}

sonde_status projectile_find(const char *ion, double mass, struct projectile *projectile)
{
	struct label label;
	char name[16];
	const char *text = ion;

	if (ion[0] == '\0')
		return status_fail_option(SONDE_INVALID, "ion",
					  "not given; for example `ion He`, `ion 11B` or `ion alpha`");
	for (size_t k = 0; k < PARTICLES; ++k)
		if (strcasecmp(particles[k].name, ion) == 0)
			text = particles[k].label;
	if (turn_round(ion, name))
		text = name;
	if (label_parse(text, &label) != SONDE_OK)
		return fail_unknown(ion);
	if (label.charge != 0)
		return status_fail_option(
		    SONDE_INVALID, "ion",
		    "%.16s: the charge of an ion in matter follows from its velocity; write it without a charge",
		    ion);
	if (label.atomic_number > TABULATED_ELEMENTS)
		return status_fail_option(SONDE_INVALID, "ion",
					  "%.16s: no stopping is available for elements beyond uranium", ion);
	if (strlen(ion) >= sizeof projectile->symbol)
		return status_fail_option(SONDE_INVALID, "ion", "'%.40s' is too long", ion);
	strcpy(projectile->symbol, ion);
	projectile->atomic_number = label.atomic_number;
	projectile->mass = mass > 0.0 ? mass : element_of(label.atomic_number).isotope_mass;
	if (label.mass_number > 0 && !(mass > 0.0)) {
		sonde_status status = isotope_mass(label.atomic_number, label.mass_number, &projectile->mass);
		if (status != SONDE_OK)
			return status_prefix_option(status, "ion");
	}
	return projectile->mass >= 0.5
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "ion_mass", "%g amu is below 0.5", projectile->mass);
}
