#include "matter/sample/cell_matter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/options.h"
#include "matter/build/crystal_options.h"
#include "matter/build/file_cell.h"
#include "matter/crystal/crystal.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"
#include "matter/materials/material.h"
#include "matter/shape/wulff.h"

#define CONSISTENT_DENSITY 0.02              /* relative */
#define CONSISTENT_FRACTIONS 0.02            /* of atoms */
#define AMU_PER_CUBIC_ANGSTROM 1.66053906660 /* in g/cm^3; CODATA 2018 */
#define DIGITS 1e6                           /* of amounts in a composition */

_Static_assert((int)SONDE_MATERIAL_CELL_PEROVSKITE - (int)SONDE_MATERIAL_CELL_SC == (int)SONDE_BUILD_CELL_PEROVSKITE,
	       "materials have the structures of build, in the same order");

bool material_has_cell(const sonde_material_options *material)
{
	return material->cell > SONDE_MATERIAL_CELL_NONE || material->cell_file[0] != '\0' ||
	       material->basis[0] != '\0';
}

void material_build_options(const sonde_material_options *material, sonde_build_options *options)
{
	sonde_build_options_init(options);
	options->cell = material->cell > SONDE_MATERIAL_CELL_NONE ? material->cell - (int)SONDE_MATERIAL_CELL_SC : -1;
	options->a = material->a;
	options->c = material->c;
	options->u = material->u;
	memcpy(options->cell_file, material->cell_file, sizeof options->cell_file);
	memcpy(options->species, material->species, sizeof options->species);
	memcpy(options->basis, material->basis, sizeof options->basis);
	memcpy(options->cell_edges, material->cell_edges, sizeof options->cell_edges);
	memcpy(options->space_group, material->space_group, sizeof options->space_group);
}

/* Atoms of each element and isotope in the cell, and their mass. */
struct contents {
	int count;
	struct label labels[MATERIAL_MOST_ELEMENTS];
	double amounts[MATERIAL_MOST_ELEMENTS];
	double mass; /* amu */
};

static sonde_status add_label(const char *text, double amount, struct contents *contents)
{
	struct label label;
	double mass;
	int k = 0;

	CHECK(label_parse(text, &label));
	CHECK(isotope_mass(label.atomic_number, label.mass_number, &mass));
	contents->mass += amount * mass;
	while (k < contents->count && (contents->labels[k].atomic_number != label.atomic_number ||
				       contents->labels[k].mass_number != label.mass_number))
		++k;
	if (k == MATERIAL_MOST_ELEMENTS)
		return status_fail(SONDE_INVALID, "a cell with more than %d elements is not possible in a material",
				   MATERIAL_MOST_ELEMENTS);
	contents->labels[k] = label;
	contents->amounts[k] += amount;
	contents->count += k == contents->count;
	return SONDE_OK;
}

/* The label of a species, the n-th of "Cd,Se". */
static void take_label(const char *list, int n, char label[SONDE_LABEL_SIZE])
{
	while (n-- > 0)
		list += strcspn(list, ",") + 1;
	snprintf(label, SONDE_LABEL_SIZE, "%.*s", (int)strcspn(list, ","), list);
}

static sonde_status find_contents(const sonde_build_options *options, const struct build_lattice *lattice,
				  struct contents *contents)
{
	const struct crystal *crystal = &lattice->crystal;
	char label[SONDE_LABEL_SIZE];

	*contents = (struct contents){.count = 0};
	for (int s = 0; s < crystal->site_count; ++s) {
		const int species = crystal->site_species[s];
		if (lattice->cell.count > 0) {
			CHECK(add_label(lattice->cell.kinds[species].label, lattice->cell.kinds[species].occupancy,
					contents));
			continue;
		}
		take_label(options->species, species, label);
		CHECK(add_label(label, 1.0, contents));
	}
	return SONDE_OK;
}

/* The largest whole number that divides all amounts, if these are whole; else 1. */
static double divisor(const struct contents *contents)
{
	int64_t common = 0;

	for (int k = 0; k < contents->count; ++k) {
		int64_t amount = (int64_t)llround(contents->amounts[k]);
		if (fabs(contents->amounts[k] - (double)amount) > 1e-9 || amount < 1)
			return 1.0;
		while (amount != 0) {
			const int64_t rest = common % amount;
			common = amount;
			amount = rest;
		}
	}
	return common > 0 ? (double)common : 1.0;
}

/* "CdSe", "B[10]4C", "Ga0.5In0.5As": as material_parse() reads it. */
static sonde_status append_formula(const struct contents *contents, struct text *text)
{
	const double by = divisor(contents);

	for (int k = 0; k < contents->count; ++k) {
		const struct label *label = &contents->labels[k];
		const double amount = round(DIGITS * contents->amounts[k] / by) / DIGITS;
		if (!(amount > 0.0))
			continue;
		text_append(text, "%s", element_symbol(label->atomic_number));
		if (label->mass_number != 0)
			text_append(text, "[%d]", label->mass_number);
		if (amount != 1.0)
			text_append_real(text, amount);
	}
	return text_status(text);
}

static sonde_status set_composition(const struct contents *contents, sonde_material_options *material)
{
	struct text formula = {0};
	sonde_status status = append_formula(contents, &formula);

	if (status == SONDE_OK && formula.size >= MATERIAL_NAME_SIZE)
		status = status_fail(SONDE_INVALID, "the composition of the cell is too long: give `composition`");
	if (status == SONDE_OK)
		snprintf(material->composition, sizeof material->composition, "%s", formula.bytes);
	text_free(&formula);
	return status;
}

