#include "matter/atoms/radius.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "matter/elements/label.h"

extern const char data_vdw_radii_mantina2009[], data_covalent_radii_cordero2008[];

/* 0 if not in the table. */
static double find_radius(const char *table, const char *symbol)
{
	char row[8];

	snprintf(row, sizeof row, "\n%.3s,", symbol);
	const char *found = strstr(table, row);
	double radius = 0.0;
	if (found != NULL) {
		found += strlen(row);
		(void)text_parse_real(found, found + strcspn(found, ",\n"), &radius);
	}
	return radius;
}

static double radius_of(const char *symbol)
{
	return find_radius(data_vdw_radii_mantina2009, symbol);
}

double covalent_radius_of_label(const char *text)
{
	struct label label;

	return label_parse(text, &label) == SONDE_OK
		   ? find_radius(data_covalent_radii_cordero2008, element_symbol(label.atomic_number))
		   : 0.0;
}

double radius_of_label(const char *text)
{
	struct label label;

	return label_parse(text, &label) == SONDE_OK ? radius_of(element_symbol(label.atomic_number)) : 0.0;
}

sonde_status atoms_radii(const sonde_atoms *atoms, double **radii)
{
	const struct site *sites = atoms_sites(atoms);
	double *of_species;

	*radii = NULL;
	CHECK(memory_allocate(&of_species, (size_t)atoms->species_count + 1, sizeof *of_species, "the radii"));
	for (int s = 0; s < atoms->species_count; ++s)
		of_species[s] = radius_of_label(atoms->species[s].label);
	sonde_status status = memory_allocate(radii, (size_t)atoms->count + 1, sizeof **radii, "the radii");
	for (int64_t i = 0; i < atoms->count && status == SONDE_OK; ++i) {
		double own = sites != NULL ? (double)sites[i].radius : 0.0;
		(*radii)[i] = own > 0.0 ? own : of_species[atoms->species_of[i]];
		if (!((*radii)[i] > 0.0) && !(sites != NULL && own == 0.0 && sonde_atoms_charges(atoms) != NULL))
			status = status_fail(SONDE_INVALID, "no van der Waals radius is known for '%s', atom %lld",
					     atoms->species[atoms->species_of[i]].label, (long long)i + 1);
	}
	free(of_species);
	if (status != SONDE_OK) {
		free(*radii);
		*radii = NULL;
	}
	return status;
}
