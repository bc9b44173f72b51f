#include "matter/materials/material.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/constants.h"
#include "base/text.h"
#include "matter/elements/element.h"
#include "matter/elements/label.h"
#include "matter/elements/table_row.h"

extern const char data_materials[];

#define NAMES 8
#define BROMINE 35 /* the elements that are liquid at 20 C */
#define MERCURY 80
#define LEAST_DENSITY 1e-9
#define LARGEST_DENSITY 30.0
#define DENSITIES "between 1e-9 and 30 g/cm^3"
#define LEAST_FACTOR 0.1 /* of stopping */
#define LARGEST_FACTOR 10.0
/* 6.02214076e23 per mole, 1e-21 cm^3 per nm^3 */
#define ATOMS_PER_NM3 602.214076
/* Molecules of an ideal gas per nm^3 at 293.15 K and 101325 Pa: p/(k T) */
#define MOLECULES_PER_NM3 (101325.0 / (BOLTZMANN * 293.15) * 1e-27)

static const char *const states[] = {"", "solid", "liquid", "gas"};
#define STATES ((int)(sizeof states / sizeof *states))

/* A row of the table: its pointers point into table.line. */
enum { NAME, COMPOSITION, DENSITY, STATE, OTHERS, FIELDS };
struct row {
	struct table_row table;
	const char *composition;
	double density;
	enum material_state state;
	int names; /* the name and the alternative ones */
	const char *name[NAMES];
};

/* MATERIAL_STATE_UNKNOWN if it is not a state. */
static enum material_state find_state(const char *word, size_t length)
{
	int state = 1;

	while (state < STATES && (strlen(states[state]) != length || strncasecmp(states[state], word, length) != 0))
		++state;
	return state < STATES ? (enum material_state)state : MATERIAL_STATE_UNKNOWN;
}

static bool next_row(const char **table, struct row *row)
{
	if (!table_next_row(table, FIELDS, &row->table))
		return false;
	const char *density = row->table.field[DENSITY], *state = row->table.field[STATE];
	char *others = row->table.field[OTHERS];

	row->composition = row->table.field[COMPOSITION];
	row->density = 0.0;
	(void)text_parse_real(density, density + strlen(density), &row->density);
	row->state = find_state(state, strlen(state));
	row->name[0] = row->table.field[NAME];
	for (row->names = 1; *others != '\0' && row->names < NAMES; ++row->names) {
		row->name[row->names] = others;
		others = table_cut(others, ';');
	}
	return true;
}

const char *material_name(int index)
{
	static _Thread_local struct row row;
	const char *table = table_first_row(data_materials);

	if (index < 0)
		return NULL;
	while (next_row(&table, &row))
		if (index-- == 0)
			return row.name[0];
	return NULL;
}

/* Equal except for case, and '_' or a blank for '-'. */
static bool loosely_same(const char *a, const char *b)
{
	for (;; ++a, ++b) {
		int x = *a == '_' || *a == ' ' ? '-' : tolower((unsigned char)*a),
		    y = *b == '_' || *b == ' ' ? '-' : tolower((unsigned char)*b);
		if (x != y)
			return false;
		if (x == '\0')
			return true;
	}
}

/* Equal except for case and for all characters between words. */
static bool same_letters(const char *a, const char *b)
{
	for (;; ++a, ++b) {
		a += strspn(a, "-_ ");
		b += strspn(b, "-_ ");
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (*a == '\0')
			return true;
	}
}

static bool exactly_same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static bool find_name(const char *name, bool (*same)(const char *, const char *), struct row *row)
{
	for (const char *table = table_first_row(data_materials); next_row(&table, row);)
		for (int k = 0; k < row->names; ++k)
			if (same(row->name[k], name))
				return true;
	return false;
}

