#include "ions/trim/trim_target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "matter/elements/element.h"
#include "matter/elements/label.h"
#include "matter/materials/material.h"

#define MOST_ATOMS 60         /* upper limit for a formula with whole numbers */
#define ROUNDING 2e-6         /* of fractions in files: six digits */
#define SAME_MASS 1e-3        /* relative: that of the tables, rounded */
#define MOST_DECIMALS 9       /* of a formula without whole numbers */
#define SAME_COMPOSITION 1e-3 /* after reading back, with the decimals that fit into a name */

/* The smallest whole numbers of atoms for the fractions: 2, 1 for 0.666667, 0.333333. */
static bool whole_numbers(const struct formula *formula, double all, double *numbers)
{
	for (int atoms = 1; atoms <= MOST_ATOMS; ++atoms) {
		bool whole = true;
		for (int i = 0; i < formula->count && whole; ++i) {
			double number = formula->amount[i] / all * atoms;
			numbers[i] = nearbyint(number);
			whole = numbers[i] >= 1.0 && fabs(number - numbers[i]) <= ROUNDING * atoms;
		}
		if (whole)
			return true;
	}
	return false;
}

/* "0.250" as ".25", and "1" as an empty text unless `ones`; false if it rounds to 0. */
static bool write_number(double x, int decimals, bool ones, char text[40])
{
	snprintf(text, 40, "%.*f", decimals, x);
	if (decimals > 0) {
		size_t length = strlen(text);
		while (text[length - 1] == '0')
			--length;
		length -= text[length - 1] == '.';
		text[length] = '\0';
	}
	if (text[0] == '0')
		memmove(text, text + 1, strlen(text));
	if (text[0] == '\0')
		return false;
	if (!ones && strcmp(text, "1") == 0)
		text[0] = '\0';
	return true;
}

/* "[10.2]"; with ".0" after a whole number, which alone would be an isotope; empty for the natural mass. */
static void write_mass(double mass, char text[40])
{
	char number[32];

	text[0] = '\0';
	if (mass > 0.0)
		snprintf(text, 40, "[%s%s]", text_format_real(mass, number), mass == nearbyint(mass) ? ".0" : "");
}

/* "Si.25O.75" with a limited number of decimals. False if it does not fit, or if an element vanishes. */
static bool write_formula(const struct formula *formula, const double *numbers, int decimals, bool ones, char *text,
			  size_t size)
{
	size_t used = 0;

	for (int i = 0; i < formula->count; ++i) {
		char number[40], mass[40];
		if (!write_number(numbers[i], decimals, ones, number))
			return false;
		write_mass(formula->mass[i], mass);
		int added = snprintf(text + used, size - used, "%s%s%s", element_symbol(formula->atomic_number[i]),
				     mass, number);
		if (added < 0 || (size_t)added >= size - used)
			return false;
		used += (size_t)added;
	}
	return true;
}

/* Some formulas are also names: P, V and C are not PVC. */
static bool means(const char *text, const struct formula *formula, double all)
{
	struct material material;

	if (material_parse(text, &material) != SONDE_OK || material.count != formula->count)
		return false;
	for (int i = 0; i < formula->count; ++i) {
		bool found = false;
		for (int k = 0; k < material.count; ++k)
			found = found || (material.atomic_number[k] == formula->atomic_number[i] &&
					  material.mass[k] == formula_mass(formula, i) &&
					  fabs(material.fraction[k] - formula->amount[i] / all) <= SAME_COMPOSITION);
		if (!found)
			return false;
	}
	return true;
}

static bool name_material(const struct formula *formula, double all, const char *density, char *text, size_t size)
{
	double numbers[MATERIAL_MOST_ELEMENTS];
	char name[MATERIAL_NAME_SIZE];

	if (whole_numbers(formula, all, numbers))
		for (int ones = 0; ones < 2; ++ones) {
			if (!write_formula(formula, numbers, 0, ones, name, sizeof name))
				continue;
			snprintf(text, size, "%s@%s", name, density);
			if (means(text, formula, all))
				return true;
		}
	for (int i = 0; i < formula->count; ++i)
		numbers[i] = formula->amount[i] / all;
	for (int decimals = MOST_DECIMALS; decimals >= 3; --decimals) {
		if (!write_formula(formula, numbers, decimals, true, name, sizeof name))
			continue;
		snprintf(text, size, "%s@%s", name, density);
		return means(text, formula, all);
	}
	return false;
}

double trim_mass(int atomic_number, double mass)
{
	return fabs(mass / element_of(atomic_number).mass - 1.0) <= SAME_MASS ? 0.0 : mass;
}

sonde_status trim_target_append(const struct trim_layer *layer, struct text *target)
{
	const struct formula *formula = &layer->formula;
	double all = 0.0;
	char material[MATERIAL_NAME_SIZE + 40], number[32];

	for (int i = 0; i < formula->count; ++i)
		all += formula->amount[i];
	if (!(all > 0.0) || !isfinite(all))
		return status_fail(SONDE_INVALID, "the layer has no atoms: an amount of an element must be above 0");
	text_format_real(layer->density, number);
	if (!name_material(formula, all, number, material, sizeof material))
		return status_fail(SONDE_INVALID,
				   "the layer's atoms cannot be written as a formula: too many elements or too small "
				   "amounts of them, or a density of %s g/cm^3, which is not from 1e-9 to 30",
				   number);
	text_append(target, "%s%s", target->size > 0 ? "/" : "", material);
	if (layer->factor > 0.0 && layer->factor != 1.0) {
		text_append(target, "*");
		text_append_real(target, layer->factor);
	}
	text_append(target, ":");
	text_append_real(target, layer->width);
	text_append(target, "A");
	return SONDE_OK;
}