/* Fraction of the atoms of an element in the cell. */
static double fraction_of(const struct contents *contents, int atomic_number)
{
	double all = 0.0, of_element = 0.0;

	for (int k = 0; k < contents->count; ++k) {
		all += contents->amounts[k];
		of_element += contents->labels[k].atomic_number == atomic_number ? contents->amounts[k] : 0.0;
	}
	return of_element / all;
}

static sonde_status compare_element(const struct contents *contents, const struct material *given, int atomic_number)
{
	const double of_cell = fraction_of(contents, atomic_number);
	double fraction = 0.0;

	for (int k = 0; k < given->count; ++k)
		fraction += given->atomic_number[k] == atomic_number ? given->fraction[k] : 0.0;
	if (fabs(fraction - of_cell) <= CONSISTENT_FRACTIONS)
		return SONDE_OK;
	return status_fail_option(
	    SONDE_INVALID, "composition",
	    "%.3g of the atoms are %s, but in the cell %.3g; give only one of `composition` and "
	    "`cell`, or change one of them",
	    fraction, element_symbol(atomic_number), of_cell);
}

static sonde_status check_composition(const struct contents *contents, const sonde_material_options *material)
{
	char text[OPTION_TEXT_SIZE];
	struct material given;

	/* the density does not matter, but some compositions need one */
	const int length = snprintf(text, sizeof text, "%s%s", material->composition,
				    strchr(material->composition, '@') != NULL ? "" : "@1");
	if (length >= (int)sizeof text)
		return status_fail_option(SONDE_INVALID, "composition", "too long");
	const sonde_status status = material_parse(text, &given);
	if (status != SONDE_OK)
		return status == SONDE_INVALID ? status_prefix_option(status, "composition") : status;
	for (int k = 0; k < given.count; ++k)
		CHECK(compare_element(contents, &given, given.atomic_number[k]));
	for (int k = 0; k < contents->count; ++k)
		CHECK(compare_element(contents, &given, contents->labels[k].atomic_number));
	return SONDE_OK;
}

/* Six digits: masses and lattice constants have no more. */
static double rounded(double density)
{
	char text[32];

	snprintf(text, sizeof text, "%.6g", density);
	return strtod(text, NULL);
}

static void take_density(double density, sonde_material_options *material, const char *where, struct text *notes)
{
	if (material->density == 0.0) {
		material->density = rounded(density);
		return;
	}
	if (fabs(material->density - density) > CONSISTENT_DENSITY * density)
		text_append(
		    notes,
		    "%s: the density of %s is given as %g g/cm3, but that of its cell is %.4g g/cm3; atoms have "
		    "the latter\n",
		    where, material->name, material->density, density);
}

static sonde_status settle(sonde_material_options *material, const char *where, const sonde_build_options *options,
			   struct build_lattice *lattice, struct text *notes)
{
	struct contents contents;

	CHECK(build_lattice_make(NULL, options, lattice));
	CHECK(find_contents(options, lattice, &contents));
	const double volume = fabs(crystal_reciprocal(lattice->crystal.vectors, NULL));
	take_density(contents.mass * AMU_PER_CUBIC_ANGSTROM / volume, material, where, notes);
	return material->composition[0] != '\0' ? check_composition(&contents, material)
						: set_composition(&contents, material);
}

/* Options of a crystal without its structure. */
static sonde_status check_absent(const sonde_material_options *material)
{
	const char *name = material->species[0] != '\0' ? "species"
			   : material->a != 0.0         ? "a"
			   : material->c != 0.0         ? "c"
			   : material->u != 0.375       ? "u"
							: NULL,
		   *of_basis = material->cell_edges[0] != '\0'    ? "cell_edges"
			       : material->space_group[0] != '\0' ? "space_group"
								  : NULL;

	if (of_basis != NULL)
		return status_fail_option(SONDE_INVALID, of_basis,
					  "only with the sites of a cell, e.g. `basis Cu 0 0 0`");
	return name == NULL ? SONDE_OK
			    : status_fail_option(SONDE_INVALID, name, "only with the structure of a crystal, `cell`");
}

sonde_status material_settle(sonde_material_options *material, const char *where, struct text *notes)
{
	struct build_lattice lattice = {.cell = {.count = 0}};
	sonde_build_options *options;

	if (!material_has_cell(material))
		return check_absent(material);
	CHECK(memory_allocate(&options, 1, sizeof *options, "the options of a crystal"));
	material_build_options(material, options);
	const sonde_status status = settle(material, where, options, &lattice, notes);
	build_lattice_free(&lattice);
	free(options);
	return status == SONDE_OK ? text_status(notes) : status;
}

sonde_status body_settle(const struct material_list *materials, sonde_body_options *body)
{
	const int64_t number = material_list_find(materials, body->material);
	struct build_lattice lattice = {.cell = {.count = 0}};
	sonde_build_options *options;

	if (body->shape != SONDE_BODY_SHAPE_WULFF || body->c_over_a != 0.0 || number < 0 ||
	    !material_has_cell(&materials->items[number]))
		return SONDE_OK;
	CHECK(memory_allocate(&options, 1, sizeof *options, "the options of a crystal"));
	material_build_options(&materials->items[number], options);
	sonde_status status = build_lattice_make(NULL, options, &lattice);
	if (status == SONDE_OK)
		status = wulff_c_over_a((const double(*)[3])lattice.crystal.vectors, &body->c_over_a);
	build_lattice_free(&lattice);
	free(options);
	return status;
}