/* "H:0.112 O:0.888": mass fractions, converted to atoms. */
static sonde_status read_shares(const char *text, struct formula *formula)
{
	*formula = (struct formula){0};
	for (const char *c = text; *c != '\0'; c += *c == ' ') {
		char symbol[4] = "";
		size_t length = strcspn(c, ":");
		double share = 0.0;

		if (length < sizeof symbol)
			memcpy(symbol, c, length);
		const char *number = c + length + (c[length] == ':'), *end = number + strcspn(number, " ");
		int z = element_number(symbol);
		if (z == 0 || z > TABULATED_ELEMENTS || !text_parse_real(number, end, &share) ||
		    !formula_add(formula, z, 0.0, share / element_of(z).mass))
			return status_fail(SONDE_INTERNAL, "the composition '%.100s' of materials.csv is damaged",
					   text);
		c = end;
	}
	return SONDE_OK;
}

static sonde_status read_composition(const char *text, struct formula *formula)
{
	return strchr(text, ':') != NULL ? read_shares(text, formula) : formula_parse(text, formula);
}

static double sum(const struct formula *formula)
{
	double atoms = 0.0;

	for (int i = 0; i < formula->count; ++i)
		atoms += formula->amount[i];
	return atoms;
}

/* Mass of the natural atoms. */
static struct formula without_isotopes(const struct formula *formula)
{
	struct formula natural = {0};

	for (int i = 0; i < formula->count; ++i)
		(void)formula_add(&natural, formula->atomic_number[i], 0.0, formula->amount[i]);
	return natural;
}

/* Ratio of the mass to that of natural atoms. */
static double relative_mass(const struct formula *formula)
{
	double mass = 0.0, natural = 0.0;

	for (int i = 0; i < formula->count; ++i) {
		mass += formula->amount[i] * formula_mass(formula, i);
		natural += formula->amount[i] * element_of(formula->atomic_number[i]).mass;
	}
	return mass / natural;
}

/* The same elements with the same fractions, except for rounding. */
static bool same_composition(const struct formula *a, const struct formula *b)
{
	double all_a = sum(a), all_b = sum(b);
	int same = 0;

	for (int i = 0; i < a->count; ++i)
		for (int k = 0; k < b->count; ++k)
			same += a->atomic_number[i] == b->atomic_number[k] &&
				fabs(a->amount[i] / all_a - b->amount[k] / all_b) < 1e-9;
	return same == a->count && same == b->count;
}

static bool has_isotopes(const struct formula *formula)
{
	for (int i = 0; i < formula->count; ++i)
		if (formula->mass[i] > 0.0)
			return true;
	return false;
}

/* The same masses as well; both have natural ones if neither has isotopes. */
static bool same_isotopes(const struct formula *a, const struct formula *b)
{
	return fabs(relative_mass(a) - relative_mass(b)) < 1e-9;
}

/* The density of a composition. */
struct known {
	double density; /* 0: none */
	enum material_state state;
	bool ideal; /* of an ideal gas */
};

/* For an element, a row with molecules, or with single atoms, matches the element's symbol and its own molecule: for
 * oxygen, O and O2, not O3. */
static bool same_molecule(const struct formula *formula, const struct row *row, const struct formula *of_row)
{
	return formula->count > 1 || row->state == MATERIAL_SOLID || formula->amount[0] == 1.0 ||
	       formula->amount[0] == of_row->amount[0];
}

/* Density of the first row with the composition, and with the state unless that is unknown: one with the isotopes,
 * else a natural one with the same number of atoms. Without a state, rows without their formula among their names do
 * not count: a polymer has that of its monomer, which may be a gas. */
static struct known find_composition(const struct formula *formula, enum material_state state)
{
	struct formula natural = without_isotopes(formula), other;
	struct known known = {0.0, MATERIAL_STATE_UNKNOWN, false};
	struct row row;

	for (const char *table = table_first_row(data_materials); next_row(&table, &row);) {
		bool named = false;
		for (int k = 0; k < row.names; ++k)
			named = named || strcmp(row.name[k], row.composition) == 0;
		if ((state == MATERIAL_STATE_UNKNOWN ? !named : row.state != state) ||
		    read_composition(row.composition, &other) != SONDE_OK)
			continue;
		struct formula other_natural = without_isotopes(&other);
		if (!same_composition(&natural, &other_natural) || !same_molecule(&natural, &row, &other_natural))
			continue;
		if (has_isotopes(&other) && same_isotopes(formula, &other))
			return (struct known){row.density, row.state, false};
		if (!has_isotopes(&other) && known.density == 0.0)
			known = (struct known){row.density * relative_mass(formula), row.state, false};
	}
	return known;
}

