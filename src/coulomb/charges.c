/* Charges of a sample: its own, or by label. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/coulomb.h"

#define LARGEST_CHARGE 1e6

/* Reads "Na=1,Cl=-1" into the charge of every species; NaN where nothing is said. */
static sonde_status read_list(const sonde_atoms *atoms, const char *list, double *of_species)
{
	char hint[96];

	for (int s = 0; s < atoms->species_count; ++s)
		of_species[s] = NAN;
	while (*list != '\0') {
		size_t length = strcspn(list, ","), name = strcspn(list, "=");
		double charge;
		if (name >= length || name == 0 || name >= SONDE_LABEL_SIZE ||
		    !text_parse_real(list + name + 1, list + length, &charge) || fabs(charge) > LARGEST_CHARGE)
			return status_fail(SONDE_INVALID,
					   "charges: '%.*s' is not LABEL=CHARGE; write them as Na=1,Cl=-1",
					   (int)(length > 40 ? 40 : length), list);
		char label[SONDE_LABEL_SIZE] = "";
		memcpy(label, list, name);
		struct nearest_word nearest = {.word = label};
		int found = -1;
		for (int s = 0; s < atoms->species_count; ++s) {
			nearest_word_offer(&nearest, atoms->species[s].label);
			if (strcmp(atoms->species[s].label, label) == 0)
				found = s;
		}
		if (found < 0)
			return status_fail(SONDE_INVALID, "charges: the sample has no '%s'%s", label,
					   nearest_word_hint(&nearest, hint, sizeof hint));
		if (!isnan(of_species[found]))
			return status_fail(SONDE_INVALID, "charges: '%s' is given twice", label);
		of_species[found] = charge;
		list += length + (list[length] == ',');
	}
	for (int s = 0; s < atoms->species_count; ++s)
		if (isnan(of_species[s]))
			return status_fail(SONDE_INVALID, "charges: '%s' has none; write 0 if it shall have none",
					   atoms->species[s].label);
	return SONDE_OK;
}

static sonde_status gather(const sonde_atoms *atoms, const double *of_species, struct charges *charges)
{
	const double *own = sonde_atoms_charges(atoms);
	double **arrays[] = {&charges->x, &charges->y, &charges->z, &charges->q};
	size_t room = (size_t)atoms->count > 0 ? (size_t)atoms->count : 1;

	for (int k = 0; k < 4; ++k)
		CHECK(memory_allocate(arrays[k], room, sizeof(double), "the charges"));
	for (int64_t i = 0; i < atoms->count; ++i) {
		double q = of_species != NULL ? of_species[atoms->species_of[i]] : own[i];
		if (q == 0.0)
			continue;
		uint32_t k = charges->count++;
		charges->x[k] = atoms->positions[3 * i];
		charges->y[k] = atoms->positions[3 * i + 1];
		charges->z[k] = atoms->positions[3 * i + 2];
		charges->q[k] = q;
		charges->total += q;
		charges->absolute += fabs(q);
	}
	return SONDE_OK;
}

sonde_status charges_make(const sonde_atoms *atoms, const char *by_label, struct charges *charges)
{
	double *of_species = NULL;
	sonde_status status = SONDE_OK;

	*charges = (struct charges){0};
	if (atoms->count > UINT32_MAX / 2)
		return status_fail(SONDE_INVALID, "the sample has %lld atoms; %u are possible",
				   (long long)atoms->count, UINT32_MAX / 2);
	if (by_label[0] == '\0' && atoms->count > 0 && sonde_atoms_charges(atoms) == NULL)
		return status_fail(SONDE_INVALID,
				   "%s: brings no charges; give them by label, as in --charges Na=1,Cl=-1, or use a "
				   "PQR file or an extended XYZ file with a column of charges",
				   atoms->source.bytes != NULL ? atoms->source.bytes : "sample");
	if (by_label[0] != '\0') {
		CHECK(memory_allocate(&of_species, (size_t)atoms->species_count + 1, sizeof *of_species,
				      "the charges"));
		status = read_list(atoms, by_label, of_species);
	}
	if (status == SONDE_OK)
		status = gather(atoms, of_species, charges);
	free(of_species);
	if (status != SONDE_OK)
		charges_free(charges);
	return status;
}

void charges_free(struct charges *charges)
{
	free(charges->x);
	free(charges->y);
	free(charges->z);
	free(charges->q);
	*charges = (struct charges){0};
}
