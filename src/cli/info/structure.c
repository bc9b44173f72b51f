#include "cli/info/structure.h"

#include <math.h>
#include <string.h>

#include "matter/atoms/atoms_box.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"
#include "matter/atoms/neighbors.h"

#define ATOMIC_MASS 1.66053906660 /* g/cm^3 of 1 amu/Angstrom^3 (CODATA 2018) */
#define WHOLE_NUMBERS 9007199254740992.0

/* Atoms of each species, fractions of sites included. */
static double amount_of(const sonde_atoms *atoms, int species)
{
	const double *occupancies = sonde_atoms_occupancies(atoms);
	const uint16_t *species_of = sonde_atoms_species(atoms);
	double amount = 0.0;

	if (occupancies == NULL)
		return (double)sonde_atoms_species_atoms(atoms, species);
	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
		amount += species_of[i] == species ? occupancies[i] : 0.0;
	return amount;
}

/* The elements of the labels, in order of appearance, with their atoms. False if a label has none. */
struct composition {
	int count, elements[ELEMENTS];
	double amounts[ELEMENTS], mass; /* amu; 0 if that of a label is unknown */
};

static bool find_composition(const sonde_atoms *atoms, struct composition *composition)
{
	bool weighed = true;

	*composition = (struct composition){.count = 0};
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		const double amount = amount_of(atoms, s);
		struct label label;
		double mass;
		int k = 0;
		if (label_parse(sonde_atoms_species_label(atoms, s), &label) != SONDE_OK)
			return false;
		weighed &= isotope_mass(label.atomic_number, label.mass_number, &mass) == SONDE_OK;
		composition->mass += amount * mass;
		while (k < composition->count && composition->elements[k] != label.atomic_number)
			++k;
		composition->elements[k] = label.atomic_number;
		composition->amounts[k] += amount;
		composition->count += k == composition->count;
	}
	composition->mass = weighed ? composition->mass : 0.0;
	return composition->count > 0;
}

/* The largest common divisor of whole amounts, else the smallest amount. */
static double find_unit(const struct composition *composition)
{
	double unit = 0.0, least = INFINITY;
	bool whole = true;

	for (int k = 0; k < composition->count; ++k) {
		double a = composition->amounts[k];
		whole &= a == floor(a) && a < WHOLE_NUMBERS;
		least = a > 0.0 ? fmin(least, a) : least;
		while (whole && a > 0.0) {
			const double rest = fmod(unit, a);
			unit = a;
			a = rest;
		}
	}
	return whole ? unit : least;
}

static void report_formula(const struct composition *composition, struct report *report)
{
	const double unit = find_unit(composition);
	struct text formula = {0};

	for (int k = 0; k < composition->count && unit > 0.0 && !isinf(unit); ++k) {
		const double amount = composition->amounts[k] / unit;
		text_append(&formula, "%s", element_symbol(composition->elements[k]));
		if (fabs(amount - 1.0) > 1e-9)
			text_append(&formula, "%.10g", amount);
	}
	if (formula.size > 0) {
		report_line(report, "formula", "%s", formula.bytes);
		report_text(report, "formula", formula.bytes);
	}
	text_free(&formula);
}

/* Of a crystal: a cell around a cluster says nothing about its density. */
static void report_density(const sonde_atoms *atoms, double mass, struct report *report)
{
	struct atoms_box box;

	for (int k = 0; k < 3; ++k)
		if (sonde_atoms_periodic(atoms, k) != 1)
			return;
	if (sonde_atoms_cell(atoms) == NULL || mass <= 0.0 || atoms_box_make(atoms, &box) != SONDE_OK)
		return;
	const double volume = atoms_box_volume(&box), density = ATOMIC_MASS * mass / volume;
	report_line(report, "density", "%.6g g/cm^3, in a cell of %.6g Angstrom^3", density, volume);
	report_number(report, "density_g_cm3", density);
	report_number(report, "volume_angstrom3", volume);
}

/* About the mean position; all atoms have the same weight. */
static double radius_of_gyration(const sonde_atoms *atoms)
{
	const double *positions = sonde_atoms_positions(atoms);
	const int64_t count = sonde_atoms_count(atoms);
	double center[3] = {0}, sum = 0.0;

	for (int64_t i = 0; i < 3 * count; ++i)
		center[i % 3] += positions[i];
	for (int64_t i = 0; i < 3 * count; ++i)
		sum += pow(positions[i] - center[i % 3] / (double)count, 2.0);
	return sqrt(sum / (double)count);
}

static void report_pair(const sonde_atoms *atoms, const struct neighbors *neighbors, int a, int b,
			struct report *report)
{
	const struct neighbor_pair *pair = &neighbors->pairs[a * neighbors->species + b];
	const char *from = sonde_atoms_species_label(atoms, a), *to = sonde_atoms_species_label(atoms, b);

	if (pair->shell == 0.0)
		return;
	report_line(report, "neighbors", "%s: %.4g %s within %.4g Angstrom, the nearest at %.6g, on average %.6g",
		    from, pair->coordination, to, pair->shell, pair->shortest, pair->mean);
	report_open_object(report, NULL);
	report_text(report, "of", from);
	report_text(report, "species", to);
	report_number(report, "coordination", pair->coordination);
	report_number(report, "shell_angstrom", pair->shell);
	report_number(report, "shortest_angstrom", pair->shortest);
	report_number(report, "mean_shortest_angstrom", pair->mean);
	report_close(report);
}

static void report_neighbors(const sonde_atoms *atoms, const struct neighbors *neighbors, struct report *report)
{
	if (neighbors->shortest == 0.0)
		return;
	report_line(report, "nearest", "%.6g Angstrom, on average %.6g", neighbors->shortest, neighbors->mean);
	report_open_object(report, "nearest");
	report_number(report, "shortest", neighbors->shortest);
	report_number(report, "mean", neighbors->mean);
	report_integer(report, "atoms", neighbors->centers);
	report_text(report, "unit", "angstrom");
	report_close(report);
	report_open_list(report, "neighbors");
	for (int a = 0; a < neighbors->species; ++a)
		for (int b = 0; b < neighbors->species; ++b)
			report_pair(atoms, neighbors, a, b, report);
	report_close(report);
	if (neighbors->stride > 1)
		report_note(report, "neighbors are those of %lld atoms, one of every %lld",
			    (long long)neighbors->centers, (long long)neighbors->stride);
}

sonde_status info_describe_structure(sonde_context *context, const sonde_atoms *atoms, struct report *report)
{
	struct composition composition;
	struct neighbors neighbors;

	if (sonde_atoms_count(atoms) == 0)
		return SONDE_OK;
	if (find_composition(atoms, &composition)) {
		report_formula(&composition, report);
		report_density(atoms, composition.mass, report);
	}
	const double gyration = radius_of_gyration(atoms);
	report_line(report, "gyration", "radius of %.6g Angstrom", gyration);
	report_number(report, "radius_of_gyration_angstrom", gyration);
	CHECK(neighbors_find(context, atoms, &neighbors));
	report_neighbors(atoms, &neighbors, report);
	neighbors_free(&neighbors);
	return SONDE_OK;
}