/* g/cm^3 of a gas whose molecule is the formula. */
static double ideal_gas_density(const struct formula *formula)
{
	double mass = 0.0;

	for (int i = 0; i < formula->count; ++i)
		mass += formula->amount[i] * formula_mass(formula, i);
	return mass * MOLECULES_PER_NM3 / ATOMS_PER_NM3;
}

/* Density of a formula for which no state is given. */
static struct known find_usual(const struct formula *formula)
{
	struct formula natural = without_isotopes(formula);

	if (natural.count != 1)
		return find_composition(formula, MATERIAL_STATE_UNKNOWN);
	struct known gas = find_composition(formula, MATERIAL_GAS);
	if (gas.density > 0.0)
		return gas;
	int z = natural.atomic_number[0];
	struct formula symbol = {0};
	/* another molecule of an element that is a gas */
	if (formula_add(&symbol, z, 0.0, 1.0) && find_composition(&symbol, MATERIAL_GAS).density > 0.0)
		return (struct known){ideal_gas_density(formula), MATERIAL_GAS, true};
	return (struct known){relative_mass(formula) * element_of(z).density,
			      z == BROMINE || z == MERCURY ? MATERIAL_LIQUID : MATERIAL_SOLID, false};
}

/* A word similar to `nearest`'s, copied since its row is temporary. */
struct suggestion {
	struct nearest_word nearest;
	char best[MATERIAL_NAME_SIZE];
};

static void suggest(struct suggestion *suggestion, const char *candidate)
{
	nearest_word_offer(&suggestion->nearest, candidate);
	if (suggestion->nearest.best == candidate && strlen(candidate) < sizeof suggestion->best) {
		strcpy(suggestion->best, candidate);
		suggestion->nearest.best = suggestion->best;
	}
}

static void suggest_names(struct suggestion *suggestion)
{
	struct row row;

	if (find_name(suggestion->nearest.word, same_letters, &row)) {
		strcpy(suggestion->best, row.name[0]);
		suggestion->nearest.best = suggestion->best;
		return;
	}
	for (const char *table = table_first_row(data_materials); next_row(&table, &row);)
		for (int k = 0; k < row.names; ++k)
			suggest(suggestion, row.name[k]);
	suggest(suggestion, "vacuum");
}

static sonde_status fail_without_density(const char *name)
{
	struct row row;

	/* only if it is surely meant, since every formula is similar to another one */
	bool meant = find_name(name, same_letters, &row);
	return status_fail(SONDE_INVALID, "no density is known for '%s': give it as %s@2.2, in g/cm^3%s%s%s", name,
			   name, meant ? ", or did you mean '" : "", meant ? row.name[0] : "", meant ? "'?" : "");
}

/* `name` is neither a formula, because of an unknown element, nor a name. */
static sonde_status fail_unknown(const char *name, const char *symbol)
{
	struct suggestion names = {.nearest.word = name}, elements = {.nearest.word = symbol};
	char hint[MATERIAL_NAME_SIZE + 32];

	suggest_names(&names);
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z) {
		suggest(&names, element_symbol(z));
		suggest(&elements, element_symbol(z));
	}
	/* single letters are all one change apart */
	if (symbol[1] == '\0' && elements.nearest.distance > 1)
		elements.nearest.best = NULL;
	bool a_name = names.nearest.best != NULL &&
		      (elements.nearest.best == NULL || names.nearest.distance <= elements.nearest.distance);
	nearest_word_hint(a_name ? &names.nearest : &elements.nearest, hint, sizeof hint);
	if (a_name || (elements.nearest.best == NULL && islower((unsigned char)name[0])))
		return status_fail(SONDE_INVALID, "unknown material '%s'%s", name,
				   hint[0] != '\0' ? hint : ": neither a formula, as SiO2, nor a name, as water");
	return status_fail(SONDE_INVALID, "unknown element '%s' in '%s'%s", symbol, name, hint);
}

/* The composition of a name and its usual density: none if unknown. */
static sonde_status look_up(const char *name, struct formula *formula, struct known *known, bool *is_name)
{
	struct row row;

	*is_name = true;
	if (find_name(name, exactly_same, &row)) {
		/* N2 is a formula, too */
		*is_name = strcmp(name, row.composition) != 0;
		*known = (struct known){row.density, row.state, false};
		return read_composition(row.composition, formula);
	}
	sonde_status status = formula_parse(name, formula);
	if (status == SONDE_OK) {
		*is_name = false;
		*known = find_usual(formula);
		return SONDE_OK;
	}
	char unknown[sizeof formula->unknown];
	memcpy(unknown, formula->unknown, sizeof unknown);
	if (find_name(name, loosely_same, &row)) {
		*known = (struct known){row.density, row.state, false};
		return read_composition(row.composition, formula);
	}
	return unknown[0] != '\0' ? fail_unknown(name, unknown) : status;
}

static sonde_status fail_without_state(const struct material *material, const struct known *usual)
{
	const char *name = material->name;

	if (material->state == MATERIAL_GAS && usual->density > 0.0)
		return status_fail(
		    SONDE_INVALID,
		    "%s is a %s at 20 C and 1 atm: give the density of a gas of it in g/cm^3, as %s@1e-3", name,
		    states[usual->state], name);
	return status_fail(SONDE_INVALID, "no density is known for '%s' as a %s: give it as %s@1.2, in g/cm^3", name,
			   states[material->state], name);
}

static enum material_density source_of(const struct known *known)
{
	return known->ideal ? MATERIAL_DENSITY_IDEAL_GAS : MATERIAL_DENSITY_TABLE;
}

/* The density in the requested state. */
static sonde_status find_density_in_state(const struct formula *formula, const struct known *usual,
					  struct material *material)
{
	struct known known = usual->state == material->state ? *usual : find_composition(formula, material->state);
	if (known.density == 0.0 && material->state == MATERIAL_GAS && usual->density == 0.0)
		known = (struct known){ideal_gas_density(formula), MATERIAL_GAS, true};
	material->density_from = source_of(&known);
	material->density = known.density;
	return known.density > 0.0 ? SONDE_OK : fail_without_state(material, usual);
}

static bool is_density(double density)
{
	return density >= LEAST_DENSITY && density <= LARGEST_DENSITY;
}

/* A formula is taken for the molecule of a gas, and may contain any number of atoms. */
static sonde_status check_found_density(const struct material *material)
{
	if (is_density(material->density))
		return SONDE_OK;
	return status_fail(SONDE_INVALID,
			   "an ideal gas of molecules %s has %.3g g/cm^3, which is not " DENSITIES
			   ": write the formula "
			   "of one molecule, or give the density, as %s@1e-3",
			   material->name, material->density, material->name);
}

static sonde_status find_density(const struct formula *formula, const struct known *usual, bool is_name,
				 struct material *material)
{
	material->state_given = is_name || material->state != MATERIAL_STATE_UNKNOWN;
	if (material->state != MATERIAL_STATE_UNKNOWN)
		return find_density_in_state(formula, usual, material);
	if (material->density > 0.0) {
		material->density_from = MATERIAL_DENSITY_GIVEN;
		return SONDE_OK;
	}
	material->density = usual->density;
	material->density_from = source_of(usual);
	material->state = usual->state;
	return material->density > 0.0 ? SONDE_OK : fail_without_density(material->name);
}

/* "@2.2" or "@gas" */
static sonde_status read_density(const char *number, size_t length, struct material *material)
{
	int shown = (int)(length < 32 ? length : 32);
	const char *name = material->name;
	double *density = &material->density;

	material->state = find_state(number, length);
	if (material->state != MATERIAL_STATE_UNKNOWN)
		return SONDE_OK;
	if (!text_parse_real(number, number + length, density))
		return status_fail(SONDE_INVALID,
				   "'%.*s' is not a density: give it as %s@2.2, in g/cm^3, or a state, as %s@gas, "
				   "%s@liquid or %s@solid",
				   shown, number, name, name, name, name);
	if (!is_density(*density))
		return status_fail(SONDE_INVALID, "the density %.*s of '%s' is not " DENSITIES, shown, number, name);
	return SONDE_OK;
}

/* "*0.95" */
static sonde_status read_factor(const char *name, const char *number, double *correction)
{
	double factor;

	if (!text_parse_real(number, number + strlen(number), &factor))
		return status_fail(SONDE_INVALID, "'%.32s' is not a factor of the stopping: give it as %s*0.95",
				   number, name);
	if (!(factor >= LEAST_FACTOR && factor <= LARGEST_FACTOR))
		return status_fail(SONDE_INVALID, "the factor %.32s of the stopping of '%s' is not between %g and %g",
				   number, name, LEAST_FACTOR, LARGEST_FACTOR);
	*correction = factor - 1.0;
	return SONDE_OK;
}

/* Splits "SiO2@2.2*0.95"; a density of 0 and an unknown state: not given. */
static sonde_status split(const char *text, struct material *material)
{
	size_t length = strcspn(text, "@*");
	char *name = material->name;

	if (length == 0)
		return status_fail(SONDE_INVALID,
				   "no material is given: write a formula, as SiO2, or a name, as water");
	if (length >= MATERIAL_NAME_SIZE)
		return status_fail(SONDE_INVALID, "the material '%.20s...' has more than %d letters", text,
				   MATERIAL_NAME_SIZE - 1);
	memcpy(name, text, length);
	name[length] = '\0';
	text += length;
	if (*text == '@') {
		length = strcspn(++text, "*");
		CHECK(read_density(text, length, material));
		text += length;
	}
	return *text == '*' ? read_factor(name, text + 1, &material->correction) : SONDE_OK;
}

static void fill(const struct formula *formula, struct material *material)
{
	double all = sum(formula), mean_mass = 0.0;

	material->count = formula->count;
	for (int i = 0; i < formula->count; ++i) {
		material->atomic_number[i] = formula->atomic_number[i];
		material->mass[i] = formula_mass(formula, i);
		material->fraction[i] = formula->amount[i] / all;
		mean_mass += material->fraction[i] * material->mass[i];
	}
	material->atoms = material->density / mean_mass * ATOMS_PER_NM3;
}

sonde_status material_parse(const char *text, struct material *material)
{
	struct material parsed = {0};
	struct formula formula;
	struct known usual = {0.0, MATERIAL_STATE_UNKNOWN, false};
	bool is_name;

	*material = parsed;
	CHECK(split(text, &parsed));
	if (loosely_same(parsed.name, "vacuum")) {
		if (text[strlen(parsed.name)] != '\0')
			return status_fail(SONDE_INVALID, "vacuum has no %s: leave out '%.40s'",
					   text[strlen(parsed.name)] == '@' ? "density" : "stopping",
					   text + strlen(parsed.name));
		*material = parsed;
		return SONDE_OK;
	}
	CHECK(look_up(parsed.name, &formula, &usual, &is_name));
	CHECK(find_density(&formula, &usual, is_name, &parsed));
	CHECK(check_found_density(&parsed));
	fill(&formula, &parsed);
	*material = parsed;
	return SONDE_OK;
}

const char *material_state_name(enum material_state state)
{
	return states[state];
}

bool material_gas_note(const struct material *material, char note[MATERIAL_NOTE_SIZE])
{
	const char *name = material->name;
	struct formula formula;
	char others[2 * MATERIAL_NAME_SIZE + 24] = "";

	if (material->state != MATERIAL_GAS || material->state_given)
		return false;
	/* states with a known density */
	for (int state = MATERIAL_SOLID; state <= MATERIAL_LIQUID && formula_parse(name, &formula) == SONDE_OK;
	     ++state)
		if (find_composition(&formula, (enum material_state)state).density > 0.0)
			snprintf(others + strlen(others), sizeof others - strlen(others), "%s@%s, or ", name,
				 states[state]);
	snprintf(note, MATERIAL_NOTE_SIZE,
		 OPTION_NAME("target") ": %s is a gas, of %.6g g/cm^3 at 20 C and 1 atm; %s%s@ with a density in "
				       "g/cm^3 selects another "
				       "state, and %s@gas confirms that the gas is meant",
		 name, material->density, others, name, name);
	return true;
}
